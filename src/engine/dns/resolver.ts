// Names to addresses, with a memory. A name is in the hosts file, or it is asked for once however many wait for it,
// and the answer is kept as long as its records say, within bounds (entry.ts). One per process or thread.

import { isIP, type LookupFunction } from 'node:net'
import type { Clock } from '../../lib/clock.ts'
import { CodedError } from '../fetch/result.ts'
import type { Address, Outcome } from './answer.ts'
import { type Chain, followChain, NO_CHAIN } from './chain.ts'
import { type Entry, nextEntry } from './entry.ts'
import { HostsFile, SYSTEM_HOSTS_PATH } from './hosts.ts'
import { type AddressFilter, lookupFunction } from './lookup.ts'
import { plainHost } from './name.ts'
import { Outlet } from './outlet.ts'
import { askFor, type Reply, type Sources } from './question.ts'
import { RecentMap } from './recent.ts'
import { NameServers, type ServerSettings, systemServers } from './servers.ts'
import { type AskSystem, askSystem, loopbackOf } from './system.ts'

export interface DnsSettings extends ServerSettings {
  hostsPath: string
  /** From question to answer, whatever the servers do. */
  deadlineMs: number
  maxNames: number
  /** Aliases recorded per name; 0 asks for none. */
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
  /** Asked for at the start, and again when they stop answering. */
  servers: () => string[]
  system: AskSystem
}

export const SYSTEM_SOURCES: DnsSources = { servers: systemServers, system: askSystem }

export interface DnsAnswer {
  addresses: readonly Address[]
}

export interface KnownName {
  /** The first to be dialled. */
  address: string
  chain: readonly string[]
  chainEnd: Chain['end']
}

const NO_ADDRESSES: DnsAnswer = { addresses: [] }

export class NameResolver {
  readonly #settings: DnsSettings
  readonly #sources: Sources
  readonly #clock: Clock
  readonly #hosts: HostsFile
  readonly #entries: RecentMap<Entry>
  readonly #asking = new Map<string, ((outcome: Outcome) => void)[]>()

  constructor(settings: DnsSettings, sources: DnsSources, clock: Clock) {
    this.#settings = settings
    this.#clock = clock
    const servers = new NameServers(settings, sources.servers, clock)
    this.#sources = { servers, outlet: new Outlet(clock), system: sources.system, clock }
    this.#hosts = new HostsFile(settings.hostsPath, clock)
    this.#entries = new RecentMap(settings.maxNames)
  }

  /** Calls back exactly once, never before returning. The error has the code of what went wrong. */
  lookup(hostname: string, done: (error: Error | null, answer: DnsAnswer) => void): void {
    this.#find(plainHost(hostname), (outcome) => {
      queueMicrotask(() => {
        if (outcome.kind === 'found') done(null, { addresses: outcome.addresses })
        else done(new CodedError(outcome.code), NO_ADDRESSES)
      })
    })
  }

  /** What is known without asking: the last addresses of the name, be they past their time. */
  peek(hostname: string): KnownName | null {
    const name = plainHost(hostname)
    const entry = this.#entries.peek(name)
    const own = this.#own(name)
    const outcome = own ?? entry?.outcome
    const first = outcome?.kind === 'found' ? outcome.addresses[0] : undefined
    if (first === undefined) return null
    const { names, end } = own === null ? (entry?.chain ?? NO_CHAIN) : NO_CHAIN
    return { address: first.address, chain: names, chainEnd: end }
  }

  /** For sockets: only addresses that pass are dialled. */
  asLookupFunction(filter: AddressFilter): LookupFunction {
    return lookupFunction((hostname, done) => this.lookup(hostname, done), filter)
  }

  /** Ends what is under way; its callers get an error, as do later ones for what is not remembered. */
  close(): void {
    this.#sources.servers.close()
  }

  #find(name: string, done: (outcome: Outcome) => void): void {
    this.#hosts.check(() => {
      const own = this.#own(name)
      if (own !== null) return done(own)
      const entry = this.#entries.get(name)
      if (entry !== undefined && this.#clock.now() < entry.freshUntil) return done(entry.outcome)
      const waiting = this.#asking.get(name)
      if (waiting !== undefined) {
        waiting.push(done)
        return
      }
      this.#asking.set(name, [done])
      askFor({ name, deadlineMs: this.#settings.deadlineMs }, this.#sources, (reply) => this.#learn(name, reply))
    })
  }

  /** What needs no question. */
  #own(name: string): Outcome | null {
    const family = isIP(name)
    if (family === 4 || family === 6) return found([{ address: name, family }])
    const addresses = this.#hosts.find(name)
    return addresses === null ? loopbackOf(name) : found(addresses)
  }

  #learn(name: string, { outcome, isFromServers }: Reply): void {
    const entry = nextEntry(outcome, this.#entries.peek(name), this.#clock.now())
    this.#entries.set(name, entry)
    for (const done of this.#asking.get(name) ?? []) done(entry.outcome)
    this.#asking.delete(name)
    const { maxChainDepth: maxDepth } = this.#settings
    if (outcome.kind !== 'found' || !isFromServers || maxDepth === 0) return
    const { servers } = this.#sources
    followChain(
      { name, maxDepth },
      (from, done) => servers.askAlias(from, done),
      (chain) => {
        if (chain.end !== 'unknown') entry.chain = chain
      },
    )
  }
}

function found(addresses: readonly Address[]): Outcome {
  return { kind: 'found', addresses, ttlMs: 0 }
}
