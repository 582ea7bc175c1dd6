// Spider traps: decides about held links, whose URL pattern may be a trap, once the crawl has nothing else left to visit.
// One link is admitted on trial, then one of the links that its page holds, and so on, following the path as far as it
// leads. If these visits find nothing new and still lead on after several generations, the pattern grows from itself, and
// the links of this path are excluded. The links of other pages begin paths of their own, since a calendar that is empty
// from now on may have had events before. The whole pattern is excluded only after several endless paths. If a path ends,
// its links are finite, and more of them are admitted. The verdict depends on what was found, never on time (G12).
//
// Pages that hold links without being on trial are generation 0 of the pattern, the pages admitted from them generation 1,
// and so on. A trial of another pattern in between does not start over: two patterns may take turns in one trap.
//
// A pattern that was proven fruitful is held again where several pages in a row repeat each other (trap-detector.ts), and
// judged by what it finds from then on.

import { toPathPattern } from '../lib/path-pattern.ts'
import { PATTERN_STATE, type PatternReport, type PatternState } from '../ports/patterns.ts'
import type { FoundUrl } from '../ports/visits.ts'

export type PatternVerdict =
  /** Held links of pages after this generation. Final: all of them, and all that are held later. */
  | { kind: 'exclude'; after: number; isFinal: boolean }
  /**
   * The next step of a path: one link with the pattern, and one other. The first shows whether the pattern grows, the
   * second what its pages lead to.
   */
  | { kind: 'step'; newBase?: number }
  /** This many links on trial. With `newBase` a path of trials has ended, and the next one counts from there. */
  | { kind: 'try'; links: number; newBase?: number }
  /** The trials were fruitful: this many links, or all, even those that another pattern has excluded. */
  | { kind: 'follow'; links: number; isProven: boolean }

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
  /** Its URL is excluded with a trap. */
  isExcluded: boolean
}

/** Held links of a pattern, those of the latest generations. */
export interface HeldLinks<Held extends HeldLink = HeldLink> {
  pattern: string
  /** Those that the crawl does not know. Links with the pattern come first. */
  unknown: readonly Held[]
  /** The others, which may get a shorter path. */
  known: readonly Held[]
}

export const TRIAL_PHASES = ['trying', 'excluding', 'following', 'renewed'] as const
/**
 * `excluding`: a path was endless; held links of pages after `base` are excluded, then a new path begins.
 * `following`: the pattern is proven, and all links that it holds are admitted.
 * `renewed`: they were; a new path begins with the next links.
 */
export type TrialPhase = (typeof TRIAL_PHASES)[number]

/** Progress of the trials of a pattern. */
export interface TrialProgress {
  phase: TrialPhase
  /** Paths that were endless. */
  endlessPaths: number
  /** Visits and fruitless visits before the phase began; they do not count any more. */
  visitsBefore: number
  fruitlessBefore: number
  /** Links admitted so far. */
  admitted: number
  /** The generation of the page that the first trial was admitted from, or where the last path ended. */
  base: number
  /** The latest generation that was visited. */
  latest: number
  /** The latest fruitful generation of the path. */
  fruitful: number
  /** The latest one with pages that lead to endless paths, which are not held. */
  endless: number
}

/** What else a verdict depends on. */
export interface PatternContext {
  /** Held links that the crawl does not know. */
  unknown: readonly HeldLink[]
  /** The latest generation with pages that hold such links, also under other patterns. */
  latestHeld: number
  /** Pages visited, except fruitless trials. Sitemaps are not pages. */
  goodPages: number
}

