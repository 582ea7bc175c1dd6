// Spider traps: decides about the links that were held back because their URL pattern may be a trap, once nothing else of
// the crawl is left. One link is admitted on trial, then one of the links that its page holds, and so on: a path as far as
// it leads. A pattern is excluded if these visits find nothing new and still lead on after several generations: it grows
// from itself. If a path has ended, its links are finite, and more of them are admitted. The verdict depends on what was
// found, never on time (G12).
//
// Pages that hold links without being on trial are generation 0 of the pattern, the pages admitted from them generation 1,
// and so on. A trial of another pattern in between does not begin anew: two patterns may take turns in one trap.

import { toPathPattern } from '../lib/path-pattern.ts'
import { PATTERN_STATE, type PatternReport, type PatternState } from '../ports/patterns.ts'
import type { FoundUrl, VisitReport } from '../ports/visits.ts'

export type PatternVerdict = AdmitVerdict | { kind: 'exclude' }

interface AdmitVerdict {
  kind: 'admit'
  /** How many links now: some on trial, or all of a pattern that is proven or released. */
  links: number
  /**
   * The next step of a path: `links` is the number of links with the pattern, and that of others. Those with the pattern
   * show whether it grows, the others what its pages lead to.
   */
  isStep: boolean
  isProven: boolean
  /** Its links are visited even if another pattern has excluded them. */
  isFruitful: boolean
  /** The path of trials has ended, and the next one counts from this generation. */
  newBase?: number
}

/** A page on trial for a pattern. */
export interface PatternTrial {
  pattern: string
  generation: number
}

export interface HeldLink {
  link: FoundUrl
  /** Of the page that holds it. */
  generation: number
  /** Of the page that holds it, one per pattern, newest first. */
  trials: readonly PatternTrial[]
  /** The link itself has the shape of the pattern. */
  hasPattern: boolean
}

/** How far the trials of a pattern have come. */
export interface TrialProgress {
  /** Links admitted so far. */
  admitted: number
  /** The generation of the page that the first trial was admitted from, or where the last path ended. */
  base: number
  /** The latest generation that was visited. */
  latest: number
  /** The latest one with pages that lead to endless paths, which are not held. */
  endless: number
}

/** What a pattern is judged in view of. */
export interface PatternCircumstances {
  /** Some held links of the pattern that the crawl does not know: those of the latest generations. */
  unknown: readonly HeldLink[]
  /** The latest generation with pages that hold such links, also under other patterns. */
  latestHeld: number
  /** Pages visited, except fruitless trials. Sitemaps are not pages. */
  goodPages: number
}

const ALL_LINKS = Number.POSITIVE_INFINITY
export const NO_GENERATION = -1
export const NO_TRIALS: TrialProgress = {
  admitted: 0,
  base: NO_GENERATION,
  latest: NO_GENERATION,
  endless: NO_GENERATION,
}
/** Patterns whose trials a page remembers. */
const MAX_TRIALS_OF_PAGE = 8
/** Visits on trial before the share of fruitful ones means anything. */
const MIN_VISITS_TO_PROMISE = 4
/** Visits on trial that prove a pattern if half of them are fruitful. */
const MIN_VISITS_TO_PROVE = 8
/** Visits that follow one path, step by step. */
const FIRST_PATH = 8
/** If so many more links were admitted than counted as visits, they redirect or are blocked, and path by path takes too long. */
const MAX_UNCOUNTED = 16
/** After the first path, links admitted on trial at a time: this share of what is allowed. */
const ROUNDS = 8
const MAX_TRIALS = 64
/** Generations of pages that must lead to each other before their pattern is excluded. Source trees are rarely as deep. */
const MIN_GENERATIONS = 12
/** The same if the last ones lead to endless paths. */
const MIN_ENDLESS_GENERATIONS = 4
/** Links of a promising pattern admitted at a time, or as many as were visited; half as many after a path has ended. */
const MIN_LINKS = 8

/** Fruitless visits before a pattern is excluded. */
const MIN_ALLOWANCE = 8
/** Allows one more fruitless visit per this many good pages, since a larger site has more to lose. */
const GOOD_PAGES_PER_EXTRA_TRIAL = 100
/** A crawl with fewer good pages consists of the pattern. It may be a site of numbered pages. */
const SMALL_SITE = 50
/** Fruitless visits allowed on a small site. */
const SMALL_SITE_ALLOWANCE = 1000
/** Links with this many parameters combine filters, which have more combinations than a site has pages. */
const MIN_FILTERS = 4
/** The share of held links that must be such before that bound applies. */
const MIN_FILTER_SHARE = 0.25
/** Fruitless visits of such a pattern, even if it is finite. */
const MIN_FILTER_VISITS = 40
/** Allows one more per this many good pages. */
const GOOD_PAGES_PER_EXTRA_FILTER = 30

/** Lines of text new to the pattern that make a visit fruitful. */
const NEW_LINES = 2
/** The share of new lines that does the same for a page with few lines. */
const NEW_LINES_SHARE = 0.25

/** Whether a visit on trial found something: a document, new URLs or new text. */
export function isFruitfulTrial({ outcome, traps }: VisitReport, added: { lines: number; urls: number }): boolean {
  if (outcome.state !== 'visited') return false
  if (traps === null || added.urls > 0 || added.lines >= NEW_LINES) return true
  return added.lines > 0 && added.lines >= traps.lineHashes.length * NEW_LINES_SHARE
}

