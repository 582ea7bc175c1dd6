// A web in virtual time: pages by path, with a response time on a clock that the test advances. Records what a server
// would see.

import { setImmediate as turn } from 'node:timers/promises'
import { pageLimits } from '../../../src/engine/fetch/fetch-limits.ts'
import type { Fetcher, FetchProblem, FetchResult } from '../../../src/engine/fetch/fetch-result.ts'
import { EMPTY_RESPONSE } from '../../../src/engine/fetch/testing/empty-response.ts'
import type { Clock } from '../../../src/lib/clock.ts'
import type { ManualClock } from '../../../src/lib/testing/manual-clock.ts'

const MAX_BODY_BYTES = 10 * 1024 * 1024

export interface VirtualPage {
  status?: number
  problem?: FetchProblem
  links?: string[]
  /** Replaces the links. */
  body?: string
  contentType?: string
  retryAfter?: string
  robotsTag?: string
  /** Set for the problem `proxy_failed`. */
  proxyRetryAfterMs?: number
  latencyMs?: number
  /** If set, the server never responds, so the request times out. */
  isMute?: boolean
}

export class VirtualWeb implements Fetcher {
  readonly #clock: Clock
  readonly #respond: (url: string) => VirtualPage
  readonly requests: { url: string; host: string; at: number }[] = []
  readonly #inFlight = new Map<string, number>()
  readonly peakConcurrency = new Map<string, number>()
  readonly #addresses = new Map<string, string>()
  readonly #addressFor: (url: string) => string

  constructor(
    clock: Clock,
    response: (url: string) => VirtualPage,
    addressFor: (url: string) => string = (url) => new URL(url).host,
  ) {
    this.#addressFor = addressFor
    this.#clock = clock
    this.#respond = response
  }

  fetch(url: string, done: (result: FetchResult) => void, limits = pageLimits(MAX_BODY_BYTES)): void {
    const { host } = new URL(url)
    const response = this.#respond(url)
    const page: VirtualPage = response.isMute ? { ...response, problem: 'headers_timeout' } : response
    const fetchMs = response.isMute ? limits.headersTimeoutMs : (page.latencyMs ?? 20)
    this.requests.push({ url, host, at: this.#clock.now() })
    const underWay = (this.#inFlight.get(host) ?? 0) + 1
    this.#inFlight.set(host, underWay)
    this.peakConcurrency.set(host, Math.max(underWay, this.peakConcurrency.get(host) ?? 0))
    this.#clock.after(fetchMs, () => {
      this.#inFlight.set(host, (this.#inFlight.get(host) ?? 1) - 1)
      const result = toResult(page, fetchMs)
      if (result.kind === 'failure' && page.proxyRetryAfterMs !== undefined)
        result.proxyRetryAt = this.#clock.now() + page.proxyRetryAfterMs
      done(result)
    })
  }

  knownAddress(url: string): string | null {
    return this.#addresses.get(new URL(url).host) ?? null
  }

  resolveAddress(url: string, done: (address: string | null) => void): void {
    this.#clock.after(1, () => {
      this.#addresses.set(new URL(url).host, this.#addressFor(url))
      done(this.#addressFor(url))
    })
  }

  stopResending(): void {
    // This web never sends a request again, so there is nothing to stop.
  }

  countUnsent(): { dns: number; connect: number } {
    return { dns: 0, connect: 0 }
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  smallestGapMs(host: string): number {
    const times = this.requests.filter((request) => request.host === host).map(({ at }) => at)
    return times.reduce((gap, at, i) => Math.min(gap, at - (times[i - 1] ?? Number.NEGATIVE_INFINITY)), Infinity)
  }
}

function toResult(page: VirtualPage, fetchMs: number): FetchResult {
  const ip = null
  if (page.problem !== undefined) {
    return { kind: 'failure', problem: page.problem, detail: '', wireBytes: 0, fetchMs, ip, cname: null }
  }
  const body = Buffer.from(page.body ?? (page.links ?? []).map((link) => `<a href="${link}">x</a>`).join(''))
  const { status = 200, contentType = 'text/html', retryAfter = null, robotsTag = null } = page
  const times = { ttfbMs: fetchMs, fetchMs }
  return { ...EMPTY_RESPONSE, status, contentType, retryAfter, robotsTag, body, wireBytes: body.length, ip, ...times }
}

/** Advances the clock from timer to timer until the promise settles. */
export async function runInVirtualTime<T>(clock: ManualClock, promise: Promise<T>): Promise<T> {
  const state = { isSettled: false }
  const settle = () => {
    state.isSettled = true
  }
  promise.then(settle, settle)
  for (let step = 0; step < 100_000; step++) {
    await turn()
    if (state.isSettled) return promise
    const next = clock.nextAt()
    if (next === null) throw new Error('The promise is pending, but no timer is set.')
    clock.advance(next - clock.now())
  }
  throw new Error('The promise does not settle.')
}
