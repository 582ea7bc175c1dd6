// The samples behind the progress charts: the history from the server, then live progress. Older samples are thinned
// out, so hours fit into about a thousand points. Only the most recently viewed crawls stay in memory; the server has
// the history of the others.

import type { RouteResponse } from '../../../src/api/contract/routes.ts'
import { createStore, type Store } from '../page/store.ts'
import type { CrawlProgress, UrlState } from './api.ts'

type CrawlHistory = RouteResponse<'getHistory'>

export interface ProgressSample {
  /** Unix time in seconds, as the charts expect it. */
  at: number
  pagesPerSecond: number
  bytesPerSecond: number
  inFlight: number
  states: Record<UrlState, number>
}

const MAX_SAMPLES = 1440
/** More crawls than are ever shown at the same time. */
const MAX_CRAWLS = 4
/** The server takes a sample every five seconds. */
const MIN_SAMPLE_GAP_S = 3

/** Stores in order of use, most recent last. */
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

/** Adds samples from before the page was opened, converted from the server's clock to the browser's. */
export function mergeHistory(history: CrawlHistory, nowMs: number): void {
  const store = getSampleStore(history.crawl_id)
  const clockOffsetMs = nowMs - Date.parse(history.as_of)
  const samples = history.samples.map((sample) => ({
    at: (Date.parse(sample.at) + clockOffsetMs) / 1000,
    pagesPerSecond: sample.pages_per_second,
    bytesPerSecond: sample.bytes_per_second,
    inFlight: sample.in_flight,
    states: sample.states,
  }))
  store.set(fillGaps(store.get(), samples))
}

/** Merges two lists in order of time. A sample of `others` is dropped if `samples` has one close to it. */
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

/** Appends a sample. Past `maxSamples`, every other sample of the older half is dropped. */
export function appendSample<T extends { at: number }>(
  samples: readonly T[],
  next: T,
  maxSamples: number,
): readonly T[] {
  const last = samples.at(-1)
  if (last !== undefined && next.at <= last.at) return samples
  const all = [...samples, next]
  if (all.length <= maxSamples) return all
  const middle = Math.floor(all.length / 2)
  return all.filter((_, i) => i >= middle || i % 2 === 0)
}
