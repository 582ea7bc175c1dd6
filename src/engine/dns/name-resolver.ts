// Resolves names to addresses, with a cache. A name is in the hosts file, or it is queried once for all concurrent
// lookups, and the result is cached for its TTL, within limits (cache-entry.ts). One per process or thread.

import type { LookupFunction } from 'node:net'
import type { Clock } from '../../lib/clock.ts'
import { normaliseHostname } from '../../lib/hostname.ts'
import { ipVersion } from '../../lib/ip-version.ts'
import { LruCache } from '../../lib/lru-cache.ts'
import { CodedError } from '../fetch/fetch-result.ts'
import { type DnsCacheEntry, updateCacheEntry } from './cache-entry.ts'
import { type CnameChain, followCnames, UNKNOWN_CHAIN } from './cname-chain.ts'
import type { Address, DnsResult } from './dns-result.ts'
import { HostsFile, SYSTEM_HOSTS_PATH } from './hosts-file.ts'
import { type AddressFilter, createLookupFunction } from './lookup-function.ts'
import { NameServers, type ServerSettings, systemServers } from './name-servers.ts'
import { type DnsReply, type QueryDependencies, queryAddresses } from './query-addresses.ts'
import { QueryLimiter } from './query-limiter.ts'
import { resolveLoopback, type SystemLookup, systemLookup } from './system-lookup.ts'

export interface DnsSettings extends ServerSettings {
  hostsPath: string
  /** Maximum time from query to result, whatever the servers do. */
  deadlineMs: number
  maxNames: number
  /** Maximum length of recorded CNAME chains; 0 disables them. */
  maxChainDepth: number
}

export const DNS_DEFAULTS: DnsSettings = {
  hostsPath: SYSTEM_HOSTS_PATH,
  timeoutMs: 2_000,
  tries: 5,
  deadlineMs: 8_000,
  maxNames: 10_000,
  maxChainDepth: 8,
}

export interface DnsSources {
  /** The name servers, read at the start, and again when they stop responding. */
  servers: () => string[]
  system: SystemLookup
}

export const SYSTEM_SOURCES: DnsSources = { servers: systemServers, system: systemLookup }

export interface ResolvedAddresses {
  addresses: readonly Address[]
}

export interface CachedName {
  /** The address to connect to first. */
  address: string
  chain: readonly string[]
  chainEnd: CnameChain['end']
}

const NO_ADDRESSES: ResolvedAddresses = { addresses: [] }

export class NameResolver {
  readonly #settings: DnsSettings
  readonly #sources: QueryDependencies
  readonly #clock: Clock
  readonly #hosts: HostsFile
  readonly #entries: LruCache<DnsCacheEntry>
  readonly #waiting = new Map<string, ((dnsResult: DnsResult) => void)[]>()

  constructor(settings: DnsSettings, sources: DnsSources, clock: Clock) {
    this.#settings = settings
    this.#clock = clock
    const servers = new NameServers(settings, sources.servers, clock)
    this.#sources = { servers, limiter: new QueryLimiter(clock), system: sources.system, clock }
    this.#hosts = new HostsFile(settings.hostsPath, clock)
    this.#entries = new LruCache(settings.maxNames)
  }

  /** Calls back exactly once, never synchronously. The error has a code. */
  lookup(hostname: string, done: (error: Error | null, answer: ResolvedAddresses) => void): void {
    this.#find(normaliseHostname(hostname), (dnsResult) => {
      queueMicrotask(() => {
        if (dnsResult.kind === 'found') done(null, { addresses: dnsResult.addresses })
        else done(new CodedError(dnsResult.code), NO_ADDRESSES)
      })
    })
  }

  /** Returns cached data without a query: the last addresses of the name, even if expired. */
  peek(hostname: string): CachedName | null {
    const name = normaliseHostname(hostname)
    const entry = this.#entries.peek(name)
    const local = this.#resolveLocally(name)
    const outcome = local ?? entry?.outcome
    const first = outcome?.kind === 'found' ? outcome.addresses[0] : undefined
    if (first === undefined) return null
    const { names, end } = local === null ? (entry?.chain ?? UNKNOWN_CHAIN) : UNKNOWN_CHAIN
    return { address: first.address, chain: names, chainEnd: end }
  }

  /** A lookup function for sockets: only addresses that pass the filter are used. */
  asLookupFunction(filter: AddressFilter): LookupFunction {
    return createLookupFunction((hostname, done) => this.lookup(hostname, done), filter)
  }

  /** Cancels pending queries; they fail, and so do later ones for names that are not cached. */
  close(): void {
    this.#sources.servers.close()
  }

  #find(name: string, done: (dnsResult: DnsResult) => void): void {
    this.#hosts.check(() => {
      const local = this.#resolveLocally(name)
      if (local !== null) return done(local)
      const entry = this.#entries.get(name)
      if (entry !== undefined && this.#clock.now() < entry.freshUntil) return done(entry.outcome)
      const waiting = this.#waiting.get(name)
      if (waiting !== undefined) {
        waiting.push(done)
        return
      }
      this.#waiting.set(name, [done])
      queryAddresses({ name, deadlineMs: this.#settings.deadlineMs }, this.#sources, (dnsReply) =>
        this.#store(name, dnsReply),
      )
    })
  }

  /** Resolves without a query: addresses, the hosts file, loopback. */
  #resolveLocally(name: string): DnsResult | null {
    const family = ipVersion(name)
    if (family === 4 || family === 6) return found([{ address: name, family }])
    const addresses = this.#hosts.find(name)
    return addresses === null ? resolveLoopback(name) : found(addresses)
  }

  #store(name: string, { outcome, isFromServers }: DnsReply): void {
    const dnsCacheEntry = updateCacheEntry(outcome, this.#entries.peek(name), this.#clock.now())
    this.#entries.set(name, dnsCacheEntry)
    for (const done of this.#waiting.get(name) ?? []) done(dnsCacheEntry.outcome)
    this.#waiting.delete(name)
    const { maxChainDepth: maxDepth } = this.#settings
    if (outcome.kind !== 'found' || !isFromServers || maxDepth === 0) return
    const { servers } = this.#sources
    followCnames(
      { name, maxDepth },
      (from, done) => servers.queryCname(from, done),
      (cnameChain) => {
        if (cnameChain.end !== 'unknown') dnsCacheEntry.chain = cnameChain
      },
    )
  }
}

function found(addresses: readonly Address[]): DnsResult {
  return { kind: 'found', addresses, ttlMs: 0 }
}