export function judgePattern(
  report: PatternReport,
  progress: TrialProgress,
  circumstances: PatternCircumstances,
): PatternVerdict {
  const { pattern, state, visits, fruitless } = report
  if (state === PATTERN_STATE.excluded) return { kind: 'exclude' }
  const fruitful = visits - fruitless
  const isProven = state === PATTERN_STATE.proven || (visits >= MIN_VISITS_TO_PROVE && fruitful * 2 >= visits)
  if (state === PATTERN_STATE.released || isProven) return { ...admit(ALL_LINKS), isProven, isFruitful: true }
  const isPromising = visits >= MIN_VISITS_TO_PROMISE && fruitful * 4 >= visits
  if (isPromising) return { ...admit(Math.max(MIN_LINKS, visits)), isFruitful: true }
  const left = trialAllowance(pattern, circumstances.goodPages) - fruitless
  if (left <= 0) return judgeGrowth(report, progress, circumstances)
  const links = Math.min(MAX_TRIALS, Math.ceil(left / ROUNDS))
  const uncounted = progress.admitted - visits
  if (uncounted >= MAX_UNCOUNTED) return admit(Math.max(links, uncounted >> 1))
  return visits < FIRST_PATH ? STEP : admit(links)
}

function judgeGrowth(
  { visits, fruitless }: PatternReport,
  { base, latest, endless }: TrialProgress,
  { unknown, latestHeld, goodPages }: PatternCircumstances,
): PatternVerdict {
  const latestLeading = Math.max(latestHeld, endless)
  if (latest > base && latestLeading >= latest) {
    const needed = endless >= latest ? MIN_ENDLESS_GENERATIONS : MIN_GENERATIONS
    return latest - base >= needed ? { kind: 'exclude' } : STEP
  }
  let links = Math.max(MIN_LINKS, Math.ceil(visits / 2))
  const filters = unknown.filter(({ link }) => combinesFilters(link)).length
  if (filters > 0 && filters >= unknown.length * MIN_FILTER_SHARE) {
    const left = MIN_FILTER_VISITS + Math.floor(goodPages / GOOD_PAGES_PER_EXTRA_FILTER) - fruitless
    if (left <= 0) return { kind: 'exclude' }
    links = Math.min(links, left)
  }
  // The latest visit was to a link of the page before it. Once all links of that page were visited, the path has ended.
  return latestLeading < latest - 1 ? { ...admit(links), newBase: latest } : admit(links)
}

/** By pattern: the latest generation with pages that hold these links, under this pattern or another one. */
export function latestHeldOf(held: readonly (HeldLink & { pattern: string })[]): Map<string, number> {
  const latest = new Map<string, number>()
  for (const { pattern, generation, trials } of held) {
    for (const trial of [{ pattern, generation }, ...trials]) {
      const known = latest.get(trial.pattern) ?? NO_GENERATION
      if (trial.generation > known) latest.set(trial.pattern, trial.generation)
    }
  }
  return latest
}

/** Of a page with these trials. */
export function generationIn(pattern: string, trials: readonly PatternTrial[]): number {
  return trials.find((trial) => trial.pattern === pattern)?.generation ?? 0
}

/** Of the pages that are admitted from a page with these trials. */
export function nextTrials(pattern: string, { generation, trials }: Pick<HeldLink, 'generation' | 'trials'>) {
  const others = trials.filter((trial) => trial.pattern !== pattern)
  return [{ pattern, generation: generation + 1 }, ...others].slice(0, MAX_TRIALS_OF_PAGE)
}

const STEP: AdmitVerdict = { kind: 'admit', links: 1, isStep: true, isProven: false, isFruitful: false }

function admit(links: number): AdmitVerdict {
  return { kind: 'admit', links, isStep: false, isProven: false, isFruitful: false }
}

function combinesFilters({ url }: FoundUrl): boolean {
  const queryAt = url.indexOf('?')
  return queryAt > 0 && url.slice(queryAt).split('&').length >= MIN_FILTERS
}

/**
 * Which of the held links to admit: as many as the verdict allows, besides those that the crawl knows. Links with the
 * pattern come first in `held`.
 */
export function chooseAdmitted<Held extends HeldLink>(
  { links, isStep }: Pick<AdmitVerdict, 'links' | 'isStep'>,
  held: readonly Held[],
  isKnown: (key: bigint) => boolean,
): Held[] {
  let [ofPattern, others] = [links, links]
  return held.filter(({ link: { key }, hasPattern }) => {
    const left = isStep && !hasPattern ? others : ofPattern
    if (left <= 0) return false
    if (isKnown(key)) return true
    if (isStep && !hasPattern) others -= 1
    else ofPattern -= 1
    return true
  })
}

/**
 * Whether held links of URLs that another pattern has excluded stay held: more trials may show that this pattern is
 * fruitful, and then they are visited.
 */
export function keepsTrapped(verdict: PatternVerdict, unknown: readonly HeldLink[]): boolean {
  return verdict.kind === 'admit' && unknown.length > 0
}

/** Query combinations grow too fast for a long trial, and no small site consists of them. */
function trialAllowance(pattern: string, goodPages: number): number {
  if (pattern.includes('?')) return MIN_ALLOWANCE
  return goodPages < SMALL_SITE
    ? SMALL_SITE_ALLOWANCE
    : MIN_ALLOWANCE + Math.floor(goodPages / GOOD_PAGES_PER_EXTRA_TRIAL)
}

export function stateAfterVerdict(verdict: PatternVerdict): PatternState {
  if (verdict.kind === 'exclude') return PATTERN_STATE.excluded
  return verdict.isProven ? PATTERN_STATE.proven : PATTERN_STATE.suspected
}

export function hasPattern({ host, url }: FoundUrl, pattern: string): boolean {
  return host + toPathPattern(url) === pattern
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
