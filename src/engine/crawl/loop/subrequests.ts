// Requests that rendered pages make to the hosts that this thread has leased. They go before the URLs of their host; like
// them, they take a slot and keep the gap. Requests to other hosts wait for the throttle alone: the renderer keeps their
// gaps (src/render/pool), since all threads of the process share it.

import type { Clock } from '../../../lib/clock.ts'
import type { Validators } from '../../../ports/leases.ts'
import type { PageLimitsCache } from '../../fetch/fetch-limits.ts'
import type { Fetcher, FetchResult, RequestDeadline } from '../../fetch/fetch-result.ts'
import type { RequestHeaders } from '../../fetch/headers.ts'
import type { LeasedHost } from '../hosts/leased-host.ts'
import type { CommitBuffer } from '../report/commit-buffer.ts'
import { type RequestCounts, UNSENT_PROBLEMS } from '../report/request-counts.ts'
import type { LeasedHosts } from './leased-hosts.ts'
import type { RequestSlots } from './request-slots.ts'
import type { ResponseHandler } from './response-handler.ts'

export interface SubrequestDependencies {
  fetcher: Fetcher
  limits: { pages: PageLimitsCache }
  slots: RequestSlots
  responses: ResponseHandler
  leasedHosts: LeasedHosts
  commitBuffer: CommitBuffer
  requestCounts: RequestCounts
  clock: Clock
}

/** While the limit of a server address is reached, which requests to other hosts may end. */
const ADDRESS_CHECK_MS = 50

/** Called with null if the request was dropped before it ended. */
type Done = (result: FetchResult | null) => void

export interface WantedSubrequest {
  host: string
  url: string
  /** The request goes to the host of the page, so it is sent under the lease of the host or not at all. */
  isOwnHost: boolean
  validators: Validators | null
  /** Headers of the page's request, as far as they are passed on. */
  headers: RequestHeaders
  /** Whether the page that made the request is still open. */
  isWanted: () => boolean
}

interface Subrequest extends Omit<WantedSubrequest, 'host'> {
  done: Done
}

/** A request to a host that is not leased, before it starts. */
interface UnleasedRequest {
  url: string
  isWanted: () => boolean
  /** Called with a function that the caller calls at the end of the request, or with null if it is no longer wanted. */
  done: (end: (() => void) | null) => void
}

export class Subrequests {
  readonly #dependencies: SubrequestDependencies
  readonly #onSlotFreed: (host: LeasedHost | null) => void
  readonly #waiting = new Map<LeasedHost, Subrequest[]>()
  readonly #waitingForThrottle: UnleasedRequest[] = []
  /** Incremented when everything is dropped. Requests of an earlier epoch are aborted. */
  #epoch = 0

  constructor(dependencies: SubrequestDependencies, onSlotFreed: (host: LeasedHost | null) => void) {
    this.#dependencies = dependencies
    this.#onSlotFreed = onSlotFreed
  }

  get hasWaiting(): boolean {
    return this.#waiting.size > 0
  }

  /** Changes when everything is dropped: requests opened before that may not be sent any more. */
  get epoch(): number {
    return this.#epoch
  }

  /**
   * Deadline of a request that starts now: its lease lapses when everything is dropped. Without a host, it has no
   * lease.
   */
  deadline(host: RequestDeadline | null): RequestDeadline {
    const epoch = this.#epoch
    const isDropped = () => epoch !== this.#epoch
    return {
      get endDeadline() {
        return isDropped() ? 0 : (host?.endDeadline ?? Number.POSITIVE_INFINITY)
      },
      takeTurn: (now) => host?.takeTurn?.(now) ?? now,
    }
  }

  /** Resolves to null if the requests are dropped, or the host of the page is no longer leased. */
  fetch({ host: hostName, ...wanted }: WantedSubrequest): Promise<FetchResult | null> {
    const { promise, resolve: done } = Promise.withResolvers<FetchResult | null>()
    const host = this.#dependencies.leasedHosts.find(hostName)
    if (host === undefined) void this.#fetchElsewhere({ ...wanted, done })
    else {
      this.#waiting.set(host, [...(this.#waiting.get(host) ?? []), { ...wanted, done }])
      this.#onSlotFreed(host)
    }
    return promise
  }

