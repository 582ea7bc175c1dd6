// What the charts draw: the progress of a crawl as the server kept it, and then as this page sees it. The newest samples
// are kept as they come; older ones get sparser, so that hours fit in some hundred points. Only the crawls looked at last
// are kept; the server has those of the others.

import type { RouteResponse } from '../../../src/api/contract/routes.ts'
import { createStore, type Store } from '../page/store.ts'
import type { CrawlProgress, UrlState } from './api.ts'

type CrawlHistory = RouteResponse<'getHistory'>

export interface ProgressSample {
  /** Seconds since 1970, as the charts want it. */
  at: number
  pagesPerSecond: number
  bytesPerSecond: number
  inFlight: number
  states: Record<UrlState, number>
}

const MAX_SAMPLES = 1440
/** More than are ever shown at a time. */
const MAX_CRAWLS = 4
/** The server takes a sample every five. */
const MIN_SAMPLE_GAP_S = 3

/** The one looked at last is the last. */
const stores = new Map<string, Store<readonly ProgressSample[]>>()

export function getSampleStore(crawlId: string): Store<readonly ProgressSample[]> {
  const store = stores.get(crawlId) ?? createStore<readonly ProgressSample[]>([])
  stores.delete(crawlId)
  stores.set(crawlId, store)
  const [oldest = crawlId] = stores.keys()
  if (stores.size > MAX_CRAWLS) stores.delete(oldest)
  return store
}

export function addSample(progress: CrawlProgress, nowMs: number): void {
  const store = getSampleStore(progress.crawl_id)
  store.set(
    appendSample(
      store.get(),
      {
        at: nowMs / 1000,
        pagesPerSecond: progress.pages_per_second,
        bytesPerSecond: progress.bytes_per_second,
        inFlight: progress.in_flight,
        states: progress.states,
      },
      MAX_SAMPLES,
    ),
  )
}

/** What the server saw while this page did not look. Its times are told by the server's clock, which may be another. */
export function mergeHistory(history: CrawlHistory, nowMs: number): void {
  const store = getSampleStore(history.crawl_id)
  const aheadMs = nowMs - Date.parse(history.as_of)
  const before = history.samples.map((sample) => ({
    at: (Date.parse(sample.at) + aheadMs) / 1000,
    pagesPerSecond: sample.pages_per_second,
    bytesPerSecond: sample.bytes_per_second,
    inFlight: sample.in_flight,
    states: sample.states,
  }))
  store.set(fillGaps(store.get(), before))
}

/** Both in the order of time; of the others only those that tell of a time of which nothing is known. */
export function fillGaps<T extends { at: number }>(samples: readonly T[], others: readonly T[]): readonly T[] {
  const filled: T[] = []
  let next = 0
  for (const other of others) {
    for (let own = samples[next]; own !== undefined && own.at <= other.at; own = samples[next]) {
      filled.push(own)
      next += 1
    }
    const [before, after] = [samples[next - 1], samples[next]]
    const isNear = (own: T | undefined) => own !== undefined && Math.abs(own.at - other.at) < MIN_SAMPLE_GAP_S
    if (!isNear(before) && !isNear(after)) filled.push(other)
  }
  return [...filled, ...samples.slice(next)]
}

/** Adds at the end; past the bound every second one of the older half goes. */
export function appendSample<T extends { at: number }>(samples: readonly T[], next: T, most: number): readonly T[] {
  const last = samples.at(-1)
  if (last !== undefined && next.at <= last.at) return samples
  const all = [...samples, next]
  if (all.length <= most) return all
  const middle = Math.floor(all.length / 2)
  return all.filter((_, i) => i >= middle || i % 2 === 0)
}
