// Decides which URLs belong to a crawl: by host, registrable domain, path prefix, and the user's own patterns. Returns
// a reason for exclusion, under which every rejected link is counted.

import { siteOf } from '../../lib/site.ts'
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
  /** Cached verdicts: the links of a page lead to few hosts. */
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
      if (this.#kind === 'domain') this.#domains.add(registrableDomain(hostname))
    }
  }

  /** True if all URLs of a host share one verdict, so that it is needed only once per page. */
  get isDecidedByHost(): boolean {
    return this.#kind !== 'prefix' && this.#include.isEmpty && this.#exclude.isEmpty
  }

  /** The cost of the patterns; see UrlPatterns. */
  get patternWeight(): number {
    return this.#include.weight + this.#exclude.weight
  }

  /** Null if the URL belongs to the crawl. */
  check(url: string, host: string): OutOfScopeReason | null {
    if (!this.#isHostIn(host)) return 'scope'
    if (this.#kind === 'prefix' && !this.#hasPrefix(url)) return 'scope'
    if (!this.#include.isEmpty && !this.#include.matches(url)) return 'not_included'
    if (this.#exclude.matches(url)) return 'excluded_pattern'
    return null
  }

  /** Requisites of pages may be on any host. */
  checkRequisite(url: string): OutOfScopeReason | null {
    return this.#exclude.matches(url) ? 'excluded_pattern' : null
  }

  /** A crawl may have a hundred thousand seeds; a URL has few folders. */
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

/**
 * The domain according to the public suffix list, including private suffixes; an address or a bare name is its own
 * domain.
 */
export function registrableDomain(hostname: string): string {
  return siteOf(hostname)
}

/** The seed without its query, up to the last slash. */
function prefixOf(seed: string): string {
  const path = seed.split('?')[0] ?? seed
  return path.slice(0, path.lastIndexOf('/') + 1)
}
