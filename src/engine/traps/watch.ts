// Learned containment of spider traps, for one crawl thread. Urls are grouped by shape (shape.ts). A page is worth its
// fetch when it says something new on its host (novelty.ts) or leads somewhere else; a pattern whose pages are not is
// slowed, then capped (pattern.ts). It never reads the clock, holds bounded memory, and asks for the text of few pages.

import type { PatternReport } from '../../ports/patterns.ts'
import { addPathEcho, addQueryEcho, withoutPath } from './echo.ts'
import { HostPatterns, type PatternPair } from './host-patterns.ts'
import { measureNovelty } from './novelty.ts'
import { CREDIT, isProven, isWorthTelling, type Pattern, takeReport } from './pattern.ts'
import { type Shapes, shapesOf } from './shape.ts'
import { TextMemory } from './text-memory.ts'

interface FoundLink {
  url: string
  host: string
  isSuspect: boolean
}

export interface WatchedPage {
  url: string
  host: string
  /** Title and visible text, a line for each block; null when it was not wanted. */
  text: string | null
  /** Urls on this page that the thread had not seen before. */
  found: readonly FoundLink[]
}

const MAX_HOSTS = 2048
/** Over all hosts: 5 MB. */
const MAX_PATTERNS = 1 << 14
/** Hosts looked at for one that can be forgotten without loss. */
const MAX_TRIES = 16
/** Pages of a coarse pattern before their text is looked at, and of a host before that of every pattern is. */
const PATTERN_START = 1
const HOST_START = 32
/** One page in so many of a proven pattern is looked at, of one long proven, of a new one below a proven coarse one. */
const SAMPLE = 16
const SAMPLE_LONG_PROVEN = 128
const SAMPLE_NEW = 4
const LONG_PROOF = 64
/** New runs and lines that make content. */
const CONTENT = 2
/** Text shorter than this is no evidence against a page that leads nowhere: it may be a picture. */
const MIN_TEXT = 3
/** Urls of a page whose words are left out of its text. */
const MAX_ECHOES = 64

/** Points against a page that says nothing, and one that says next to nothing. */
const STRONG = 2
const WEAK = 0.25

export class TrapWatch {
  readonly #hosts = new Map<string, HostPatterns>()
  readonly #texts = new TextMemory()
  readonly #changed = new Set<Pattern>()
  readonly #onCapped: (pattern: Pattern) => void
  /** Patterns over all hosts. */
  #size = 0

  /** `onCapped` hears of every pattern that is capped here; those that the store tells of were found by others. */
  constructor(onCapped: (pattern: Pattern) => void = () => undefined) {
    this.#onCapped = onCapped
  }

  /** The pattern that keeps us from a url, or null. */
  judge(url: string, host: string): string | null {
    const known = this.#hosts.get(host)
    if (known === undefined || known.isCalm) return null
    const cap = known.capOf(shapesOf(url))
    return cap === null ? null : cap.host + cap.shape
  }

  /** Whether a url belongs to a pattern that brings little, so that it should come last. */
  isSuspect(url: string, host: string): boolean {
    const known = this.#hosts.get(host)
    return known !== undefined && !known.isCalm && known.isSuspect(shapesOf(url))
  }

  /** Whether `record` can make use of the text of a page that is about to be read. */
  wantsText(url: string, host: string): boolean {
    const known = this.#hosts.get(host)
    if (known === undefined || known.whole.visits < PATTERN_START) return false
    const shapes = shapesOf(url)
    const fine = known.find(shapes.fine)
    if (fine !== undefined && isProven(fine)) {
      return fine.visits % (isProven(fine, LONG_PROOF) ? SAMPLE_LONG_PROVEN : SAMPLE) === 0
    }
    const coarse = known.find(shapes.coarse)
    if (coarse === undefined || coarse.visits < PATTERN_START) return known.whole.visits >= HOST_START
    const isNew = fine === undefined || fine.visits < PATTERN_START
    return !(isNew && isProven(coarse)) || coarse.visits % SAMPLE_NEW === 0
  }

  /** A page that was visited. */
  record(page: WatchedPage): void {
    const host = this.#open(page.host)
    const sizeBefore = host.size
    this.#weigh(page, host)
    this.#grow(host.size - sizeBefore)
  }

