// The HTTP client: one pool of keep-alive connections per origin, with hard limits on time and size. It passes whole
// bodies to a callback; a promise or a stream per page would cost more than parsing it.

import type { Clock } from '../../lib/clock.ts'
import type { Validators } from '../../ports/frontier.ts'
import { withoutFragment } from '../url/normalise-url.ts'
import { pathStart } from '../url/url-key.ts'
import { ActiveRequest, type RequestContext } from './active-request.ts'
import { type HeaderSettings, headersByOrigin } from './custom-headers.ts'
import { type FetchLimits, pageLimits } from './fetch-limits.ts'
import { CodedError, type Fetcher, type FetchResult, type RequestDeadline } from './fetch-result.ts'
import { conditionalHeaders, type RequestHeaders } from './headers.ts'
import { type ConnectionSettings, type Origin, type OriginDependencies, openOrigin } from './origin.ts'
import { createHeadFilter, type RequestHeadMode } from './request-head-mode.ts'

export interface ClientSettings extends ConnectionSettings, HeaderSettings {
  /** For requests without their own limits. */
  maxBodyBytes: number
  /** Whether responses include the heads of their requests. */
  sentHeads: RequestHeadMode
}

/** Maximum number of origins with open pools; the least recently used one is closed. */
const MAX_POOLS = 512
const SWEEP_MS = 250
const READ_BYTES = 64 * 1024
/** Always true for canonical URLs; any other character could end the request line. */
const PRINTABLE_ASCII = /^[\x21-\x7e]+$/
const NO_HEADERS: RequestHeaders = []
const NO_DEADLINE: RequestDeadline = { endDeadline: Number.POSITIVE_INFINITY }

export class HttpClient implements Fetcher {
  readonly #settings: ClientSettings
  readonly #pageLimits: FetchLimits
  readonly #clock: Clock
  readonly #originDependencies: OriginDependencies
  readonly #origins = new Map<string, Origin>()
  readonly #active = new Set<ActiveRequest>()
  readonly #context: RequestContext
  #cancelSweep: (() => void) | null = null
  #isClosed = false

  constructor(settings: ClientSettings, clock: Clock) {
    this.#settings = settings
    this.#pageLimits = pageLimits(settings.maxBodyBytes)
    this.#clock = clock
    // One buffer for all plain connections, which read one at a time: allocating one per read costs more.
    this.#originDependencies = {
      headersFor: headersByOrigin(settings),
      settings,
      clock,
      readBuffer: Buffer.allocUnsafeSlow(READ_BYTES),
    }
    this.#context = {
      clock,
      timeoutMs: settings.timeoutMs,
      filterHead: createHeadFilter(settings.sentHeads, settings.headers),
      onFinished: (activeRequest, result) => this.#finish(activeRequest, result),
    }
  }

  fetch(
    url: string,
    done: (result: FetchResult) => void,
    limits: FetchLimits = this.#pageLimits,
    requestDeadline: RequestDeadline = NO_DEADLINE,
    validators: Validators | null = null,
    headers: RequestHeaders = NO_HEADERS,
  ): void {
    const pathAt = pathStart(url)
    const path = withoutFragment(url.slice(pathAt))
    const origin = this.#originOf(url.slice(0, pathAt))
    const activeRequest = new ActiveRequest(
      { origin, limits, startedAt: this.#clock.now(), done, deadline: requestDeadline },
      this.#context,
    )
    origin.inFlight += 1
    this.#active.add(activeRequest)
    if (this.#isClosed) activeRequest.onError(new CodedError('CLIENT_CLOSED'))
    else if (!PRINTABLE_ASCII.test(path)) activeRequest.onError(new CodedError('URL_INVALID'))
    else {
      this.#scheduleSweep()
      const extraHeaders = validators === null ? headers : [...headers, ...conditionalHeaders(validators)]
      origin.pool.dispatch({ path, extraHeaders, listener: activeRequest })
    }
    activeRequest.isDispatched = true
  }

  #finish(activeRequest: ActiveRequest, result: FetchResult): void {
    const { origin, startedAt, done } = activeRequest.plan
    origin.inFlight -= 1
    // Moved to the end: the map is ordered by last use.
    if (this.#origins.delete(origin.name)) this.#origins.set(origin.name, origin)
    this.#active.delete(activeRequest)
    result.fetchMs = this.#clock.now() - startedAt
    result.ip = origin.dialState.ip
    result.cname = this.#aliasesOf(origin.hostname)
    if (activeRequest.isDispatched) done(result)
    else queueMicrotask(() => done(result))
  }

  knownAddress(url: string): string | null {
    const name = url.slice(0, pathStart(url))
    const ip = this.#origins.get(name)?.dialState.ip ?? null
    return ip ?? this.#settings.resolver.peek(new URL(name).hostname)?.address ?? null
  }

  resolveAddress(url: string, done: (address: string | null) => void): void {
    const { hostname } = new URL(url)
    this.#settings.resolver.lookup(hostname, (_error, { addresses }) => done(addresses[0]?.address ?? null))
  }

  countUnsent(): { dns: number; connect: number } {
    const unsent = { dns: 0, connect: 0 }
    for (const activeRequest of this.#active) {
      const { dialState } = activeRequest.plan.origin
      // A request queued behind another one of its pool waits for the origin.
      if (activeRequest.isSent || dialState.dials === 0) continue
      if (dialState.lookups > 0) unsent.dns += 1
      else unsent.connect += 1
    }
    return unsent
  }

  #aliasesOf(hostname: string): string | null {
    const known = this.#settings.resolver.peek(hostname)
    return known === null || known.chain.length === 0 ? null : known.chain.join(' ')
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelSweep?.()
    this.#cancelSweep = null
    this.#settings.resolver.close()
    for (const { pool } of this.#origins.values()) pool.destroy()
    this.#origins.clear()
  }

  #sweep(): void {
    this.#cancelSweep = null
    const now = this.#clock.now()
    for (const activeRequest of this.#active) activeRequest.endIfOverdue(now)
    let isOpen = false
    for (const { pool } of this.#origins.values()) {
      pool.sweep(now)
      isOpen ||= pool.isOpen
    }
    if (this.#active.size > 0 || isOpen) this.#scheduleSweep()
  }

  /** Set once: a callback during a sweep may start a request before the sweep is over. */
  #scheduleSweep(): void {
    this.#cancelSweep ??= this.#clock.after(SWEEP_MS, () => this.#sweep())
  }

  #originOf(name: string): Origin {
    const known = this.#origins.get(name)
    if (known !== undefined) return known
    if (this.#origins.size >= MAX_POOLS) this.#dropIdle()
    const origin = openOrigin(name, this.#originDependencies)
    this.#origins.set(name, origin)
    return origin
  }

  #dropIdle(): void {
    for (const [name, origin] of this.#origins) {
      if (origin.inFlight > 0) continue
      this.#origins.delete(name)
      origin.pool.destroy()
      return
    }
  }
}
