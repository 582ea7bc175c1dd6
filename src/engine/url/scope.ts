// Which urls belong to a crawl: by host, registrable domain, path prefix, and the user's own patterns. The answer is
// a reason to leave a url out, so that every rejected link can be counted by it.

import { getDomain } from 'tldts'
import { UrlPatterns } from './url-patterns.ts'

export interface ScopeSettings {
  scope: 'host' | 'domain' | 'prefix' | 'any'
  include: string[]
  exclude: string[]
}

export type OutOfScopeReason = 'scope' | 'not_included' | 'excluded_pattern'

export class Scope {
  readonly #kind: ScopeSettings['scope']
  readonly #hosts = new Set<string>()
  readonly #domains = new Set<string>()
  readonly #prefixes: ReadonlySet<string>
  readonly #include: UrlPatterns
  readonly #exclude: UrlPatterns
  /** Hosts judged before: a page's links point to few hosts. */
  readonly #verdictByHost = new Map<string, boolean>()

  constructor(settings: ScopeSettings, seeds: string[]) {
    this.#kind = settings.scope
    this.#include = UrlPatterns.compile(settings.include, 'include')
    this.#exclude = UrlPatterns.compile(settings.exclude, 'exclude')
    this.#prefixes = new Set(seeds.map(prefixOf))
    for (const seed of seeds) {
      const { host, hostname } = new URL(seed)
      this.#hosts.add(host)
      this.#hosts.add(toggleWww(host))
      this.#domains.add(registrableDomain(hostname))
    }
  }

  /** True when all urls of a host share one verdict, so that it need be asked for only once a page. */
  get isDecidedByHost(): boolean {
    return this.#kind !== 'prefix' && this.#include.isEmpty && this.#exclude.isEmpty
  }

  /** What the patterns cost; see UrlPatterns. */
  get patternWeight(): number {
    return this.#include.weight + this.#exclude.weight
  }

  /** null: the url belongs to the crawl. */
  check(url: string, host: string): OutOfScopeReason | null {
    if (!this.#isHostIn(host)) return 'scope'
    if (this.#kind === 'prefix' && !this.#hasPrefix(url)) return 'scope'
    if (!this.#include.isEmpty && !this.#include.matches(url)) return 'not_included'
    if (this.#exclude.matches(url)) return 'excluded_pattern'
    return null
  }

  /** A crawl may have a hundred thousand start urls; a url has few folders. */
  #hasPrefix(url: string): boolean {
    for (let end = url.indexOf('/'); end >= 0; end = url.indexOf('/', end + 1)) {
      if (this.#prefixes.has(url.slice(0, end + 1))) return true
    }
    return false
  }

  #isHostIn(host: string): boolean {
    if (this.#kind === 'any' || this.#kind === 'prefix') return true
    if (this.#kind === 'host') return this.#hosts.has(host)
    const known = this.#verdictByHost.get(host)
    if (known !== undefined) return known
    const isIn = this.#domains.has(registrableDomain(host.replace(/:\d+$/, '')))
    if (this.#verdictByHost.size >= MAX_CACHED_HOSTS) this.#verdictByHost.clear()
    this.#verdictByHost.set(host, isIn)
    return isIn
  }
}

const MAX_CACHED_HOSTS = 10_000

/** The host with www, or without it. */
export function toggleWww(host: string): string {
  return host.startsWith('www.') ? host.slice(4) : `www.${host}`
}

/** By the public suffix list, private suffixes included; an address or a bare name is its own domain. */
export function registrableDomain(hostname: string): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname
}

/** The seed without its query, up to the last slash. */
function prefixOf(seed: string): string {
  const path = seed.split('?')[0] ?? seed
  return path.slice(0, path.lastIndexOf('/') + 1)
}
