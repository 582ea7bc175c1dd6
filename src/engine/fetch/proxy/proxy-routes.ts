// Selects the proxy of a request. Several proxies of a host take turns, request by request. A proxy that fails is set
// aside for a time that doubles; meanwhile the others serve its hosts.

import { compareSpecificity, matchesHost } from '../../../config/policies/host-pattern.ts'
import { type ProxyEntry, type ProxyServer, parseProxyEntry } from '../../../config/values/proxy-entry.ts'
import { type Environment, proxiesFromEnvironment } from './environment-proxies.ts'

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 60_000
/** A proxy that has never worked is probably misspelt. After this many failures in a row, no request waits for it. */
const MAX_FIRST_FAILURES = 4
/** Failures in a row that a site may have caused. */
const MAX_DOUBTS = 3

/** A proxy and how it has worked for this client. */
export class TrackedProxy {
  readonly server: ProxyServer
  /** Distinguishes the connection pools of proxies. */
  readonly id: number
  #failures = 0
  #doubts = 0
  #asideUntil = 0
  #hasWorked = false

  constructor(server: ProxyServer, id: number) {
    this.server = server
    this.id = id
  }

  get asideUntil(): number {
    return this.#asideUntil
  }

  /** Whether no request should wait for this proxy. */
  get isHopeless(): boolean {
    return !this.#hasWorked && this.#failures >= MAX_FIRST_FAILURES
  }

  /** Returns whether it had failed before. */
  recordSuccess(): boolean {
    const hadFailed = this.#failures > 0
    this.#failures = 0
    this.#doubts = 0
    this.#asideUntil = 0
    this.#hasWorked = true
    return hadFailed
  }

  /**
   * Whether a failure that the site may have caused counts as the site's. It does if the proxy has worked before, and
   * only a few times in a row: a site cannot get proxies set aside for other sites, and URLs of a site that always
   * fails still come to an end.
   */
  excuse(): boolean {
    if (!this.#hasWorked || this.#doubts >= MAX_DOUBTS) return false
    this.#doubts += 1
    return true
  }

  /** Returns for how long it is set aside; null if it is set aside already: requests in flight fail together. */
  recordFailure(now: number): number | null {
    if (now < this.#asideUntil) return null
    this.#failures += 1
    this.#doubts = 0
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(10, this.#failures - 1))
    this.#asideUntil = now + pauseMs
    return pauseMs
  }
}

/** The proxies that take turns for some hosts. */
export class ProxyGroup {
  readonly proxies: readonly TrackedProxy[]
  #next = 0

  constructor(proxies: readonly TrackedProxy[]) {
    this.proxies = proxies
  }

  /** Null if all proxies are set aside. */
  take(now: number): TrackedProxy | null {
    for (let i = 0; i < this.proxies.length; i += 1) {
      const proxy = this.proxies[(this.#next + i) % this.proxies.length]
      if (proxy === undefined || proxy.asideUntil > now) continue
      this.#next = (this.#next + i + 1) % this.proxies.length
      return proxy
    }
    return null
  }

  /** When the first proxy may be tried again. */
  get retryAt(): number {
    return Math.min(...this.proxies.map(({ asideUntil }) => asideUntil))
  }

  get isHopeless(): boolean {
    return this.proxies.every(({ isHopeless }) => isHopeless)
  }
}

/** The proxies for an origin; null: it is connected to directly. */
export type ProxyRoutes = (origin: string) => ProxyGroup | null

/** Null if the crawl uses no proxy. */
export function buildProxyRoutes(lines: readonly string[], env: Environment): ProxyRoutes | null {
  const entries = lines.flatMap((line) => parseProxyEntry(line) ?? [])
  if (entries.length === 0) return null
  const proxies = new Map<string, TrackedProxy>()
  const toProxy = (server: ProxyServer): TrackedProxy => {
    const key = JSON.stringify(server)
    const proxy = proxies.get(key) ?? new TrackedProxy(server, proxies.size)
    proxies.set(key, proxy)
    return proxy
  }
  const patterns = [...new Set(entries.flatMap(({ host }) => host ?? []))].sort(compareSpecificity)
  const groups = new Map([null, ...patterns].map((host) => [host, toGroup(entries, host, toProxy)]))
  const fromEnvironment = entries.some(({ via }) => via === 'env') ? proxiesFromEnvironment(env) : () => null
  const environmentGroups = new Map<TrackedProxy, ProxyGroup>()
  const byOrigin = new Map<string, ProxyGroup | null>()
  const find = (origin: string): ProxyGroup | null => {
    const url = new URL(origin)
    const pattern = patterns.find((each) => matchesHost(each, url.host)) ?? null
    const group = groups.get(pattern) ?? null
    if (group !== null || pattern !== null) return group
    const server = fromEnvironment(url)
    if (server === null) return null
    const proxy = toProxy(server)
    const known = environmentGroups.get(proxy) ?? new ProxyGroup([proxy])
    environmentGroups.set(proxy, known)
    return known
  }
  return (origin) => {
    const known = byOrigin.get(origin)
    if (known !== undefined) return known
    if (byOrigin.size >= MAX_ORIGINS) byOrigin.clear()
    const found = find(origin)
    byOrigin.set(origin, found)
    return found
  }
}

const MAX_ORIGINS = 10_000

/** Null if the entries say "direct", or there are none. */
function toGroup(
  entries: readonly ProxyEntry[],
  host: string | null,
  toProxy: (server: ProxyServer) => TrackedProxy,
): ProxyGroup | null {
  const servers = entries.flatMap((entry) => (entry.host === host && typeof entry.via === 'object' ? [entry.via] : []))
  return servers.length === 0 ? null : new ProxyGroup(servers.map(toProxy))
}
