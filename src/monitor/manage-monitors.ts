// Creates and changes monitors and their documents, for the API and the command line.

import { randomBytes } from 'node:crypto'
import { readHtml } from '../engine/parse/html-reader.ts'
import { AppError } from '../lib/errors.ts'
import {
  type Hit,
  MAX_DOCUMENTS,
  MAX_MONITORS,
  MAX_MUTED_URLS,
  MAX_PROTECTED_WORDS,
  type MonitorChanges,
  type MonitorHits,
  type MonitorRow,
  type Monitors,
  type ProtectedDocument,
  type ProtectedDocuments,
} from '../ports/monitors.ts'
import { findRuleProblem, findUrlPatternProblem } from './compile-monitor.ts'
import { MAX_TEXT_WORDS, splitWords } from './text-words.ts'

export type MonitorDraft = Omit<MonitorRow, 'id' | 'createdAt'>

export interface DraftProblem {
  /** Field of a draft, such as `rule.selector`. */
  field: string
  message: string
}

/** All problems of a draft, as sentences. */
export function findDraftProblems({ rule, include = [], exclude = [] }: MonitorChanges): DraftProblem[] {
  const ofRule = rule === undefined ? null : findRuleProblem(rule)
  const problems: DraftProblem[] = ofRule === null ? [] : [{ ...ofRule, field: `rule.${ofRule.field}` }]
  for (const [field, patterns] of Object.entries({ include, exclude })) {
    const message = findUrlPatternProblem(patterns)
    if (message !== null) problems.push({ field, message })
  }
  return problems
}

/** The draft has no problems. */
export async function addMonitor(monitors: Monitors, draft: MonitorDraft, now: number): Promise<MonitorRow> {
  const monitor = { ...draft, id: randomBytes(8).toString('hex'), createdAt: now }
  if (await monitors.add(monitor)) return monitor
  throw new AppError('MONITOR_LIMIT', `There are ${MAX_MONITORS} monitors already. Remove one first.`)
}

export async function findMonitor(monitors: Pick<Monitors, 'list'>, id: string): Promise<MonitorRow> {
  const found = (await monitors.list()).find((monitor) => monitor.id === id)
  if (found === undefined) throw monitorNotFoundError(id)
  return found
}

export function monitorNotFoundError(id: string): AppError {
  return new AppError('MONITOR_NOT_FOUND', `There is no monitor with the id ${id}.`)
}

export async function muteUrl(
  monitors: Pick<Monitors, 'list' | 'muteUrl'>,
  id: string,
  { url, isMuted }: { url: string; isMuted: boolean },
): Promise<void> {
  await findMonitor(monitors, id)
  if (await monitors.muteUrl(id, url, isMuted)) return
  const advice = 'Exclude its URLs with a pattern instead.'
  throw new AppError('MONITOR_LIMIT', `The monitor has ${MAX_MUTED_URLS} muted URLs already. ${advice}`)
}

export interface NewDocument {
  title: string
  url: string | null
  text: string
}

export async function addDocument(
  { monitors, documents }: { monitors: Pick<Monitors, 'list'>; documents: ProtectedDocuments },
  monitorId: string,
  { document: { title, url, text }, now }: { document: NewDocument; now: number },
): Promise<ProtectedDocument> {
  const { rule } = await findMonitor(monitors, monitorId)
  if (rule.kind !== 'copies') {
    throw new AppError('BAD_CONFIG', 'Only a monitor for copies has documents. Create one with a rule of this kind.')
  }
  const { count } = splitWords(text)
  if (count < rule.minWords) {
    const message = `The document has ${count} words. The monitor looks for copies of ${rule.minWords} words or more.`
    throw new AppError('BAD_CONFIG', message)
  }
  if (count >= MAX_TEXT_WORDS) {
    throw new AppError('MONITOR_LIMIT', `The document has more than ${MAX_TEXT_WORDS} words. Split it.`)
  }
  const document = { id: randomBytes(8).toString('hex'), monitorId, title, url, words: count, addedAt: now }
  switch (await documents.add({ ...document, text })) {
    case 'added':
      return document
    case 'no_monitor':
      throw monitorNotFoundError(monitorId)
    case 'full': {
      const limits = `${MAX_DOCUMENTS} documents and ${MAX_PROTECTED_WORDS} words over all monitors`
      throw new AppError('MONITOR_LIMIT', `Protected documents have room for ${limits}. Remove some first.`)
    }
  }
}

/** The text of an HTML document, and its title. */
export function readHtmlDocument(html: string): { title: string; text: string } {
  const { title, text } = readHtml(html, true, null, 0)
  return { title, text }
}

export async function findHit(hits: Pick<MonitorHits, 'find'>, id: number): Promise<Hit> {
  const hit = await hits.find(id)
  if (hit === null) throw new AppError('HIT_NOT_FOUND', `There is no hit with the id ${id}.`)
  return hit
}
