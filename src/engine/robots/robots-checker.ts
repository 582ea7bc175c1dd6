// Checks every request against robots.txt. Unknown rules are loaded from the copy in the store, or else fetched from
// the origin. Rules are valid for a day at most (RFC 9309 2.4). While an origin fails, its last good copy stays in
// force for some weeks; without one nothing may be requested, and the origin is retried soon.

import type { Clock } from '../../lib/clock.ts'
import type { RobotsCopies, RobotsCopy } from '../../ports/robots.ts'
import type { Fetcher, FetchResult, RequestDeadline } from '../fetch/fetch-result.ts'
import { withoutFragment } from '../url/normalise-url.ts'
import { pathStart } from '../url/url-key.ts'
import { compileRobots } from './compile-robots.ts'
import { fetchRobots, type RobotsFetchResult } from './fetch-robots.ts'
import { interpretRobotsResponse } from './interpret-response.ts'
import { parseRobots } from './parse-robots.ts'
import { type CachedRules, type OriginRules, RobotsRuleCache } from './rule-cache.ts'

export type RobotsPermission =
  | { kind: 'allowed'; crawlDelayMs: number }
  /** Denied by a rule, permanently. */
  | { kind: 'denied'; reason: string }
  /** The rules are unavailable now; retry at that time. */
  | { kind: 'unreachable'; reason: string; until: number }
  /** The rules are not loaded: call loadStoredRules. */
  | { kind: 'unknown' }
  /** The rules are not in the store, or have expired: call fetchRules. */
  | { kind: 'not_fetched' }

export interface RobotsCheckerSettings {
  /** Starts with our name in robots.txt. */
  userAgent: string
  ignoreRobots: boolean
  /** How long a failure to fetch rules is cached. */
  failureMs: number
}

export interface RobotsCheckerDependencies {
  fetcher: Pick<Fetcher, 'fetch'>
  copies: RobotsCopies
  clock: Clock
}

const DAY_MS = 86_400_000
/** RFC 9309 2.3.1.4 suggests 30 days after which an unreachable file may count as missing; we stop trusting it then. */
const MAX_STALE_MS = 30 * DAY_MS
/** A longer delay is a refusal in disguise, and would keep a crawl busy for years. */
export const MAX_CRAWL_DELAY_MS = 300_000
const MAX_REASON = 200
/** Maximum number of sitemaps from one file. */
const MAX_SITEMAPS = 500
const ALLOWED: RobotsPermission = { kind: 'allowed', crawlDelayMs: 0 }
const UNKNOWN: RobotsPermission = { kind: 'unknown' }
const NOT_FETCHED: RobotsPermission = { kind: 'not_fetched' }

export class RobotsChecker {
  readonly #settings: RobotsCheckerSettings
  readonly #dependencies: RobotsCheckerDependencies
  readonly #cache = new RobotsRuleCache()
  readonly #fetching = new Map<string, Promise<FetchResult>>()

  constructor(settings: RobotsCheckerSettings, dependencies: RobotsCheckerDependencies) {
    this.#settings = settings
    this.#dependencies = dependencies
  }

