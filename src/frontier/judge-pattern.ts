// Decides about links that were held back as a possible trap, when nothing else of their crawl is left. Some are let in
// on trial; what those visits bring decides about the rest. It depends on counts alone, never on time (G12).

import type { VisitReport } from '../ports/frontier.ts'
import type { PatternReport } from '../ports/patterns.ts'

/** Links to let in now; all of them once the pattern has proved itself. */
export type PatternVerdict = { kind: 'let_in'; links: number; isProven: boolean } | { kind: 'exclude' }

export const ALL_LINKS = Number.POSITIVE_INFINITY
/** Trials before a share of them means anything. */
const MIN_TRIALS = 4
const MIN_PROOF = 8
/** The most that are let in on trial at a time. */
const MAX_TRIALS = 64

/** Visits that may bring nothing before a pattern is excluded. */
const MIN_ALLOWANCE = 8
/** More for sites with more to lose: one for every hundred pages that were worth their visit. */
const GOOD_PER_TRIAL = 100
/** A crawl with fewer good pages than this consists of the pattern: it may be a site of numbered pages. */
const SMALL_SITE = 50
const WHOLE_SITE = 1000

/** Lines new to a pattern that make a page worth its visit, or their share where it has few. */
const FRESH_LINES = 4
const FRESH_SHARE = 0.25

/** Whether a visit on trial brought something: a document, new urls, or new text. */
export function isFruitfulTrial({ outcome, traps }: VisitReport, brought: { lines: number; urls: number }): boolean {
  if (outcome.state !== 'visited') return false
  if (traps === null || brought.urls > 0 || brought.lines >= FRESH_LINES) return true
  return brought.lines > 0 && brought.lines >= traps.lines.length * FRESH_SHARE
}

/** `good`: pages that the crawl has visited, but for trials that brought nothing. */
export function judgePattern({ pattern, state, visits, fruitless }: PatternReport, good: number): PatternVerdict {
  if (state === 'capped') return { kind: 'exclude' }
  const fruitful = visits - fruitless
  const isProven = state === 'open' || (visits >= MIN_PROOF && fruitful * 2 >= visits)
  const leadsOn = visits >= MIN_TRIALS && fruitful * 4 >= visits
  if (state === 'released' || isProven || leadsOn) return { kind: 'let_in', links: ALL_LINKS, isProven }
  const left = trialAllowance(pattern, good) - fruitless
  return left <= 0 ? { kind: 'exclude' } : { kind: 'let_in', links: Math.min(MAX_TRIALS, left), isProven }
}

/** Combinations of parameters and ever deeper paths grow too fast for a long trial, and no small site consists of them. */
function trialAllowance(pattern: string, good: number): number {
  if (pattern.includes('?') || pattern.includes('/**/')) return MIN_ALLOWANCE
  return good < SMALL_SITE ? WHOLE_SITE : MIN_ALLOWANCE + Math.floor(good / GOOD_PER_TRIAL)
}
