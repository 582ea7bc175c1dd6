// The HTTP client: one pool of keep-alive connections per origin, with hard limits on time and size. It passes whole
// bodies to a callback; a promise or a stream per page would cost more than parsing it.

import type { Clock } from '../../lib/clock.ts'
import type { Validators } from '../../ports/leases.ts'
import { withoutFragment } from '../url/normalise-url.ts'
import { pathStart } from '../url/url-key.ts'
import { ActiveRequest, type RequestContext, type RequestRoute } from './active-request.ts'
import { type ChallengedRequest, ChallengedRequests } from './challenged-requests.ts'
import type { CookieJar } from './cookies/cookie-jar.ts'
import { digestByOrigin, type HeaderSettings, headersByOrigin } from './custom-headers.ts'
import { type FetchLimits, pageLimits } from './fetch-limits.ts'
import { CodedError, type Fetcher, type FetchFailure, type FetchResult, type RequestDeadline } from './fetch-result.ts'
import { conditionalHeaders, type RequestHeaders, withCookies } from './headers.ts'
import { type ConnectionSettings, type Origin, type OriginDependencies, openOrigin, originKey } from './origin.ts'
import { resolvesNames } from './proxy/proxy-dialler.ts'
import { mayBeOfSite, proxyProblem } from './proxy/proxy-problem.ts'
import type { ProxyRoutes, TrackedProxy } from './proxy/proxy-routes.ts'
import { createHeadFilter, type RequestHeadMode } from './request-head-mode.ts'

export interface ClientSettings extends ConnectionSettings, HeaderSettings {
  /** Limit of requests without their own limits. */
  maxBodyBytes: number
  /** Whether responses include the heads of their requests. */
  sentHeads: RequestHeadMode
  /** Null if the crawl has no cookies. */
  jar: Pick<CookieJar, 'headerFor' | 'receive'> | null
  /** Null if all connections are direct. */
  proxies: ProxyRoutes | null
  /** Called when a proxy fails, or works again. */
  onProxyChange: (proxyChange: ProxyChange) => void
}

export interface ProxyChange {
  proxy: string
  /** Why it failed; null if it works again. */
  detail: string | null
  /** How long the proxy is set aside. */
  pauseMs: number
  /** No proxy for these hosts has ever worked. */
  isHopeless: boolean
}

/** One call of `fetch`. The request may be sent through several proxies, and again after a challenge. */
interface ClientRequest extends ChallengedRequest {
  url: string
  done: (result: FetchResult) => void
  limits: FetchLimits
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
  readonly #proxies: ProxyRoutes | null
  readonly #challenged: ChallengedRequests<ClientRequest> | null
  readonly #origins = new Map<string, Origin>()
  readonly #active = new Set<ActiveRequest>()
  readonly #context: RequestContext
  #cancelSweep: (() => void) | null = null
  #isClosed = false

  constructor(settings: ClientSettings, clock: Clock) {
    this.#settings = settings
    this.#pageLimits = pageLimits(settings.maxBodyBytes)
    this.#clock = clock
    this.#proxies = settings.proxies
    const credentialsFor = digestByOrigin(settings)
    const lapsed = { problem: 'lease_lapsed', detail: 'LEASE_LAPSED' } as const
    const events = {
      send: (request: ClientRequest) => this.#send(request),
      onUnsent: (request: ClientRequest) => this.#endUnsent(request, lapsed),
    }
    this.#challenged = credentialsFor === null ? null : new ChallengedRequests(credentialsFor, clock, events)
    // All plain connections share one buffer, since they read one at a time: allocating one per read costs more.
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
    const extraHeaders = validators === null ? headers : [...headers, ...conditionalHeaders(validators)]
    const startedAt = this.#clock.now()
    const digest = { used: null, tries: 0 }
    this.#send({ url, done, limits, deadline: requestDeadline, extraHeaders, startedAt, digest })
  }

