// Selects the pages that `--render auto` renders, learned by URL pattern from samples: pages that are rendered to see
// whether they gain links or text. The samples of a pattern are its pages with the lowest hashes among the pages seen
// so far that show a sign of gain. So the pages with the lowest hashes of all are samples in every run and in every
// thread, whatever the order of visits, and a pattern of n pages has about log n samples. There is one instance per
// crawl and thread; the store shares the patterns that gain.

import { type Completeness, MAX_RENDER_PATTERNS, renderPatternOf } from '../../../ports/render-patterns.ts'
import { hashUrl } from '../../url/url-key.ts'

/** Pages with the lowest hashes, by pattern. */
const LOWEST = 2
/** Pages that look empty are rendered until this many of their pattern gained nothing. */
const MAX_BARREN = 8
/** Patterns seen; the samples are taken again beyond. */
const MAX_PATTERNS = 10_000

interface PatternSamples {
  lowest: number[]
  /** Pages that were rendered and gained nothing. */
  barren: number
  /** A sample is being rendered. */
  isBusy: boolean
  /** Samples that wait for their turn. False: others have lower hashes now. */
  waiting: { hash: number; resolve: (isTurn: boolean) => void }[]
}

export type RenderChoice = 'plain' | 'render' | 'sample'

export interface CandidatePage {
  url: string
  completeness: Completeness
  /** Whether the page has scripts that may change it. Called only if it matters. */
  hasScripts: () => boolean
  /** Whether the page shows a sign that its scripts change it. Called only if it matters. */
  mayGain: () => boolean
}

export class RenderSamples {
  readonly #gaining = new Set<string>()
  readonly #samples = new Map<string, PatternSamples>()
  readonly #hash = { hi: 0, lo: 0 }
  #storedCount = 0

  /** `sample`: the page is used as received, unless it gains. Null: the page has no scripts, so there is nothing to learn. */
  choose({ url, completeness, hasScripts, mayGain }: CandidatePage): RenderChoice | null {
    const pattern = renderPatternOf(url, completeness)
    if (this.#gaining.has(pattern)) return hasScripts() ? 'render' : null
    if (this.#gaining.size >= MAX_RENDER_PATTERNS) return completeness === 'empty' ? 'render' : 'plain'
    const samples = this.#samples.get(pattern)
    if (completeness === 'empty' && (samples?.barren ?? 0) < MAX_BARREN) return 'render'
    hashUrl(url, 0, this.#hash)
    if (!isAmongLowest(samples, this.#hash.hi) || !mayGain()) return 'plain'
    this.#addSample(pattern, this.#hash.hi)
    return completeness === 'empty' ? 'render' : 'sample'
  }

  /**
   * Samples of a pattern are rendered one after another. While one waits, many pages are visited, so most waiting samples
   * are replaced by pages with lower hashes and need not be rendered: false.
   */
  async takeTurn(url: string): Promise<boolean> {
    const samples = this.#samples.get(renderPatternOf(url, 'complete'))
    if (samples === undefined) return true
    if (samples.isBusy) {
      hashUrl(url, 0, this.#hash)
      const { hi: hash } = this.#hash
      return new Promise((resolve) => samples.waiting.push({ hash, resolve }))
    }
    samples.isBusy = true
    return true
  }

  endTurn(url: string): void {
    const samples = this.#samples.get(renderPatternOf(url, 'complete'))
    if (samples === undefined) return
    const next = samples.waiting.shift()
    samples.isBusy = next !== undefined
    next?.resolve(true)
  }

  isGaining(url: string): boolean {
    if (this.#gaining.size === 0) return false
    return this.#gaining.has(renderPatternOf(url, 'complete')) || this.#gaining.has(renderPatternOf(url, 'empty'))
  }

  /** Returns the pattern of a page that gained, if it is new. */
  noteResult(url: string, completeness: Completeness, hasGained: boolean): string | null {
    const pattern = renderPatternOf(url, completeness)
    if (this.#gaining.has(pattern)) return null
    if (!hasGained) {
      this.#samplesOf(pattern).barren += 1
      return null
    }
    if (this.#gaining.size >= MAX_RENDER_PATTERNS) return null
    this.#gaining.add(pattern)
    this.#drop(pattern)
    return pattern
  }

  /** Number of patterns that the store is known to have. */
  get storedCount(): number {
    return this.#storedCount
  }

  /** `patterns`: all that the store has. This thread may know more, which are reported but not committed. */
  learn(patterns: readonly string[]): void {
    this.#storedCount = patterns.length
    for (const pattern of patterns) this.#gaining.add(pattern)
  }

  /** Forgets reported patterns. Called when reports may have been rejected. */
  reset(): void {
    this.#storedCount = 0
    this.#gaining.clear()
  }

  #addSample(pattern: string, hash: number): void {
    const samples = this.#samplesOf(pattern)
    // A page that is retried is in it already.
    if (samples.lowest.includes(hash)) return
    samples.lowest = [...samples.lowest, hash].sort((a, b) => a - b).slice(0, LOWEST)
    const isOutdone = (waiting: { hash: number }) => !samples.lowest.includes(waiting.hash)
    for (const { resolve } of samples.waiting.filter(isOutdone)) resolve(false)
    samples.waiting = samples.waiting.filter((waiting) => !isOutdone(waiting))
  }

  #drop(pattern: string): void {
    for (const { resolve } of this.#samples.get(pattern)?.waiting ?? []) resolve(true)
    this.#samples.delete(pattern)
  }

  #samplesOf(pattern: string): PatternSamples {
    const known = this.#samples.get(pattern)
    if (known !== undefined) return known
    if (this.#samples.size >= MAX_PATTERNS) for (const other of this.#samples.keys()) this.#drop(other)
    const samples: PatternSamples = { lowest: [], barren: 0, isBusy: false, waiting: [] }
    this.#samples.set(pattern, samples)
    return samples
  }
}

function isAmongLowest(samples: PatternSamples | undefined, hash: number): boolean {
  if (samples === undefined || samples.lowest.length < LOWEST) return true
  return hash <= (samples.lowest.at(-1) ?? 0)
}
