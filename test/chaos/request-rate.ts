// Politeness and request rate as seen by the server.

import type { RequestRecord } from '../../src/demo/request-log.ts'
import { median } from '../testing/statistics.ts'
import type { ChaosCrawl } from './chaos-web.ts'

/**
 * Two requests sent one gap apart may arrive slightly closer on a busy machine. If two workers had a host at the same
 * time, or one forgot its last request, some pair would be closer than half a gap.
 */
const MIN_GAP_SHARE = 1 / 2
/** A delay of the server's own process is not the crawler's fault. */
const MAX_DELAY_SHARE = 1 / 4

export interface DelayMonitor {
  /** The maximum timer delay of this process around this time. */
  maxDelayMsAround(at: number): number
}

/** Returns one sentence per violation. */
export function findPolitenessViolations(
  requests: RequestRecord[],
  crawls: ChaosCrawl[],
  delayMonitor: DelayMonitor,
): string[] {
  const byHost = Map.groupBy(requests, (request) => request.host)
  const found: string[] = []
  for (const { placed, perHost, gapMs } of crawls) {
    for (const { origin } of placed) {
      const host = new URL(origin).host
      const own = byHost.get(host) ?? []
      for (const [i, { at, concurrency, path }] of own.entries()) {
        const before = own[i - 1]
        if (concurrency > perHost) found.push(`${host}: ${concurrency} at a time, at ${Math.round(at)} (${path})`)
        const gap = before === undefined ? Infinity : at - before.at
        if (gap < gapMs * MIN_GAP_SHARE && delayMonitor.maxDelayMsAround(at) < gapMs * MAX_DELAY_SHARE) {
          found.push(`${host}: ${Math.round(gap)} ms apart, at ${Math.round(at)} (${before?.path} then ${path})`)
        }
      }
    }
  }
  return found
}

const SECOND_MS = 1000

/** Requests in each whole second from the first request to the last. */
export function requestRates(requests: RequestRecord[]): { startedAt: number; perSecond: number[] } {
  const startedAt = requests[0]?.at ?? 0
  const seconds = Math.floor(((requests.at(-1)?.at ?? 0) - startedAt) / SECOND_MS)
  const perSecond = Array.from({ length: seconds }, () => 0)
  for (const { at } of requests) {
    const second = Math.floor((at - startedAt) / SECOND_MS)
    if (second < seconds) perSecond[second] = (perSecond[second] ?? 0) + 1
  }
  return { startedAt, perSecond }
}

/** How far the request rate falls below its usual value in the given seconds: 0 to 1. */
export function rateDropAfter(at: number, seconds: number, requests: RequestRecord[]): number {
  const { startedAt, perSecond } = requestRates(requests)
  const first = Math.max(0, Math.floor((at - startedAt) / SECOND_MS))
  const slice = perSecond.slice(first, first + seconds)
  const usual = median(perSecond)
  if (slice.length === 0 || usual === 0) return 0
  const mean = slice.reduce((sum, rate) => sum + rate, 0) / slice.length
  return Math.max(0, 1 - mean / usual)
}
