// Links that were not admitted: counted by reason, with a few of them as examples.

import { copyString } from '../../../lib/copy-string.ts'
import { MAX_REJECTED_SAMPLES, type RejectedLinkSample } from '../../../ports/frontier.ts'

const MAX_LENGTH = 200

export interface RejectedLink {
  reason: string
  /** As it stands in the page, however long. */
  text: string
  pageUrl: string
}

export class Rejections {
  readonly #onSample: (link: RejectedLink) => void
  #counts: Record<string, number> = {}
  #samples: RejectedLinkSample[] = []
  readonly #sampled = new Map<string, number>()

  /** `onKept` hears of every example. */
  constructor(onKept: (link: RejectedLink) => void) {
    this.#onSample = onKept
  }

  count(reason: string, times = 1): void {
    this.#counts[reason] = (this.#counts[reason] ?? 0) + times
  }

  /** Counts, and keeps the link as an example while there are few. */
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