  /** Waits for the throttle, for a request to a host that is not leased. */
  waitForThrottle(url: string, isWanted: () => boolean): Promise<(() => void) | null> {
    const { promise, resolve: done } = Promise.withResolvers<(() => void) | null>()
    this.#waitingForThrottle.push({ url, isWanted, done })
    // Deferred, since the caller may be starting requests.
    queueMicrotask(() => this.#onSlotFreed(null))
    return promise
  }

  /** Starts the requests that the slots, the gap and the throttle allow. Returns when the next one can start. */
  start(now: number): number {
    let wakeAt = this.#startUnleased(now)
    for (const host of this.#waiting.keys()) wakeAt = Math.min(wakeAt, this.startAt(host, now))
    return wakeAt
  }

  #startUnleased(now: number): number {
    const { fetcher, slots, clock } = this.#dependencies
    const { throttle } = slots
    let wakeAt = Number.POSITIVE_INFINITY
    for (const request of this.#waitingForThrottle.splice(0)) {
      const address = fetcher.knownAddress(request.url)
      const nextAt = throttle.nextAt
      if (!request.isWanted()) request.done(null)
      else if (nextAt <= now && throttle.hasRoomFor(address)) {
        throttle.beginRequest(address, clock.now())
        request.done(() => throttle.endRequest(address))
      } else {
        this.#waitingForThrottle.push(request)
        wakeAt = Math.min(wakeAt, nextAt > now ? nextAt : now + ADDRESS_CHECK_MS)
      }
    }
    return wakeAt
  }

  startAt(host: LeasedHost, now: number): number {
    const { slots, leasedHosts } = this.#dependencies
    const waiting = this.#waiting.get(host)
    if (waiting === undefined) return Number.POSITIVE_INFINITY
    if (host.isFenced || host.isDown(now)) for (const { done } of waiting.splice(0)) done(null)
    // Released in the meantime.
    else if (!leasedHosts.has(host.lease.token))
      for (const subrequest of waiting.splice(0)) void this.#fetchElsewhere(subrequest)
    while (host.canStartSubrequest(now) && slots.throttle.nextAt <= now && slots.throttle.hasRoomFor(host.address)) {
      const next = waiting.shift()
      if (next === undefined) break
      if (next.isWanted()) this.#fetchFrom(host, next)
      else next.done(null)
    }
    if (waiting.length > 0) return this.#nextStart(host, now)
    this.#waiting.delete(host)
    return Number.POSITIVE_INFINITY
  }

  /** Infinity if that does not depend on time: the end of a request, or of the renewal of a lease, is an event. */
  #nextStart(host: LeasedHost, now: number): number {
    const { throttle } = this.#dependencies.slots
    const nextAt = Math.max(host.nextAt, throttle.nextAt)
    if (nextAt > now) return nextAt
    return throttle.hasRoomFor(host.address) ? Number.POSITIVE_INFINITY : now + ADDRESS_CHECK_MS
  }

  /** Ends all requests without a result. Requests in flight are aborted. */
  drop(): void {
    this.#epoch += 1
    for (const waiting of this.#waiting.values()) for (const { done } of waiting) done(null)
    this.#waiting.clear()
    for (const { done } of this.#waitingForThrottle.splice(0)) done(null)
  }

  #fetchFrom(host: LeasedHost, { url, validators, headers, done }: Subrequest): void {
    const { fetcher, limits, slots, responses } = this.#dependencies
    const { end, ...started } = slots.beginSubrequest(host, url)
    const epoch = this.#epoch
    const isDropped = () => epoch !== this.#epoch
    const finish = (result: FetchResult) => {
      end()
      done(isDropped() ? null : result)
      if (slots.isClosed) return
      responses.updateHost(host, { ...started, attempts: 0, postponements: 0 }, result)
      this.#record(host.lease.host, result)
      if (host.isFenced) responses.releaseFenced(host)
      else this.#onSlotFreed(host)
    }
    fetcher.fetch(url, finish, limits.pages.for(host.expectationFor(url)), this.deadline(host), validators, headers)
  }

  async #fetchElsewhere({ url, isOwnHost, validators, headers, isWanted, done }: Subrequest): Promise<void> {
    const { fetcher, slots } = this.#dependencies
    const epoch = this.#epoch
    const end = isOwnHost ? null : await this.waitForThrottle(url, isWanted)
    if (end === null || !isWanted()) {
      end?.()
      return done(null)
    }
    const isDropped = () => epoch !== this.#epoch
    const finish = (result: FetchResult) => {
      end()
      done(isDropped() ? null : result)
      if (!slots.isClosed) this.#record(new URL(url).host, result)
    }
    fetcher.fetch(url, finish, undefined, this.deadline(null), validators, headers)
  }

  #record(host: string, result: FetchResult): void {
    const { responses, commitBuffer, requestCounts } = this.#dependencies
    // The request was not sent.
    if (result.kind === 'failure' && UNSENT_PROBLEMS.has(result.problem)) return
    responses.stats.record(host, result)
    commitBuffer.addReceivedBytes(result.wireBytes)
    commitBuffer.counters.countSubrequest()
    requestCounts.add(host, 'rendered', result)
  }
}
