// Queries the DNS servers of the system on the event loop: c-ares uses no thread of the pool.

import { Resolver } from 'node:dns'
import type { Clock } from '../../lib/clock.ts'
import type { CnameResult } from './cname-chain.ts'
import { type Address, type DnsResult, toDnsFailure } from './dns-result.ts'

export interface ServerSettings {
  /** Timeout of one try. c-ares starts lower, at 250 ms, once it has seen a server respond quickly. */
  timeoutMs: number
  /**
   * Tries per server: with 5 a silent server is given up after 7 s, or 10 s if it never responded (c-ares 1.34,
   * 2026-11).
   */
  tries: number
}

/** The list of servers is read again after they failed, at most this often. */
const RENEW_MS = 30_000
/** c-ares has no server configured, or its address is unreachable. */
const UNREACHABLE_CODES = new Set(['ECONNREFUSED', 'UNKNOWN_ARES_ERROR'])

/** The name servers that the system uses now, each as "address" or "address:port". */
export function systemServers(): string[] {
  return new Resolver().getServers()
}

export function isUnreachable(dnsResult: DnsResult): boolean {
  return dnsResult.kind === 'failed' && UNREACHABLE_CODES.has(dnsResult.code)
}

export class NameServers {
  readonly #settings: ServerSettings
  readonly #list: () => string[]
  readonly #clock: Clock
  #servers: string[]
  #resolver: Resolver
  #renewedAt: number
  #isClosed = false

  constructor(settings: ServerSettings, list: () => string[], clock: Clock) {
    this.#settings = settings
    this.#list = list
    this.#clock = clock
    this.#servers = list()
    this.#resolver = this.#open()
    this.#renewedAt = clock.now()
  }

  queryAddresses(name: string, family: 4 | 6, done: (dnsResult: DnsResult) => void): void {
    if (this.#isClosed) return queueMicrotask(() => done({ kind: 'failed', code: 'ECANCELLED' }))
    const take = (error: NodeJS.ErrnoException | null, records: { address: string; ttl: number }[]) => {
      const dnsResult = error === null ? outcomeOfRecords(records, family) : toDnsFailure(error)
      if (dnsResult.kind === 'failed' && !this.#isClosed) this.#renew()
      done(dnsResult)
    }
    if (family === 4) this.#resolver.resolve4(name, { ttl: true }, take)
    else this.#resolver.resolve6(name, { ttl: true }, take)
  }

  queryCname(name: string, done: (cnameResult: CnameResult) => void): void {
    if (this.#isClosed) return queueMicrotask(() => done({ kind: 'failed' }))
    this.#resolver.resolveCname(name, (error, targets) => {
      if (error !== null) return done({ kind: toDnsFailure(error).kind === 'none' ? 'none' : 'failed' })
      const target = targets[0]
      done(target === undefined ? { kind: 'none' } : { kind: 'alias', target: target.toLowerCase() })
    })
  }

  /** Pending and later queries fail with ECANCELLED. */
  close(): void {
    this.#isClosed = true
    this.#resolver.cancel()
  }

  #open(): Resolver {
    const { timeoutMs, tries } = this.#settings
    const resolver = new Resolver({ timeout: timeoutMs, maxTimeout: timeoutMs, tries })
    resolver.setServers(this.#servers)
    return resolver
  }

  /** A crawl may outlive a change of network. Queries to removed servers are not waited for. */
  #renew(): void {
    if (this.#clock.now() - this.#renewedAt < RENEW_MS) return
    this.#renewedAt = this.#clock.now()
    const servers = this.#list()
    if (servers.join() === this.#servers.join()) return
    this.#servers = servers
    const old = this.#resolver
    this.#resolver = this.#open()
    old.cancel()
  }
}

function outcomeOfRecords(records: { address: string; ttl: number }[], family: 4 | 6): DnsResult {
  // An alias of a name without addresses is a response without records.
  if (records.length === 0) return { kind: 'none', code: 'ENODATA' }
  const addresses: Address[] = [...new Set(records.map((record) => record.address))].map((address) => {
    return { address, family }
  })
  return { kind: 'found', addresses, ttlMs: Math.min(...records.map((record) => record.ttl)) * 1000 }
}
