// Stands before every request: what robots.txt says about a url, and, where that is not known yet, how to learn it.
// Rules are kept per origin for a day at most (RFC 9309 2.4); an origin that gives none is asked again soon.

import type { Clock } from '../../lib/clock.ts'
import type { Fetcher, FetchProblem, FetchResult } from '../fetch/result.ts'
import { pathStart } from '../url/key.ts'
import { normaliseUrl } from '../url/normalise.ts'
import { type CompiledRobots, compileRobots } from './match.ts'
import { rulesFromAnswer } from './rules-for.ts'

export type Permit =
  | { kind: 'allowed'; crawlDelayMs: number }
  /** By a rule: for good. */
  | { kind: 'denied'; reason: string }
  /** Because nobody knows the rules now; worth asking again at that time. */
  | { kind: 'unreachable'; reason: string; until: number }
  | { kind: 'unknown' }

export interface GateSettings {
  /** Begins with the name that robots.txt knows us by. */
  userAgent: string
  ignoreRobots: boolean
  /** How long a failure to get rules is remembered. */
  failureMs: number
}

interface Known {
  rules: CompiledRobots | 'allow' | { unreachable: string }
  expiresAt: number
}

const DAY_MS = 86_400_000
const MAX_REDIRECTS = 5
/** A longer one is a way of saying no, and would hold a crawl for years. */
const MAX_CRAWL_DELAY_MS = 300_000
const MAX_ORIGINS = 10_000
const SURE_TO_FAIL = new Set<FetchProblem>(['address_blocked', 'tls_invalid'])
const ALLOWED: Permit = { kind: 'allowed', crawlDelayMs: 0 }
const UNKNOWN: Permit = { kind: 'unknown' }

export class RobotsGate {
  readonly #settings: GateSettings
  readonly #fetcher: Fetcher
  readonly #clock: Clock
  readonly #known = new Map<string, Known>()
  readonly #asking = new Map<string, (() => void)[]>()

  constructor(settings: GateSettings, fetcher: Fetcher, clock: Clock) {
    this.#settings = settings
    this.#fetcher = fetcher
    this.#clock = clock
  }

  judge(url: string): Permit {
    if (this.#settings.ignoreRobots) return ALLOWED
    const pathAt = pathStart(url)
    const known = this.#known.get(url.slice(0, pathAt))
    if (known === undefined || known.expiresAt <= this.#clock.now()) return UNKNOWN
    const { rules } = known
    if (rules === 'allow') return ALLOWED
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

  /** Asks for the rules of the url's origin, once however many wait for them. */
  learn(url: string, done: () => void): void {
    const origin = url.slice(0, pathStart(url))
    const waiting = this.#asking.get(origin)
    if (waiting !== undefined) {
      waiting.push(done)
      return
    }
    this.#asking.set(origin, [done])
    this.#ask(`${origin}/robots.txt`, 0, (result) => {
      this.#keep(origin, result)
      const all = this.#asking.get(origin) ?? []
      this.#asking.delete(origin)
      for (const callback of all) callback()
    })
  }

  #ask(url: string, redirects: number, done: (result: FetchResult) => void): void {
    this.#fetcher.fetch(url, (result) => {
      const target = redirects < MAX_REDIRECTS ? redirectTarget(result, url) : null
      if (target !== null) this.#ask(target, redirects + 1, done)
      else done(result)
    })
  }

  #keep(origin: string, result: FetchResult): void {
    if (this.#known.size >= MAX_ORIGINS) this.#dropOldest()
    const now = this.#clock.now()
    // Nothing of this origin can be had at all; the url's own request says so with the true reason, and at once.
    if (result.kind === 'failure' && SURE_TO_FAIL.has(result.problem)) {
      this.#known.set(origin, { rules: 'allow', expiresAt: now + this.#settings.failureMs })
      return
    }
    const rules = rulesFromAnswer(result.kind === 'failure' ? { failed: true } : result)
    if (rules.kind === 'disallow_all') {
      const unreachable = result.kind === 'failure' ? result.problem : `http_${result.status}`
      this.#known.set(origin, { rules: { unreachable }, expiresAt: now + this.#settings.failureMs })
      return
    }
    const compiled = rules.kind === 'parsed' ? compileRobots(rules.file, this.#settings.userAgent) : 'allow'
    this.#known.set(origin, { rules: compiled, expiresAt: now + DAY_MS })
  }

  #dropOldest(): void {
    const oldest = this.#known.keys().next()
    if (!oldest.done) this.#known.delete(oldest.value)
  }
}

function redirectTarget(result: FetchResult, from: string): string | null {
  if (result.kind === 'failure' || result.location === null || result.status < 300 || result.status > 399) return null
  const target = normaliseUrl(result.location, from)
  return 'url' in target ? target.url : null
}
