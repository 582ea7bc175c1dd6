// Evaluates the findings of visits on trial. They are evaluated together when their patterns are judged, in the order
// of their URLs. If several pages have the same new text, the first in this order counts, not the one that was visited
// first (G12).

import { PATTERN_STATE, type PatternReport } from '../ports/patterns.ts'
import type { VisitReport } from '../ports/visits.ts'
import { NO_GENERATION, type PatternTrial } from './judge-pattern.ts'

/** A visit on trial whose pattern has not been judged since. */
export interface TrialVisit extends PatternTrial {
  isVisited: boolean
  isEndless: boolean
  /** The lines of its text, as hashes; null if the text is not known. */
  lines: readonly number[] | null
  /** URLs that it added to the crawl. */
  added: readonly bigint[]
  /** All URLs that the page links to. */
  links: readonly bigint[]
}

/** The visits of a pattern. */
export interface EvaluatedTrials extends PatternReport {
  /** The latest generation that was visited, that was fruitful, and that leads to endless paths. */
  latest: number
  fruitful: number
  endless: number
  fruitlessPages: number
}

/** Lines new to the pattern that make a visit fruitful. */
const NEW_LINES = 2
/** Share of new lines that suffices for a page with few lines. */
const NEW_LINES_SHARE = 0.25
/** Calendars offer each month as a file. */
const CALENDAR_TYPE = /^text\/calendar\b/i

/** Represents the text of a visit. A document is one line, so that copies are not new. */
export function linesOf({ outcome, traps, facts }: VisitReport): readonly number[] | null {
  if (outcome.state !== 'visited') return []
  if (traps !== null) return traps.lineHashes
  if (facts?.contentType != null && CALENDAR_TYPE.test(facts.contentType)) return []
  return facts?.contentHash == null ? null : [Number.parseInt(facts.contentHash.slice(0, 8), 16) | 0]
}

/** `visits` in the order of their URLs; `newLines` has the lines that their patterns did not have, by `lineId`. */
export function evaluateTrials(visits: readonly TrialVisit[], newLines: Set<string>): EvaluatedTrials[] {
  const newUrls = new Set(visits.flatMap(({ added }) => added))
  const byPattern = new Map<string, EvaluatedTrials>()
  for (const visit of visits) {
    const { pattern, generation, isVisited, isEndless } = visit
    const trials = byPattern.get(pattern) ?? noTrials(pattern)
    byPattern.set(pattern, trials)
    const isFruitful = takeNew(visit, newLines, newUrls) && isVisited
    trials.visits += 1
    if (!isFruitful) trials.fruitless += 1
    if (!isVisited) continue
    if (isFruitful) trials.fruitful = Math.max(trials.fruitful, generation)
    else trials.fruitlessPages += 1
    trials.latest = Math.max(trials.latest, generation)
    if (isEndless) trials.endless = Math.max(trials.endless, generation)
  }
  return [...byPattern.values()]
}

/** Whether the visit found enough new text or links. They are not new to later visits. */
function takeNew({ pattern, lines, links, added }: TrialVisit, newLines: Set<string>, newUrls: Set<bigint>): boolean {
  const hasNewUrl = newUrls.size > 0 && [...links, ...added].filter((key) => newUrls.delete(key)).length > 0
  if (lines === null || hasNewUrl) return true
  const taken = lines.filter((line) => newLines.delete(lineId(pattern, line))).length
  return taken >= NEW_LINES || (taken > 0 && taken >= lines.length * NEW_LINES_SHARE)
}

export function lineId(pattern: string, line: number): string {
  return `${line} ${pattern}`
}

function noTrials(pattern: string): EvaluatedTrials {
  const state = PATTERN_STATE.suspected
  const none = { latest: NO_GENERATION, fruitful: NO_GENERATION, endless: NO_GENERATION }
  return { pattern, state, visits: 0, fruitless: 0, fruitlessPages: 0, ...none }
}