const ALL_LINKS = Number.POSITIVE_INFINITY
/** As a number of endless paths. */
const NEVER_AGAIN = 1_000_000
export const NO_GENERATION = -1
export const NO_TRIALS: TrialProgress = {
  phase: 'trying',
  endlessPaths: 0,
  visitsBefore: 0,
  fruitlessBefore: 0,
  admitted: 0,
  base: NO_GENERATION,
  latest: NO_GENERATION,
  fruitful: NO_GENERATION,
  endless: NO_GENERATION,
}
const EXCLUDE_ALL: PatternVerdict = { kind: 'exclude', after: NO_GENERATION, isFinal: true }
/** Patterns whose trials a page remembers. */
const MAX_TRIALS_OF_PAGE = 8
/** Visits on trial before the share of fruitful ones means anything. */
const MIN_VISITS_TO_PROMISE = 4
/** Visits on trial that prove a pattern if half of them are fruitful. */
const MIN_VISITS_TO_PROVE = 8
/** Visits that follow one path, step by step. */
const FIRST_PATH = 8
/** Admitted links without a counted visit. Beyond this they are redirected or blocked, so more are tried at once. */
const MAX_UNCOUNTED = 16
/** After the first path, links admitted on trial at a time: this share of what is allowed. */
const ROUNDS = 8
const MAX_TRIALS = 64
/** Generations of pages that must lead to each other before their pattern is excluded. Source trees are rarely as deep. */
const MIN_GENERATIONS = 12
/** The same of a pattern that was proven fruitful before: a gap in its content may be longer. */
const MIN_PROVEN_GENERATIONS = 24
/** Generations of a path that may have something new now and then, but less than in a quarter of its visits. */
const MAX_GENERATIONS = 10 * MIN_GENERATIONS
/** Minimum generations of a path if the last ones lead to endless paths. */
const MIN_ENDLESS_GENERATIONS = 4
/** Endless paths after which a pattern is excluded as a whole; one more per GOOD_PAGES_PER_EXTRA_PATH. */
const MAX_ENDLESS_PATHS = 2
const GOOD_PAGES_PER_EXTRA_PATH = 1000
/** Numbers and dates lead back and forth, and either way may have content behind a gap. Names have no other way. */
const DIRECTIONS_OF_NUMBERS = 2
/** Paths after these are excluded sooner: fruitless visits (after the first path), and generations. */
const LATER_ALLOWANCE = 4
const MIN_LATER_GENERATIONS = 4
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
/** The share of held links that must combine filters before the bound for filters applies. */
const MIN_FILTER_SHARE = 0.25
/** Fruitless visits of such a pattern, even if it is finite. */
const MIN_FILTER_VISITS = 40
/** Allows one more per this many good pages. */
const GOOD_PAGES_PER_EXTRA_FILTER = 30

export function judgePattern(report: PatternReport, progress: TrialProgress, context: PatternContext): PatternVerdict {
  const { pattern, state } = report
  const { phase, endlessPaths } = progress
  const { unknown, goodPages } = context
  if (state === PATTERN_STATE.released) return { kind: 'follow', links: ALL_LINKS, isProven: false }
  if (endlessPaths >= MAX_ENDLESS_PATHS + Math.floor(goodPages / GOOD_PAGES_PER_EXTRA_PATH)) return EXCLUDE_ALL
  if (phase === 'following') return { kind: 'follow', links: ALL_LINKS, isProven: true }
  const lastUseful = lastUsefulGeneration(progress)
  if (phase === 'excluding' && unknown.some(({ generation }) => generation > lastUseful))
    return { kind: 'exclude', after: lastUseful, isFinal: false }
  if (phase !== 'trying') return { kind: 'step', newBase: Math.max(0, ...unknown.map(({ generation }) => generation)) }
  const visits = report.visits - progress.visitsBefore
  const fruitless = report.fruitless - progress.fruitlessBefore
  const fruitful = visits - fruitless
  if (visits >= MIN_VISITS_TO_PROVE && fruitful * 2 >= visits)
    return { kind: 'follow', links: ALL_LINKS, isProven: true }
  const isPromising = visits >= MIN_VISITS_TO_PROMISE && fruitful * 4 >= visits
  if (isPromising) return { kind: 'follow', links: Math.max(MIN_LINKS, visits), isProven: false }
  const allowance = endlessPaths === 0 ? trialAllowance(pattern, goodPages) : LATER_ALLOWANCE
  const left = allowance - fruitless
  if (left <= 0) return judgeGrowth({ pattern, state, visits, fruitless }, progress, context)
  const links = Math.min(MAX_TRIALS, Math.ceil(left / ROUNDS))
  const uncounted = progress.admitted - report.visits
  if (uncounted >= MAX_UNCOUNTED) return { kind: 'try', links: Math.max(links, uncounted >> 1) }
  return visits < FIRST_PATH ? { kind: 'step' } : { kind: 'try', links }
}