  /** What was learnt since the last call, in counts since then. */
  takeReports(): PatternReport[] {
    const reports: PatternReport[] = []
    for (const pattern of this.#changed) if (isWorthTelling(pattern)) reports.push(takeReport(pattern))
    this.#changed.clear()
    return reports
  }

  /** What the store knows from all threads and from before a restart, in totals. */
  learn(reports: readonly PatternReport[]): void {
    for (const report of reports) {
      const pathAt = report.pattern.indexOf('/')
      const host = this.#open(report.pattern.slice(0, pathAt))
      const sizeBefore = host.size
      host.adopt(report.pattern.slice(pathAt), report)
      this.#grow(host.size - sizeBefore)
    }
  }

  /** After a report that did not count: says again what is slowed and capped. */
  startOver(): void {
    for (const host of this.#hosts.values()) {
      for (const pattern of host.contained()) {
        pattern.hasNewState = true
        this.#changed.add(pattern)
      }
    }
  }

  #weigh(page: WatchedPage, host: HostPatterns): void {
    const shapes = shapesOf(page.url)
    const pair = host.open(shapes)
    for (const pattern of new Set([host.whole, pair.fine, pair.coarse])) {
      pattern.visits += 1
      pattern.newVisits += 1
      if (pattern !== host.whole) this.#changed.add(pattern)
    }
    if (page.text === null) return
    const points = this.#pointsOf(page, page.text, pair, host)
    if (points === null) return
    if (points === 0 || this.#hasWay(page, shapes, host)) host.reward(pair, points === 0)
    else host.punish(pair, points)
    if (host.whole.hasNewState) this.#changed.add(host.whole)
  }

  /** Whether a page leads to other patterns that may be worth it. */
  #hasWay({ host, found }: WatchedPage, shapes: Shapes, patterns: HostPatterns): boolean {
    return found.some((link) => {
      if (link.isSuspect || !isElsewhere(link, host, shapes)) return false
      return link.host !== host || patterns.takeCredit(shapesOf(link.url))
    })
  }

  /**
   * What its text says against a page: 0 nothing, null unknown. A page that leads to urls of its own kind must have
   * content, for it may go on for ever; one that leads nowhere only has to differ.
   */
  #pointsOf(page: WatchedPage, text: string, pair: PatternPair, host: HostPatterns): number | null {
    const own = ownLinks(page, pair)
    const leadsOn = own.length > 0 || page.found.some((link) => !link.isSuspect)
    const echo = echoOf(page.url, leadsOn ? own : null)
    const rest = withoutPath(text, page.url)
    const novelty = this.#texts.with(page.host, (seen) => measureNovelty(rest, seen, echo))
    const { total, fresh, isNewPage, isNewWithNumbers } = novelty
    if (fresh >= CONTENT) renewCredit(host, pair)
    if (leadsOn) return fresh >= CONTENT ? 0 : fresh > 0 ? WEAK : STRONG
    if (fresh > 0) return 0
    // Nothing new, but not the same page again: a picture, say, whose caption was on the page before.
    if (isNewPage || total < MIN_TEXT) return null
    return isNewWithNumbers ? WEAK : STRONG
  }

  #open(host: string): HostPatterns {
    const known = this.#hosts.get(host)
    if (known !== undefined) this.#hosts.delete(host)
    else if (this.#hosts.size >= MAX_HOSTS) this.#forgetOne()
    const patterns = known ?? new HostPatterns(host, this.#onCapped)
    this.#hosts.set(host, patterns)
    return patterns
  }

  #grow(patterns: number): void {
    this.#size += patterns
    while (this.#size > MAX_PATTERNS) this.#forgetOne()
  }

  /** The host longest unvisited, but rather one without traps. */
  #forgetOne(): void {
    let victim: string | undefined
    let tries = 0
    for (const [host, patterns] of this.#hosts) {
      victim ??= host
      if (patterns.isCalm) victim = host
      if (patterns.isCalm || ++tries === MAX_TRIES) break
    }
    if (victim === undefined) return
    this.#size -= this.#hosts.get(victim)?.size ?? 0
    this.#hosts.delete(victim)
  }
}

/** Whether a link leads to neither of its page's own patterns. */
function isElsewhere(link: FoundLink, host: string, { fine, coarse }: Shapes): boolean {
  if (link.host !== host) return true
  const target = shapesOf(link.url)
  return target.fine !== fine && target.coarse !== coarse
}

function ownLinks({ host, found }: WatchedPage, { fine, coarse }: PatternPair): FoundLink[] {
  const shapes = { fine: fine.shape, coarse: coarse.shape }
  return found.filter((link) => !isElsewhere(link, host, shapes))
}

/** Words that a page has from urls: its query, and if it leads on, its path and the urls of its own kind. */
function echoOf(url: string, own: readonly FoundLink[] | null): Set<number> {
  const echo = new Set<number>()
  addQueryEcho(url, echo)
  if (own === null) return echo
  addPathEcho(url, echo)
  for (const link of own.slice(0, MAX_ECHOES)) {
    addPathEcho(link.url, echo)
    addQueryEcho(link.url, echo)
  }
  return echo
}

/** Content shows that a pattern is worth leading to. */
function renewCredit(host: HostPatterns, { fine, coarse }: PatternPair): void {
  if (fine.visits === 1) host.returnCredit()
  fine.credit = CREDIT
  coarse.credit = CREDIT
}
