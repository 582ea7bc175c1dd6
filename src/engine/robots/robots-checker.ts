// Stands before every request: what robots.txt says about a url, and, where that is not known, how to learn it: from
// the copy that the store keeps, else from the origin. Rules hold for a day at most (RFC 9309 2.4). While an origin
// fails, its last good copy holds, for some weeks; without one nothing may be asked, and the origin is tried again soon.

import type { Clock } from '../../lib/clock.ts'
import type { RobotsCopies, RobotsCopy } from '../../ports/robots.ts'
import type { Fetcher, FetchResult } from '../fetch/fetch-result.ts'
import { pathStart } from '../url/url-key.ts'
import { compileRobots } from './compile-robots.ts'
import { fetchRobots, type RobotsFetchResult } from './fetch-robots.ts'
import { interpretRobotsResponse } from './interpret-response.ts'
import { parseRobots } from './parse-robots.ts'
import { type CachedRules, type OriginRules, RobotsRuleCache } from './rule-cache.ts'

export type RobotsPermission =
  | { kind: 'allowed'; crawlDelayMs: number }
  /** By a rule: for good. */
  | { kind: 'denied'; reason: string }
  /** Because nobody knows the rules now; worth asking again at that time. */
  | { kind: 'unreachable'; reason: string; until: number }
  /** Not looked for yet: recall it. */
  | { kind: 'unknown' }
  /** Not in the store either, or too old: learn it. */
  | { kind: 'unlearnt' }

export interface RobotsCheckerSettings {
  /** Begins with the name that robots.txt knows us by. */
  userAgent: string
  ignoreRobots: boolean
  /** How long a failure to get rules is remembered. */
  failureMs: number
}

export interface RobotsCheckerDependencies {
  fetcher: Fetcher
  copies: RobotsCopies
  clock: Clock
}

const DAY_MS = 86_400_000
/** RFC 9309 2.3.1.4 speaks of some 30 days after which an unreachable file may count as none; we stop trusting it. */
const MAX_STALE_MS = 30 * DAY_MS
/** A longer one is a way of saying no, and would hold a crawl for years. */
export const MAX_CRAWL_DELAY_MS = 300_000
const MAX_REASON = 200
/** Sitemaps taken from one file. */
const MAX_SITEMAPS = 500
const ALLOWED: RobotsPermission = { kind: 'allowed', crawlDelayMs: 0 }
const UNKNOWN: RobotsPermission = { kind: 'unknown' }
const NOT_FETCHED: RobotsPermission = { kind: 'unlearnt' }

export class RobotsChecker {
  readonly #settings: RobotsCheckerSettings
  readonly #dependencies: RobotsCheckerDependencies
  readonly #cache = new RobotsRuleCache()
  readonly #fetching = new Map<string, Promise<FetchResult>>()

  constructor(settings: RobotsCheckerSettings, parts: RobotsCheckerDependencies) {
    this.#settings = settings
    this.#dependencies = parts
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
      case 'unlearnt':
        return NOT_FETCHED
      case 'unreachable':
        return { kind: 'unreachable', reason: `robots_unreachable: ${rules.problem}`, until: known.expiresAt }
      case 'compiled': {
        const { allowed, rule, crawlDelayMs } = rules.robots.decide(url.slice(pathAt))
        if (!allowed) return { kind: 'denied', reason: `robots line ${rule?.line}: ${rule?.text}`.slice(0, MAX_REASON) }
        if (crawlDelayMs === null) return ALLOWED
        if (crawlDelayMs <= MAX_CRAWL_DELAY_MS) return { kind: 'allowed', crawlDelayMs }
        return { kind: 'denied', reason: `robots: Crawl-delay of ${crawlDelayMs / 1000} s` }
      }
    }
  }

  /** The sitemaps that the rules of a url's origin name; told once. */
  takeSitemaps(url: string): string[] {
    const known = this.#cache.get(originOf(url))
    const sitemaps = known?.sitemaps ?? []
    if (known !== undefined) known.sitemaps = []
    return sitemaps
  }

  /** Everything is recalled anew, and told anew. */
  clear(): void {
    this.#cache.clear()
  }

  /** Looks in the store for the rules of the url's origin; afterwards they are known or unlearnt. */
  async loadStoredRules(url: string): Promise<void> {
    const origin = originOf(url)
    const copy = await this.#dependencies.copies.find(origin)
    if (this.#cache.get(origin) === undefined) this.#cache.set(origin, this.#fromStored(copy))
  }

  /** Asks the url's origin for its rules, once however many wait for them, following redirects a gap apart. */
  fetchRules(url: string, gapMs: number): Promise<FetchResult> {
    const origin = originOf(url)
    const asking = this.#fetching.get(origin) ?? this.#fetch(origin, gapMs)
    this.#fetching.set(origin, asking)
    return asking
  }

  async #fetch(origin: string, gapMs: number): Promise<FetchResult> {
    try {
      const fetched = await fetchRobots({ origin, gapMs }, this.#dependencies)
      await this.#store(origin, fetched)
      return fetched.result
    } finally {
      this.#fetching.delete(origin)
    }
  }

  #fromStored(copy: RobotsCopy | null): CachedRules {
    const now = this.#dependencies.clock.now()
    const goodAt = copy === null ? null : stillGood(copy.goodAt, now)
    // A failure is not believed beyond the life of a process: the origin may be well again.
    if (copy === null || copy.expiresAt <= now || copy.problem !== null || goodAt === null) {
      return { rules: { kind: 'unlearnt' }, expiresAt: Number.POSITIVE_INFINITY, goodAt, bytes: 0, sitemaps: [] }
    }
    return { ...this.#compile(copy.body), expiresAt: copy.expiresAt, goodAt }
  }

  async #store(origin: string, { result, isOriginRefused }: RobotsFetchResult): Promise<void> {
    const now = this.#dependencies.clock.now()
    // What was known may have given way meanwhile.
    const known = this.#cache.get(origin) ?? (await this.#dependencies.copies.find(origin))
    const goodAt = known?.goodAt ?? null
    const soon = now + this.#settings.failureMs
    // Nothing of this origin can be had at all; the url's own request says so with the true reason, and at once.
    if (isOriginRefused) {
      this.#cache.set(origin, { rules: { kind: 'allow' }, expiresAt: soon, goodAt, bytes: 0, sitemaps: [] })
      return
    }
    const status = result.kind === 'response' ? result.status : null
    const meaning = interpretRobotsResponse(result.kind === 'failure' ? { failed: true } : result)
    if (meaning.kind === 'disallow_all') {
      const problem = result.kind === 'failure' ? result.problem : `http_${result.status}`
      const copy = stillGood(goodAt, now) === null ? null : await this.#dependencies.copies.find(origin)
      const unreachable = { rules: { kind: 'unreachable' as const, problem }, bytes: 0, sitemaps: [] }
      const rules = copy === null ? unreachable : this.#compile(copy.body)
      this.#cache.set(origin, { ...rules, expiresAt: soon, goodAt })
      const kept = { body: copy?.body ?? null, goodAt: copy?.goodAt ?? null }
      await this.#dependencies.copies.save({ origin, askedAt: now, expiresAt: soon, status, problem, ...kept })
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

function stillGood(goodAt: number | null, now: number): number | null {
  return goodAt === null || now - goodAt > MAX_STALE_MS ? null : goodAt
}

function originOf(url: string): string {
  return url.slice(0, pathStart(url))
}