function judgeGrowth(
  { pattern, state, visits, fruitless }: PatternReport,
  progress: TrialProgress,
  { unknown, latestHeld, goodPages }: PatternContext,
): PatternVerdict {
  const { base, latest, endless, endlessPaths } = progress
  const latestLeading = Math.max(latestHeld, endless)
  if (latest > base && latestLeading >= latest) {
    const ofSuspected =
      endlessPaths < directionsOf(pattern, progress, unknown) ? MIN_GENERATIONS : MIN_LATER_GENERATIONS
    const generations = state === PATTERN_STATE.proven ? MIN_PROVEN_GENERATIONS : ofSuspected
    const needed = endless >= latest ? MIN_ENDLESS_GENERATIONS : generations
    const lastUseful = lastUsefulGeneration(progress)
    const isEndless = latest - lastUseful >= needed || latest - base >= MAX_GENERATIONS
    return isEndless ? { kind: 'exclude', after: lastUseful, isFinal: false } : { kind: 'step' }
  }
  let links = Math.max(MIN_LINKS, Math.ceil(visits / 2))
  const filters = unknown.filter(({ link }) => combinesFilters(link)).length
  if (filters > 0 && filters >= unknown.length * MIN_FILTER_SHARE) {
    const filtersLeft = MIN_FILTER_VISITS + Math.floor(goodPages / GOOD_PAGES_PER_EXTRA_FILTER) - fruitless
    if (filtersLeft <= 0) return EXCLUDE_ALL
    links = Math.min(links, filtersLeft)
  }
  // The latest visit was to a link of the page before it. Once all links of that page were visited, the path has ended.
  return latestLeading < latest - 1 ? { kind: 'try', links, newBase: latest } : { kind: 'try', links }
}

/** The generation of the path after which nothing was found. */
function lastUsefulGeneration({ base, fruitful }: TrialProgress): number {
  return Math.max(base, fruitful)
}

/** The numbers of a query are not part of its pattern. The N of a name such as News is followed by a letter. */
const HAS_NUMBERS = /\?|N(?![A-Za-z])/

/** Months lead to the one before and the one after. A page that leads to many more of its pattern is no calendar. */
function directionsOf(pattern: string, { base, latest }: TrialProgress, unknown: readonly HeldLink[]): number {
  const links = unknown.filter((held) => held.hasPattern).length
  return HAS_NUMBERS.test(pattern) && links <= latest - base ? DIRECTIONS_OF_NUMBERS : 1
}

/** What begins with a verdict; null if the trials go on as before. `hasMore`: unknown links than were judged. */
export function nextPhase(
  verdict: PatternVerdict,
  { phase, endlessPaths }: TrialProgress,
  hasMore: boolean,
): { phase: TrialPhase; endlessPaths: number } | null {
  if (verdict.kind === 'exclude' && phase !== 'excluding')
    return { phase: 'excluding', endlessPaths: verdict.isFinal ? NEVER_AGAIN : endlessPaths + 1 }
  if (verdict.kind === 'follow' && verdict.isProven) return { phase: hasMore ? 'following' : 'renewed', endlessPaths }
  return null
}

