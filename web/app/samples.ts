// What the charts draw: the progress of a crawl over the time that this page has watched it. The newest samples are
// kept as they come; older ones get sparser, so that hours fit in a few hundred points.

import type { CrawlProgress, UrlState } from './api.ts'
import { createStore, type Store } from './store.ts'

export interface Sample {
  /** Seconds since 1970, as the charts want it. */
  at: number
  pagesPerSecond: number
  bytesPerSecond: number
  inFlight: number
  states: Record<UrlState, number>
}

const MOST = 720

const stores = new Map<string, Store<readonly Sample[]>>()

export function samplesOf(crawlId: string): Store<readonly Sample[]> {
  const known = stores.get(crawlId)
  if (known !== undefined) return known
  const store = createStore<readonly Sample[]>([])
  stores.set(crawlId, store)
  return store
}

export function noteSample(progress: CrawlProgress, nowMs: number): void {
  const store = samplesOf(progress.crawl_id)
  store.set(
    withSample(
      store.get(),
      {
        at: nowMs / 1000,
        pagesPerSecond: progress.pages_per_second,
        bytesPerSecond: progress.bytes_per_second,
        inFlight: progress.in_flight,
        states: progress.states,
      },
      MOST,
    ),
  )
}

/** Adds at the end; past the bound every second one of the older half goes. */
export function withSample<T extends { at: number }>(samples: readonly T[], next: T, most: number): readonly T[] {
  const last = samples.at(-1)
  if (last !== undefined && next.at <= last.at) return samples
  const all = [...samples, next]
  if (all.length <= most) return all
  const middle = Math.floor(all.length / 2)
  return all.filter((_, i) => i >= middle || i % 2 === 0)
}
