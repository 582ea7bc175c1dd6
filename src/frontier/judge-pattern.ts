// Spider traps: decides about the links that were held back because their URL pattern may be a trap, once nothing else of
// the crawl is left. Some links are admitted on trial, and the result of those visits decides about the rest. The verdict
// depends on counts alone, never on time (G12).

import { PATTERN_STATE, type PatternReport, type PatternState } from '../ports/patterns.ts'
import type { FoundUrl, VisitReport } from '../ports/visits.ts'

/** Admits this many links now: some on trial, or all of a pattern that is promising, proven or released. */
export type PatternVerdict = { kind: 'admit'; links: number; isProven: boolean } | { kind: 'exclude' }

export const ALL_LINKS = Number.POSITIVE_INFINITY
/** Visits on trial before the share of fruitful ones means anything. */
const MIN_VISITS_TO_PROMISE = 4
/** Visits on trial that prove a pattern if half of them are fruitful. */
const MIN_VISITS_TO_PROVE = 8
/** Links admitted on trial at a time. */
const MAX_TRIALS = 64

/** Fruitless visits before a pattern is excluded. */
const MIN_ALLOWANCE = 8
/** Allows one more fruitless visit per this many good pages, since a larger site has more to lose. */
const GOOD_PAGES_PER_EXTRA_TRIAL = 100
/** A crawl with fewer good pages consists of the pattern. It may be a site of numbered pages. */
const SMALL_SITE = 50
/** Fruitless visits allowed on a small site. */
const SMALL_SITE_ALLOWANCE = 1000

/** Lines of text new to the pattern that make a visit fruitful. */
const NEW_LINES = 4
/** The share of new lines that does the same for a page with few lines. */
const NEW_LINES_SHARE = 0.25

/** Whether a visit on trial found something: a document, new URLs or new text. */
export function isFruitfulTrial({ outcome, traps }: VisitReport, added: { lines: number; urls: number }): boolean {
  if (outcome.state !== 'visited') return false
  if (traps === null || added.urls > 0 || added.lines >= NEW_LINES) return true
  return added.lines > 0 && added.lines >= traps.lineHashes.length * NEW_LINES_SHARE
}

/** `goodPages`: pages visited, except fruitless trials. Sitemaps are not pages. */
export function judgePattern({ pattern, state, visits, fruitless }: PatternReport, goodPages: number): PatternVerdict {
  if (state === PATTERN_STATE.excluded) return { kind: 'exclude' }
  const fruitful = visits - fruitless
  const isProven = state === PATTERN_STATE.proven || (visits >= MIN_VISITS_TO_PROVE && fruitful * 2 >= visits)
  const isPromising = visits >= MIN_VISITS_TO_PROMISE && fruitful * 4 >= visits
  if (state === PATTERN_STATE.released || isProven || isPromising) return { kind: 'admit', links: ALL_LINKS, isProven }
  const left = trialAllowance(pattern, goodPages) - fruitless
  return left <= 0 ? { kind: 'exclude' } : { kind: 'admit', links: Math.min(MAX_TRIALS, left), isProven }
}

/** Query combinations and ever deeper paths grow too fast for a long trial, and no small site consists of them. */
function trialAllowance(pattern: string, goodPages: number): number {
  if (pattern.includes('?') || pattern.includes('/**/')) return MIN_ALLOWANCE
  return goodPages < SMALL_SITE
    ? SMALL_SITE_ALLOWANCE
    : MIN_ALLOWANCE + Math.floor(goodPages / GOOD_PAGES_PER_EXTRA_TRIAL)
}

export function stateAfterVerdict(verdict: PatternVerdict): PatternState {
  if (verdict.kind === 'exclude') return PATTERN_STATE.excluded
  return verdict.isProven ? PATTERN_STATE.proven : PATTERN_STATE.suspected
}

/** Links that a verdict applies to in one step. */
export function linksToApply(verdict: PatternVerdict): number {
  return verdict.kind === 'exclude' ? ALL_LINKS : verdict.links
}

/** Splits held links into the first `count` by key and the rest. By key, so that the order of discovery does not matter. */
export function splitHeldLinks(found: FoundUrl[], count: number): { taken: FoundUrl[]; rest: FoundUrl[] } {
  const links = found.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  const rest = links.splice(Math.min(count, links.length))
  return { taken: links, rest }
}

/** Stronger states win: a verdict replaces a suspicion, and a release by the owner replaces a verdict. */
const STATE_STRENGTH: Record<PatternState, number> = {
  [PATTERN_STATE.suspected]: 0,
  [PATTERN_STATE.proven]: 1,
  [PATTERN_STATE.excluded]: 1,
  [PATTERN_STATE.released]: 2,
}

/** The state of a pattern after a later report. Of two equally strong states the later one wins. */
export function mergeStates(known: PatternState, later: PatternState): PatternState {
  return STATE_STRENGTH[later] >= STATE_STRENGTH[known] ? later : known
}

/** `state` is an SQL expression. */
export function stateStrengthSql(state: string): string {
  const cases = Object.entries(STATE_STRENGTH).map(([name, strength]) => `when '${name}' then ${strength}`)
  return `case ${state} ${cases.join(' ')} end`
}

/** mergeStates as an aggregate over rows with the columns `state` and `changed_at`. */
export function mergedStateSql(prefix = ''): string {
  return `(array_agg(${prefix}state order by ${stateStrengthSql(`${prefix}state`)} desc, ${prefix}changed_at desc))[1]`
}