/** By pattern: the latest generation with pages that hold unknown links, under this pattern or another one. */
export function latestHeldOf(heldLinks: readonly HeldLinks[]): Map<string, number> {
  const latest = new Map<string, number>()
  for (const { pattern, unknown } of heldLinks) {
    for (const { generation, trials } of unknown) {
      for (const trial of [{ pattern, generation }, ...trials]) {
        const known = latest.get(trial.pattern) ?? NO_GENERATION
        if (trial.generation > known) latest.set(trial.pattern, trial.generation)
      }
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

function combinesFilters({ url }: FoundUrl): boolean {
  const queryAt = url.indexOf('?')
  return queryAt > 0 && url.slice(queryAt).split('&').length >= MIN_FILTERS
}

export interface ChosenLinks<Held> {
  /** On trial from now on. Those of fruitful patterns are requeued if they are excluded. */
  admitted: (Held & { isFruitful: boolean })[]
  excluded: Held[]
  /** The crawl knows them, and they may get a shorter path. */
  known: Held[]
}

/**
 * Which links the verdicts admit and exclude; the others stay held. A link that several patterns hold is admitted if one
 * of them admits it. One that another pattern excludes now stays with that until the next time, when its URL is known.
 */
export function chooseLinks<Held extends HeldLink>(
  judged: readonly (HeldLinks<Held> & { verdict: PatternVerdict })[],
): ChosenLinks<Held> {
  const chosen: ChosenLinks<Held> = { admitted: [], excluded: [], known: [] }
  const admittedKeys = new Set<bigint>()
  for (const { verdict, known, unknown } of judged) {
    if (verdict.kind === 'exclude') continue
    const isFruitful = verdict.kind === 'follow'
    const links = nextLinks(verdict, unknown, admittedKeys)
    for (const { link } of links) admittedKeys.add(link.key)
    for (const held of isFruitful ? [...known, ...links] : links) chosen.admitted.push({ ...held, isFruitful })
  }
  for (const { verdict, known, unknown } of judged) {
    if (verdict.kind === 'follow') continue
    const isExcluded = ({ generation }: Held) => verdict.kind === 'exclude' && generation > verdict.after
    chosen.excluded.push(...unknown.filter((held) => isExcluded(held) && !admittedKeys.has(held.link.key)))
    // More trials may show that this pattern is fruitful. Then its links are followed even if another one excluded them.
    const mayBeFollowed = unknown.some((held) => !isExcluded(held))
    chosen.known.push(...known.filter((held) => !(mayBeFollowed && held.isExcluded)))
  }
  return chosen
}

/** As many as the verdict admits, besides those that other patterns admit. */
function nextLinks<Held extends HeldLink>(
  verdict: Exclude<PatternVerdict, { kind: 'exclude' }>,
  unknown: readonly Held[],
  admittedKeys: ReadonlySet<bigint>,
): Held[] {
  const isStep = verdict.kind === 'step'
  let ofPattern = isStep ? 1 : verdict.links
  let others = 1
  return unknown.filter(({ link: { key }, hasPattern }) => {
    const isOther = isStep && !hasPattern
    if ((isOther ? others : ofPattern) <= 0) return false
    if (admittedKeys.has(key)) return true
    if (isOther) others -= 1
    else ofPattern -= 1
    return true
  })
}

/** Query combinations grow too fast for a long trial, and no small site consists of them. */
function trialAllowance(pattern: string, goodPages: number): number {
  if (pattern.includes('?')) return MIN_ALLOWANCE
  return goodPages < SMALL_SITE
    ? SMALL_SITE_ALLOWANCE
    : MIN_ALLOWANCE + Math.floor(goodPages / GOOD_PAGES_PER_EXTRA_TRIAL)
}

/** A proven pattern stays proven, whatever of it is excluded later. */
export function stateAfterVerdict(verdict: PatternVerdict, before: PatternState): PatternState {
  if (before === PATTERN_STATE.released || before === PATTERN_STATE.proven) return before
  if (verdict.kind === 'exclude') return PATTERN_STATE.excluded
  return verdict.kind === 'follow' && verdict.isProven ? PATTERN_STATE.proven : before
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
