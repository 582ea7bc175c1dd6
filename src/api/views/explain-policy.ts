// Explains the effect of policies on a host: its pace, its pages and its priority.

import { mergeDelay } from '../../config/policies/host-settings.ts'
import type { HostPolicy } from '../../config/policies/policy-table.ts'
import { formatTimeSpan } from '../../config/time-kinds.ts'
import type { CrawlSettings } from '../../ports/crawls.ts'

/** One sentence per field that has an effect. Empty if the crawl is as polite without the policy. */
export function describePolicy(policy: HostPolicy, settings: CrawlSettings): string[] {
  const { delayMs, perHost, rate, burst, maxPages, weight, recrawlMinMs, recrawlMaxMs, patterns } = policy
  const sentences: string[] = []
  const add = (pattern: string | undefined, text: string) => void sentences.push(`${text} (policy ${pattern ?? ''}).`)
  if (delayMs !== null && mergeDelay(settings.delayMs, delayMs) !== settings.delayMs)
    add(patterns.delayMs, `At least ${delayMs} ms between requests`)
  if (perHost !== null && perHost < settings.perHost) add(patterns.perHost, `At most ${perHost} requests at a time`)
  if (rate !== null) {
    const bursts = burst === null || burst === 1 ? '' : ` and ${burst} at once`
    add(patterns.rate, `At most ${rate} requests per second${bursts}`)
  }
  if (maxPages !== null) add(patterns.maxPages, `At most ${maxPages} pages`)
  if (weight !== null && weight !== 1) add(patterns.weight, `Its priority is multiplied by ${weight}`)
  if (settings.recrawl !== 'off') {
    if (recrawlMinMs !== null)
      add(patterns.recrawlMinMs, `Revisits after ${formatTimeSpan(recrawlMinMs)} at the earliest`)
    if (recrawlMaxMs !== null)
      add(patterns.recrawlMaxMs, `Revisits after ${formatTimeSpan(recrawlMaxMs)} at the latest`)
  }
  return sentences
}

/** Whether the policy makes the crawl slower at the host. */
export function slowsDown(policy: HostPolicy, settings: CrawlSettings): boolean {
  const { delayMs, perHost, rate } = policy
  const isLonger = mergeDelay(settings.delayMs, delayMs) !== settings.delayMs
  return isLonger || rate !== null || (perHost !== null && perHost < settings.perHost)
}
