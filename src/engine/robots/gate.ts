// Stands before every request: what robots.txt says about a url, and, where that is not known, how to learn it: from
// the copy that the store keeps, else from the origin. Rules hold for a day at most (RFC 9309 2.4). While an origin
// fails, its last good copy holds, for some weeks; without one nothing may be asked, and the origin is tried again soon.

import type { Clock } from '../../lib/clock.ts'
import type { RobotsCopies, RobotsCopy } from '../../ports/robots.ts'
import type { Fetcher, FetchResult } from '../fetch/result.ts'
import { pathStart } from '../url/key.ts'
import { fetchRobots, type RobotsFetch } from './ask.ts'
import { type Known, KnownRules, type Rules } from './known.ts'
import { compileRobots } from './match.ts'
import { parseRobots } from './parse.ts'
import { meaningOf } from './rules-for.ts'

export type Permit =
  | { kind: 'allowed'; crawlDelayMs: number }
  /** By a rule: for good. */
  | { kind: 'denied'; reason: string }
  /** Because nobody knows the rules now; worth asking again at that time. */
  | { kind: 'unreachable'; reason: string; until: number }
  /** Not looked for yet: recall it. */
  | { kind: 'unknown' }
  /** Not in the store either, or too old: learn it. */
  | { kind: 'unlearnt' }

export interface GateSettings {
  /** Begins with the name that robots.txt knows us by. */
  userAgent: string
  ignoreRobots: boolean
  /** How long a failure to get rules is remembered. */
  failureMs: number
}

export interface GateParts {
  fetcher: Fetcher
  copies: RobotsCopies
  clock: Clock
}

const DAY_MS = 86_400_000
/** RFC 9309 2.3.1.4 speaks of some 30 days after which an unreachable file may count as none; we stop trusting it. */
const GOOD_MS = 30 * DAY_MS
/** A longer one is a way of saying no, and would hold a crawl for years. */
export const MAX_CRAWL_DELAY_MS = 300_000
const MAX_REASON = 200
/** Sitemaps taken from one file. */
const MAX_SITEMAPS = 500
const ALLOWED: Permit = { kind: 'allowed', crawlDelayMs: 0 }
const UNKNOWN: Permit = { kind: 'unknown' }
const UNLEARNT: Permit = { kind: 'unlearnt' }

export class RobotsGate {
  readonly #settings: GateSettings
  readonly #parts: GateParts
  readonly #known = new KnownRules()
  readonly #asking = new Map<string, Promise<FetchResult>>()

  constructor(settings: GateSettings, parts: GateParts) {
    this.#settings = settings
    this.#parts = parts
  }

  judge(url: string): Permit {
    if (this.#settings.ignoreRobots) return ALLOWED
    const pathAt = pathStart(url)
    const known = this.#known.get(url.slice(0, pathAt))
    if (known === undefined) return UNKNOWN
    if (known.expiresAt <= this.#parts.clock.now()) return UNLEARNT
    const { rules } = known
    switch (rules.kind) {
      case 'allow':
        return ALLOWED
      case 'unlearnt':
        return UNLEARNT
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
    const known = this.#known.get(originOf(url))
    const sitemaps = known?.sitemaps ?? []
    if (known !== undefined) known.sitemaps = []
    return sitemaps
  }

  /** Everything is recalled anew, and told anew. */
  forget(): void {
    this.#known.clear()
  }

  /** Looks in the store for the rules of the url's origin; afterwards they are known or unlearnt. */
  async recall(url: string): Promise<void> {
    const origin = originOf(url)
    const copy = await this.#parts.copies.find(origin)
    if (this.#known.get(origin) === undefined) this.#known.set(origin, this.#fromCopy(copy))
  }

  /** Asks the url's origin for its rules, once however many wait for them, following redirects a gap apart. */
  learn(url: string, gapMs: number): Promise<FetchResult> {
    const origin = originOf(url)
    const asking = this.#asking.get(origin) ?? this.#ask(origin, gapMs)
    this.#asking.set(origin, asking)
    return asking
  }

  async #ask(origin: string, gapMs: number): Promise<FetchResult> {
    try {
      const fetched = await fetchRobots({ origin, gapMs }, this.#parts)
      await this.#keep(origin, fetched)
      return fetched.result
    } finally {
      this.#asking.delete(origin)
    }
  }

  #fromCopy(copy: RobotsCopy | null): Known {
    const now = this.#parts.clock.now()
    const goodAt = copy === null ? null : goodYet(copy.goodAt, now)
    // A failure is not believed beyond the life of a process: the origin may be well again.
    if (copy === null || copy.expiresAt <= now || copy.problem !== null || goodAt === null) {
      return { rules: { kind: 'unlearnt' }, expiresAt: Number.POSITIVE_INFINITY, goodAt, bytes: 0, sitemaps: [] }
    }
    return { ...this.#compile(copy.body), expiresAt: copy.expiresAt, goodAt }
  }

  async #keep(origin: string, { result, isOriginRefused }: RobotsFetch): Promise<void> {
    const now = this.#parts.clock.now()
    // What was known may have given way meanwhile.
    const known = this.#known.get(origin) ?? (await this.#parts.copies.find(origin))
    const goodAt = known?.goodAt ?? null
    const soon = now + this.#settings.failureMs
    // Nothing of this origin can be had at all; the url's own request says so with the true reason, and at once.
    if (isOriginRefused) {
      this.#known.set(origin, { rules: { kind: 'allow' }, expiresAt: soon, goodAt, bytes: 0, sitemaps: [] })
      return
    }
    const status = result.kind === 'response' ? result.status : null
    const meaning = meaningOf(result.kind === 'failure' ? { failed: true } : result)
    if (meaning.kind === 'disallow_all') {
      const problem = result.kind === 'failure' ? result.problem : `http_${result.status}`
      const copy = goodYet(goodAt, now) === null ? null : await this.#parts.copies.find(origin)
      const unreachable = { rules: { kind: 'unreachable' as const, problem }, bytes: 0, sitemaps: [] }
      const rules = copy === null ? unreachable : this.#compile(copy.body)
      this.#known.set(origin, { ...rules, expiresAt: soon, goodAt })
      const kept = { body: copy?.body ?? null, goodAt: copy?.goodAt ?? null }
      await this.#parts.copies.save({ origin, askedAt: now, expiresAt: soon, status, problem, ...kept })
      return
    }
    const body = meaning.kind === 'rules' ? meaning.body : null
    const expiresAt = now + DAY_MS
    this.#known.set(origin, { ...this.#compile(body), expiresAt, goodAt: now })
    await this.#parts.copies.save({ origin, askedAt: now, expiresAt, status, problem: null, body, goodAt: now })
  }

  #compile(body: Uint8Array | null): { rules: Rules; bytes: number; sitemaps: string[] } {
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

function goodYet(goodAt: number | null, now: number): number | null {
  return goodAt === null || now - goodAt > GOOD_MS ? null : goodAt
}

function originOf(url: string): string {
  return url.slice(0, pathStart(url))
}