  check(url: string): RobotsPermission {
    if (this.#settings.ignoreRobots) return ALLOWED
    const pathAt = pathStart(url)
    const known = this.#cache.get(url.slice(0, pathAt))
    if (known === undefined) return UNKNOWN
    if (known.expiresAt <= this.#dependencies.clock.now()) return NOT_FETCHED
    const { rules } = known
    switch (rules.kind) {
      case 'allow':
        return ALLOWED
      case 'not_fetched':
        return NOT_FETCHED
      case 'unreachable':
        return { kind: 'unreachable', reason: `robots_unreachable: ${rules.problem}`, until: known.expiresAt }
      case 'compiled': {
        const { allowed, rule, crawlDelayMs } = rules.robots.decide(withoutFragment(url.slice(pathAt)))
        if (!allowed) return { kind: 'denied', reason: `robots line ${rule?.line}: ${rule?.text}`.slice(0, MAX_REASON) }
        if (crawlDelayMs === null) return ALLOWED
        if (crawlDelayMs <= MAX_CRAWL_DELAY_MS) return { kind: 'allowed', crawlDelayMs }
        return { kind: 'denied', reason: `robots: Crawl-delay of ${crawlDelayMs / 1000} s` }
      }
    }
  }

  /** Returns the sitemaps in the rules of a URL's origin, once. */
  takeSitemaps(url: string): string[] {
    const known = this.#cache.get(originOf(url))
    const sitemaps = known?.sitemaps ?? []
    if (known !== undefined) known.sitemaps = []
    return sitemaps
  }

  /** Forgets everything, so that rules are loaded and sitemaps are returned again. */
  clear(): void {
    this.#cache.clear()
  }

  /** Loads the rules of the URL's origin from the store; afterwards they are known or not_fetched. */
  async loadStoredRules(url: string): Promise<void> {
    const origin = originOf(url)
    const copy = await this.#dependencies.copies.find(origin)
    if (this.#cache.get(origin) === undefined) this.#cache.set(origin, this.#fromStored(copy))
  }

  /**
   * Fetches the rules of the URL's origin, once for concurrent callers, following redirects with a gap in between. Nothing
   * is sent after the deadline of the lease: another thread may have the host by then.
   */
  fetchRules(url: string, gapMs: number, deadline?: RequestDeadline): Promise<FetchResult> {
    const origin = originOf(url)
    const pending = this.#fetching.get(origin) ?? this.#fetch({ origin, gapMs, deadline })
    this.#fetching.set(origin, pending)
    return pending
  }

  async #fetch(request: Parameters<typeof fetchRobots>[0]): Promise<FetchResult> {
    const { origin } = request
    try {
      const fetched = await fetchRobots(request, this.#dependencies)
      // A proxy that failed, or a lease that lapsed, says nothing about the origin.
      if (!isUnanswered(fetched.result)) await this.#store(origin, fetched)
      return fetched.result
    } finally {
      this.#fetching.delete(origin)
    }
  }

  #fromStored(copy: RobotsCopy | null): CachedRules {
    const now = this.#dependencies.clock.now()
    const goodAt = copy === null ? null : stillGood(copy.goodAt, now)
    // A failure is not trusted beyond the life of a process: the origin may have recovered.
    if (copy === null || copy.expiresAt <= now || copy.problem !== null || goodAt === null) {
      return { rules: { kind: 'not_fetched' }, expiresAt: Number.POSITIVE_INFINITY, goodAt, bytes: 0, sitemaps: [] }
    }
    return { ...this.#compile(copy.body), expiresAt: copy.expiresAt, goodAt }
  }

  async #store(origin: string, { result, isOriginRefused }: RobotsFetchResult): Promise<void> {
    const now = this.#dependencies.clock.now()
    // The cached entry may have been evicted in the meantime.
    const known = this.#cache.get(origin) ?? (await this.#dependencies.copies.find(origin))
    const goodAt = known?.goodAt ?? null
    const retryAt = now + this.#settings.failureMs
    // No request to this origin can succeed; the request for the URL itself reports the real reason at once.
    if (isOriginRefused) {
      this.#cache.set(origin, { rules: { kind: 'allow' }, expiresAt: retryAt, goodAt, bytes: 0, sitemaps: [] })
      return
    }
    const status = result.kind === 'response' ? result.status : null
    const meaning = interpretRobotsResponse(result.kind === 'failure' ? { failed: true } : result)
    if (meaning.kind === 'disallow_all') {
      const problem = result.kind === 'failure' ? result.problem : `http_${result.status}`
      const copy = stillGood(goodAt, now) === null ? null : await this.#dependencies.copies.find(origin)
      const unreachable = { rules: { kind: 'unreachable' as const, problem }, bytes: 0, sitemaps: [] }
      const rules = copy === null ? unreachable : this.#compile(copy.body)
      this.#cache.set(origin, { ...rules, expiresAt: retryAt, goodAt })
      const lastGood = { body: copy?.body ?? null, goodAt: copy?.goodAt ?? null }
      await this.#dependencies.copies.save({ origin, askedAt: now, expiresAt: retryAt, status, problem, ...lastGood })
      return
    }
    const body = meaning.kind === 'rules' ? meaning.body : null
    const expiresAt = now + DAY_MS
    this.#cache.set(origin, { ...this.#compile(body), expiresAt, goodAt: now })
    await this.#dependencies.copies.save({ origin, askedAt: now, expiresAt, status, problem: null, body, goodAt: now })
  }

  #compile(body: Uint8Array | null): { rules: OriginRules; bytes: number; sitemaps: string[] } {
    if (body === null) return { rules: { kind: 'allow' }, bytes: 0, sitemaps: [] }
    const file = parseRobots(Buffer.from(body.buffer, body.byteOffset, body.byteLength))
    const robots = compileRobots(file, this.#settings.userAgent)
    return {
      rules: { kind: 'compiled', robots },
      bytes: body.byteLength,
      sitemaps: file.sitemaps.slice(0, MAX_SITEMAPS),
    }
  }
}

function isUnanswered(result: FetchResult): boolean {
  return result.kind === 'failure' && (result.problem === 'proxy_failed' || result.problem === 'lease_lapsed')
}

function stillGood(goodAt: number | null, now: number): number | null {
  return goodAt === null || now - goodAt > MAX_STALE_MS ? null : goodAt
}

function originOf(url: string): string {
  return url.slice(0, pathStart(url))
}
