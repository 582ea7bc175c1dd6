// Stands before every request: what robots.txt says about a url, and, where that is not known, how to learn it: from
// the copy that the store keeps, else from the origin. Rules hold for a day at most (RFC 9309 2.4). While an origin
// fails, its last good copy holds, for some weeks; without one nothing may be asked, and the origin is tried again soon.

import type { Clock } from '../../lib/clock.ts'
import type { RobotsCopies, RobotsCopy } from '../../ports/robots.ts'
import type { Fetcher, FetchProblem, FetchResult } from '../fetch/result.ts'
import { pathStart } from '../url/key.ts'
import { fetchRobots } from './ask.ts'
import { type CompiledRobots, compileRobots } from './match.ts'
import { parseRobots, type RobotsFile } from './parse.ts'
import { rulesFromAnswer } from './rules-for.ts'

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

interface Known {
  rules: CompiledRobots | 'allow' | 'unlearnt' | { unreachable: string }
  expiresAt: number
  /** The last good answer, for the time when there is none. */
  good: { body: Uint8Array | null; at: number } | null
  sitemaps: string[]
}

const DAY_MS = 86_400_000
/** RFC 9309 2.3.1.4 speaks of some 30 days after which an unreachable file may count as none; we stop trusting it. */
const GOOD_MS = 30 * DAY_MS
/** A longer one is a way of saying no, and would hold a crawl for years. */
const MAX_CRAWL_DELAY_MS = 300_000
const MAX_ORIGINS = 10_000
const SURE_TO_FAIL = new Set<FetchProblem>([
  'address_blocked',
  'port_blocked',
  'tls_expired',
  'tls_wrong_host',
  'tls_untrusted',
  'tls_invalid',
])
const ALLOWED: Permit = { kind: 'allowed', crawlDelayMs: 0 }
const UNKNOWN: Permit = { kind: 'unknown' }
const UNLEARNT: Permit = { kind: 'unlearnt' }

export class RobotsGate {
  readonly #settings: GateSettings
  readonly #parts: GateParts
  readonly #known = new Map<string, Known>()
  readonly #asking = new Map<string, ((result: FetchResult) => void)[]>()

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
    if (rules === 'allow') return ALLOWED
    if (rules === 'unlearnt') return UNLEARNT
    if ('unreachable' in rules) {
      return { kind: 'unreachable', reason: `robots_unreachable: ${rules.unreachable}`, until: known.expiresAt }
    }
    const { allowed, rule, crawlDelayMs } = rules.decide(url.slice(pathAt))
    if (allowed && crawlDelayMs !== null && crawlDelayMs > MAX_CRAWL_DELAY_MS) {
      return { kind: 'denied', reason: `robots: Crawl-delay of ${crawlDelayMs / 1000} s` }
    }
    if (allowed) return crawlDelayMs === null ? ALLOWED : { kind: 'allowed', crawlDelayMs }
    return { kind: 'denied', reason: `robots line ${rule?.line}: ${rule?.text}` }
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
    if (!this.#known.has(origin)) this.#remember(origin, this.#fromCopy(copy))
  }

  /** Asks the url's origin for its rules, once however many wait for them. */
  learn(url: string, done: (result: FetchResult) => void): void {
    const origin = originOf(url)
    const waiting = this.#asking.get(origin)
    if (waiting !== undefined) {
      waiting.push(done)
      return
    }
    this.#asking.set(origin, [done])
    fetchRobots(this.#parts.fetcher, origin, (result) => {
      this.#keep(origin, result)
      const all = this.#asking.get(origin) ?? []
      this.#asking.delete(origin)
      for (const callback of all) callback(result)
    })
  }

  #fromCopy(copy: RobotsCopy | null): Known {
    const now = this.#parts.clock.now()
    if (copy === null) return { rules: 'unlearnt', expiresAt: Number.POSITIVE_INFINITY, good: null, sitemaps: [] }
    const good = copy.goodAt === null || now - copy.goodAt > GOOD_MS ? null : { body: copy.body, at: copy.goodAt }
    // A failure is not believed beyond the life of a process: the origin may be well again.
    const isFresh = copy.expiresAt > now && copy.problem === null
    if (!isFresh || good === null) return { rules: 'unlearnt', expiresAt: Number.POSITIVE_INFINITY, good, sitemaps: [] }
    return { ...this.#compile(good.body), expiresAt: copy.expiresAt, good }
  }

  #keep(origin: string, result: FetchResult): void {
    const now = this.#parts.clock.now()
    const good = this.#known.get(origin)?.good ?? null
    const soon = now + this.#settings.failureMs
    // Nothing of this origin can be had at all; the url's own request says so with the true reason, and at once.
    if (result.kind === 'failure' && SURE_TO_FAIL.has(result.problem)) {
      this.#remember(origin, { rules: 'allow', expiresAt: soon, good, sitemaps: [] })
      return
    }
    const answer = rulesFromAnswer(result.kind === 'failure' ? { failed: true } : result)
    const problem = result.kind === 'failure' ? result.problem : `http_${result.status}`
    if (answer.kind === 'disallow_all') {
      const isGoodYet = good !== null && now - good.at <= GOOD_MS
      const rules = isGoodYet ? this.#compile(good.body) : { rules: { unreachable: problem }, sitemaps: [] }
      this.#remember(origin, { ...rules, expiresAt: soon, good })
      this.#save(origin, { now, expiresAt: soon, result, problem, good })
      return
    }
    const body = answer.kind === 'parsed' && result.kind === 'response' ? result.body : null
    const fresh = { body, at: now }
    this.#remember(origin, { ...this.#compile(body), expiresAt: now + DAY_MS, good: fresh })
    this.#save(origin, { now, expiresAt: now + DAY_MS, result, problem: null, good: fresh })
  }

  #compile(body: Uint8Array | null): Pick<Known, 'rules' | 'sitemaps'> {
    if (body === null) return { rules: 'allow', sitemaps: [] }
    const file: RobotsFile = parseRobots(Buffer.from(body.buffer, body.byteOffset, body.byteLength))
    return { rules: compileRobots(file, this.#settings.userAgent), sitemaps: file.sitemaps }
  }

  #remember(origin: string, known: Known): void {
    if (this.#known.size >= MAX_ORIGINS) this.#dropOldest()
    this.#known.delete(origin)
    this.#known.set(origin, known)
  }

  #save(
    origin: string,
    kept: { now: number; expiresAt: number; result: FetchResult; problem: string | null; good: Known['good'] },
  ): void {
    const status = kept.result.kind === 'response' ? kept.result.status : null
    const { expiresAt, problem, good } = kept
    const copy = { origin, askedAt: kept.now, expiresAt, status, problem, body: good?.body ?? null }
    // A store that fails fails the next commit too, where it is told.
    this.#parts.copies.save({ ...copy, goodAt: good?.at ?? null }).catch(() => undefined)
  }

  #dropOldest(): void {
    const oldest = this.#known.keys().next()
    if (!oldest.done) this.#known.delete(oldest.value)
  }
}

function originOf(url: string): string {
  return url.slice(0, pathStart(url))
}