  #send(request: ClientRequest): void {
    const { url, done, limits, deadline, extraHeaders, startedAt } = request
    const challenges = request.digest.tries
    const pathAt = pathStart(url)
    const path = withoutFragment(url.slice(pathAt))
    const name = url.slice(0, pathAt)
    const route = this.#proxies === null ? null : this.#routeFor(name, request, this.#proxies)
    if (route === 'unavailable') return
    const origin = this.#originOf(name, route?.proxy ?? null)
    const answerChallenge = this.#challenged?.handlerFor(name, request) ?? null
    const plan = { url, origin, limits, startedAt, done, deadline, route, challenges, answerChallenge }
    const activeRequest = new ActiveRequest(plan, this.#context)
    origin.inFlight += 1
    this.#active.add(activeRequest)
    if (this.#isClosed) activeRequest.onError(new CodedError('CLIENT_CLOSED'))
    else if (!PRINTABLE_ASCII.test(path)) activeRequest.onError(new CodedError('URL_INVALID'))
    else {
      this.#scheduleSweep()
      const { jar } = this.#settings
      const withJar = jar === null ? extraHeaders : withCookies(extraHeaders, jar.headerFor(url))
      const sent = this.#challenged?.withAnswer(withJar, name, path, request) ?? withJar
      origin.pool.dispatch({ path, extraHeaders: sent, listener: activeRequest })
    }
    activeRequest.isDispatched = true
  }

  /** If all proxies are set aside, the request fails at once. */
  #routeFor(name: string, request: ClientRequest, proxies: ProxyRoutes): RequestRoute | null | 'unavailable' {
    const group = proxies(name)
    if (group === null) return null
    const proxy = group.take(this.#clock.now())
    if (proxy !== null) return { proxy, group, resend: () => this.#send(request) }
    this.#endUnsent(request, { problem: 'proxy_failed', detail: 'PROXY_SET_ASIDE', proxyRetryAt: group.retryAt })
    return 'unavailable'
  }

  #endUnsent(
    { startedAt, digest: { tries }, done }: ClientRequest,
    cause: Pick<FetchFailure, 'problem' | 'detail' | 'proxyRetryAt'>,
  ): void {
    const fetchMs = this.#clock.now() - startedAt
    const failure: FetchFailure = { kind: 'failure', ...cause, wireBytes: 0, fetchMs, ip: null, cname: null }
    if (tries > 0) failure.resent = { at: startedAt, sent: tries }
    queueMicrotask(() => done(failure))
  }

  /** Returns true if the proxy has failed and the request is sent again. */
  #recordProxy(url: string, { proxy, group, resend }: RequestRoute, result: FetchResult): boolean {
    const { name } = proxy.server
    const detail = proxyProblem(url, proxy, result)
    if (detail === null || (mayBeOfSite(detail, result) && proxy.excuse())) {
      const isNews = detail === null && result.kind === 'response' && proxy.recordSuccess()
      if (isNews) this.#settings.onProxyChange({ proxy: name, detail: null, pauseMs: 0, isHopeless: false })
      if (detail !== null && result.kind === 'failure') result.problem = 'connection_lost'
      result.proxy = name
      return false
    }
    const pauseMs = proxy.recordFailure(this.#clock.now())
    const { isHopeless } = group
    if (pauseMs !== null) this.#settings.onProxyChange({ proxy: name, detail, pauseMs, isHopeless })
    resend()
    return true
  }

  #finish(activeRequest: ActiveRequest, result: FetchResult): void {
    const { url, origin, startedAt, done, route, challenges, answerChallenge } = activeRequest.plan
    origin.inFlight -= 1
    // Moved to the end: the map is ordered by last use.
    if (this.#origins.delete(origin.key)) this.#origins.set(origin.key, origin)
    this.#active.delete(activeRequest)
    if (route !== null && this.#recordProxy(url, route, result)) return
    const isChallenge = result.kind === 'response' && result.status === 401
    if (isChallenge && answerChallenge?.(result.rawHeaders)) return
    const { jar } = this.#settings
    if (jar !== null && result.kind === 'response') result.setsCookies = jar.receive(url, result.rawHeaders)
    result.fetchMs = this.#clock.now() - startedAt
    if (challenges > 0) result.resent = { at: startedAt, sent: challenges + Number(activeRequest.isSent) }
    result.ip = origin.dialState.ip
    result.cname = this.#aliasesOf(origin.hostname)
    if (activeRequest.isDispatched) done(result)
    else queueMicrotask(() => done(result))
  }

  knownAddress(url: string): string | null {
    const name = url.slice(0, pathStart(url))
    if (this.#isResolvedElsewhere(name)) return null
    const ip = this.#origins.get(name)?.dialState.ip ?? null
    return ip ?? this.#settings.resolver.peek(new URL(name).hostname)?.address ?? null
  }

  resolveAddress(url: string, done: (address: string | null) => void): void {
    const { hostname, origin } = new URL(url)
    if (this.#isResolvedElsewhere(origin)) return queueMicrotask(() => done(null))
    this.#settings.resolver.lookup(hostname, (_error, { addresses }) => done(addresses[0]?.address ?? null))
  }

  /** A proxy resolves the name, and its answer is not known here. */
  #isResolvedElsewhere(name: string): boolean {
    return this.#proxies?.(name)?.proxies.some(({ server }) => resolvesNames(server)) === true
  }

  countUnsent(): { dns: number; connect: number } {
    const unsent = { dns: 0, connect: 0 }
    for (const activeRequest of this.#active) {
      const { dialState } = activeRequest.plan.origin
      // A request that is queued behind another one in its pool waits for the origin.
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
    this.stopResending()
  }

  stopResending(): void {
    this.#challenged?.stop()
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

  #originOf(name: string, proxy: TrackedProxy | null): Origin {
    const key = originKey(name, proxy)
    const known = this.#origins.get(key)
    if (known !== undefined) return known
    if (this.#origins.size >= MAX_POOLS) this.#dropIdle()
    const origin = openOrigin(name, proxy, this.#originDependencies)
    this.#origins.set(key, origin)
    return origin
  }

  #dropIdle(): void {
    for (const [key, origin] of this.#origins) {
      if (origin.inFlight > 0) continue
      this.#origins.delete(key)
      origin.pool.destroy()
      return
    }
  }
}
