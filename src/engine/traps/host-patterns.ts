// The patterns of one host, bounded, and the host as a whole: when page after page brings nothing and no single pattern
// is to blame, because the site makes up a new one for each, the host itself is capped.

import type { PatternReport } from '../../ports/patterns.ts'
import { adopt, CAP, changeState, isContained, isProven, newPattern, type Pattern, punish, reward } from './pattern.ts'
import { type Shapes, WHOLE_HOST } from './shape.ts'

export interface PatternPair {
  fine: Pattern
  /** The same as the fine one for pages at the root of a site. */
  coarse: Pattern
}

const MAX_PATTERNS = 256
/** Points that one fine pattern can add to a run of its coarse one, so that it is never capped for one of them alone. */
const MOST_FROM_ONE = 8
/** A first folder may be the whole site, /en/ for example, so it takes more to cap one. */
const FOLDER_PATIENCE = 2
/** Good pages that double the patience with every pattern: a large site can afford more of a trap than a small one. */
const LARGE = 4096
const MAX_POOR_RUN = 50
/** Pages with something to say that keep a pattern open when its host is capped. */
const SOME_PROOF = 2
/** New patterns that count as a way on; one whose first page has content gives its place back. */
const CREDIT = 64
/** A pattern that is most of its host is the site itself. It is slowed, but capped only after so many poor pages. */
const MOST = 2 / 3
const MOST_OF_ALL = 8192
/** Where the patterns that are open have so many poor pages too, one is no worse than its site, and is capped so late. */
const POOR = 0.15
const MOST_AMONG_POOR = 128

export class HostPatterns {
  readonly whole: Pattern
  readonly #patterns = new Map<string, Pattern>()
  readonly #host: string
  readonly #onCapped: (pattern: Pattern) => void
  /** Patterns slowed or capped; while there are none every url is free. */
  #contained = 0
  #credit = CREDIT
  /** Poor pages in a row, of patterns that were open, and how often the coarse pattern changed among them. */
  #poorRun = 0
  #changes = 0
  #lastPoor = ''

  constructor(host: string, onCapped: (pattern: Pattern) => void) {
    this.#host = host
    this.#onCapped = onCapped
    this.whole = newPattern(host, WHOLE_HOST)
  }

  get size(): number {
    return this.#patterns.size
  }

  get isCalm(): boolean {
    return this.#contained === 0
  }

  find(shape: string): Pattern | undefined {
    return this.#patterns.get(shape)
  }

  open({ fine, coarse }: Shapes): PatternPair {
    const pattern = this.#open(fine)
    return { fine: pattern, coarse: coarse === fine ? pattern : this.#open(coarse) }
  }

  /** The pattern that keeps a url from being visited. */
  capOf(shapes: Shapes): Pattern | null {
    for (const pattern of this.#above(shapes)) if (pattern.state === 'capped') return pattern
    return null
  }

  isSuspect(shapes: Shapes): boolean {
    return this.#above(shapes).some(isContained)
  }

  /** The patterns that decide about a url. What is proven or released does not share the fate of what is around it. */
  #above({ fine, coarse }: Shapes): Pattern[] {
    const own = this.#patterns.get(fine)
    if (own !== undefined && (own.state === 'released' || isProven(own))) return [own]
    const wider = this.#patterns.get(coarse)
    if (wider?.state === 'released') return []
    const both = [own, wider].filter((pattern) => pattern !== undefined)
    return own !== undefined && isProven(own, SOME_PROOF) ? both : [...both, this.whole]
  }

  /** Whether a new url of this shape is a way on for the page that leads to it. */
  takeCredit(shapes: Shapes): boolean {
    if (this.isSuspect(shapes)) return false
    const known = this.#patterns.get(shapes.fine)
    if (known === undefined) {
      if (this.#credit === 0) return false
      this.#credit -= 1
    }
    const pattern = known ?? this.#open(shapes.fine)
    if (pattern.credit === 0) return false
    pattern.credit -= 1
    return true
  }

  returnCredit(): void {
    this.#credit = Math.min(CREDIT, this.#credit + 1)
  }

  reward({ fine, coarse }: PatternPair, isRich: boolean): void {
    this.#poorRun = 0
    this.#changes = 0
    this.#change(fine, () => reward(fine, isRich))
    if (coarse === fine) return
    this.#change(coarse, () => reward(coarse, isRich))
    if (coarse.points <= 0) coarse.run += 1
  }

  punish({ fine, coarse }: PatternPair, points: number): void {
    const wasOpen = !isContained(fine) && !isContained(coarse)
    this.#punish(fine, points)
    if (coarse !== fine) {
      const given = fine.run === coarse.run ? fine.given : 0
      const more = Math.min(points, MOST_FROM_ONE - given)
      fine.run = coarse.run
      fine.given = given + more
      this.#punish(coarse, more)
    }
    this.whole.fruitless += 1
    this.whole.newFruitless += 1
    if (!wasOpen) return
    this.#poorRun += 1
    if (coarse.shape !== this.#lastPoor) this.#changes += 1
    this.#lastPoor = coarse.shape
    if (this.#poorRun < MAX_POOR_RUN || this.#changes < 2) return
    this.#change(this.whole, () => this.#cap(this.whole))
  }

  adopt(shape: string, report: PatternReport): void {
    const pattern = shape === WHOLE_HOST ? this.whole : this.#open(shape)
    this.#change(pattern, () => adopt(pattern, report))
  }

  *contained(): Generator<Pattern> {
    if (isContained(this.whole)) yield this.whole
    for (const pattern of this.#patterns.values()) if (isContained(pattern)) yield pattern
  }

  #punish(pattern: Pattern, points: number): void {
    const larger = 1 + Math.min(1, (this.whole.visits - this.whole.fruitless) / LARGE)
    const patience = pattern.shape.endsWith('/**') ? larger * FOLDER_PATIENCE : larger
    this.#change(pattern, () => {
      punish(pattern, points, patience)
      if (pattern.points >= CAP * patience && this.#mayCap(pattern)) this.#cap(pattern)
    })
  }

  #cap(pattern: Pattern): void {
    if (changeState(pattern, 'capped')) this.#onCapped(pattern)
  }

  #mayCap(pattern: Pattern): boolean {
    if (pattern.visits > this.whole.visits * MOST) return pattern.fruitless >= MOST_OF_ALL
    let visits = 0
    let fruitless = 0
    for (const other of this.#patterns.values()) {
      if (other === pattern || isContained(other)) continue
      visits += other.visits
      fruitless += other.fruitless
    }
    return fruitless <= visits * POOR || pattern.fruitless >= MOST_AMONG_POOR
  }

  #change(pattern: Pattern, act: () => void): void {
    const was = isContained(pattern)
    act()
    if (isContained(pattern) !== was) this.#contained += was ? -1 : 1
  }

  #open(shape: string): Pattern {
    const known = this.#patterns.get(shape)
    // The map is in order of use: the first is the one longest unused.
    if (known !== undefined) this.#patterns.delete(shape)
    else if (this.#patterns.size >= MAX_PATTERNS) this.#forgetOne()
    const pattern = known ?? newPattern(this.#host, shape)
    this.#patterns.set(shape, pattern)
    return pattern
  }

  #forgetOne(): void {
    let victim: Pattern | undefined
    for (const pattern of this.#patterns.values()) {
      victim ??= pattern
      if (pattern.state !== 'open' || isProven(pattern)) continue
      victim = pattern
      break
    }
    if (victim === undefined) return
    if (isContained(victim)) this.#contained -= 1
    this.#patterns.delete(victim.shape)
  }
}
