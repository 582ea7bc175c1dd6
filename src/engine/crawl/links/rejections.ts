// Counts rejected links by reason, with a few samples of each.

import { copyString } from '../../../lib/copy-string.ts'
import { MAX_REJECTED_SAMPLES, type RejectedLinkSample } from '../../../ports/frontier.ts'

const MAX_LENGTH = 200

export interface RejectedLink {
  reason: string
  /** The link as written in the page, of any length. */
  text: string
  pageUrl: string
}

export class Rejections {
  readonly #onSample: (link: RejectedLink) => void
  #counts: Record<string, number> = {}
  #samples: RejectedLinkSample[] = []
  readonly #sampled = new Map<string, number>()

  constructor(onSample: (link: RejectedLink) => void) {
    this.#onSample = onSample
  }

  count(reason: string, times = 1): void {
    if (times === 0) return
    this.#counts[reason] = (this.#counts[reason] ?? 0) + times
  }

  /** Counts the link, and keeps it as a sample while there are few. */
  countWithSample(reason: string, text: string, { urlId, pageUrl }: { urlId: number; pageUrl: string }): void {
    this.count(reason)
    const sampled = this.#sampled.get(reason) ?? 0
    if (sampled >= MAX_REJECTED_SAMPLES) return
    this.#sampled.set(reason, sampled + 1)
    this.#samples.push({ reason, text: copyString(text.slice(0, MAX_LENGTH)), urlId })
    this.#onSample({ reason, text, pageUrl })
  }

  takeCounts(): Record<string, number> {
    const counts = this.#counts
    this.#counts = {}
    return counts
  }

  takeSamples(): RejectedLinkSample[] {
    const samples = this.#samples
    this.#samples = []
    return samples
  }

  clear(): void {
    this.#counts = {}
    this.#samples = []
    this.#sampled.clear()
  }
}
