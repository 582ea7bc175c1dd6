// Examines a change that a visit has found: reads both versions, and decides whether anything but noise has changed.

import type { PageReaderDependencies } from '../../engine/pages/read-archived-page.ts'
import type { ChangeSummary, ExaminedChange, FactChanges, PendingChange } from '../../ports/changes.ts'
import type { PageVersion } from '../../ports/pages.ts'
import { cutText, summarise } from '../compare-texts.ts'
import { type ComparisonRules, compareVersions } from '../compare-versions.ts'
import { differOnlyInTimes, type VisitTimes } from '../noise/times.ts'

/**
 * If the bytes of a version are unavailable, it is read again after this time, doubled with every attempt, for a day
 * at most.
 */
const FIRST_RETRY_MS = 30_000
const MAX_RETRY_MS = 3_600_000
const GIVE_UP_MS = 86_400_000
const MAX_SUMMARY = 200

/** Adds what the host has shown to `noise`. */
export async function examineChange(
  change: PendingChange,
  comparisonRules: ComparisonRules,
  dependencies: PageReaderDependencies,
  now: number,
): Promise<ExaminedChange> {
  const { id, kind, urlId, isRepeated, facts } = change
  const after = await findPage(change.pageId, dependencies)
  const before = await findPage(change.previousPageId, dependencies)
  if (kind === 'added' || kind === 'removed' || kind === 'redirected')
    return { id, outcome: 'published', ...describeChange(change, { before, after }) }
  const compared = await compareVersions(before, after, comparisonRules, dependencies)
  if ('isUnavailable' in compared) return deferOrPublish(change, now, after)
  if ('problem' in compared) return { id, outcome: 'published', ...withoutText(change, after) }
  const { comparison } = compared
  if (isRepeated !== null) for (const key of comparison.keys) comparisonRules.noise.observe(key, urlId, isRepeated)
  const visitedAt = { before: before?.visitedAt ?? change.at, after: after?.visitedAt ?? change.at }
  if (kind === 'changed' && !comparison.isNews && !hasNewFacts(facts, visitedAt)) return { id, outcome: 'dropped' }
  const { wordsAdded, wordsRemoved } = comparison
  const summary = summarise(comparison) || describeFacts(facts) || (after?.title ?? '')
  return { id, outcome: 'published', wordsAdded, wordsRemoved, summary: cutText(summary, MAX_SUMMARY) }
}

/** Tried again later, and published without a diff after a day. */
export function deferOrPublish(change: PendingChange, now: number, after: PageVersion | null = null): ExaminedChange {
  const { id, tries } = change
  if (now - change.at >= GIVE_UP_MS) return { id, outcome: 'published', ...withoutText(change, after) }
  return { id, outcome: 'deferred', untilMs: Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(tries, 10)) }
}

async function findPage(pageId: number | null, { pages }: PageReaderDependencies): Promise<PageVersion | null> {
  return pageId === null ? null : pages.find(pageId)
}

function describeChange(
  { kind, facts }: PendingChange,
  { before, after }: { before: PageVersion | null; after: PageVersion | null },
): ChangeSummary {
  switch (kind) {
    case 'added':
      return { wordsAdded: after?.words ?? null, wordsRemoved: 0, summary: describePage(after) }
    case 'removed':
      return { wordsAdded: 0, wordsRemoved: before?.words ?? null, summary: describePage(before) }
    default:
      return { wordsAdded: 0, wordsRemoved: before?.words ?? null, summary: cutText(describeFacts(facts), MAX_SUMMARY) }
  }
}

function describePage(version: PageVersion | null): string {
  return cutText(version?.title || version?.description || '', MAX_SUMMARY)
}

function withoutText({ facts }: PendingChange, after: PageVersion | null): ChangeSummary {
  return {
    wordsAdded: null,
    wordsRemoved: null,
    summary: cutText(describeFacts(facts) || describePage(after), MAX_SUMMARY),
  }
}

/** The title may have a clock in it too. */
function hasNewFacts({ title, ...others }: FactChanges, visitedAt: VisitTimes): boolean {
  if (Object.keys(others).length > 0) return true
  if (title === undefined) return false
  return !differOnlyInTimes(title.before ?? '', title.after ?? '', visitedAt)
}

/** The first of the facts that differ, in words. */
function describeFacts({ redirectTo, title, noindex, canonical, httpStatus }: FactChanges): string {
  if (redirectTo !== undefined)
    return redirectTo.after === null ? 'No longer redirects' : `Redirects to ${redirectTo.after}`
  if (title !== undefined) return `Title: ${title.after ?? ''}`
  if (noindex !== undefined)
    return noindex.after ? 'Opts out of search indexes' : 'No longer opts out of search indexes'
  if (canonical !== undefined) return `Canonical URL: ${canonical.after ?? 'none'}`
  return httpStatus === undefined ? '' : `Status ${httpStatus.after ?? 'unknown'}`
}
