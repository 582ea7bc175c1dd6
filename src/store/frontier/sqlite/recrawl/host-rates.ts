// What recrawled crawls have learned about hosts and groups of their URLs. Every visit reads and writes it, so
// recent entries stay in memory. After a failed transaction the store is opened again, so memory never runs ahead of
// the file.

import type { DatabaseSync } from 'node:sqlite'
import {
  addToHost,
  type HostFreshness,
  type HostIncrement,
  type KnownHost,
} from '../../../../frontier/host-freshness.ts'
import { addToGroup, EMPTY_GROUP, type RateGroup } from '../../../../frontier/recrawl/priors.ts'
import { groupNames } from '../../../../frontier/recrawl/rate-groups.ts'
import { HOST_COLUMNS, hostValues, RATE_COLUMNS, rateValues, toHostFreshness, toRateGroup } from '../../revisit-row.ts'
import type { ActiveCrawl } from '../crawl-state/active-crawls.ts'

type CrawlRow = Pick<ActiveCrawl, 'rowId'>

interface CachedHost {
  host: HostFreshness
  readonly groups: Map<string, RateGroup>
}

/** Hosts and groups of all crawls. Beyond it the cache starts over. Each has a few hundred bytes. */
const MAX_CACHED = 50_000

export class HostRates {
  #caches = new WeakMap<CrawlRow, Map<number, CachedHost>>()
  #size = 0
  readonly #findHost
  readonly #saveHost
  readonly #findGroup
  readonly #saveGroup

  constructor(db: DatabaseSync) {
    const replace = (table: string, columns: readonly string[]) =>
      db.prepare(
        `insert or replace into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
      )
    this.#findHost = db.prepare('select * from revisit_hosts where crawl = ? and host = ?')
    this.#saveHost = replace('revisit_hosts', ['crawl', 'host', ...HOST_COLUMNS])
    this.#findGroup = db.prepare('select * from revisit_groups where crawl = ? and host = ? and name = ?')
    this.#saveGroup = replace('revisit_groups', ['crawl', 'host', 'name', ...RATE_COLUMNS])
  }

  host(crawl: CrawlRow, hostId: number): HostFreshness {
    return this.#cached(crawl, hostId).host
  }

  /** Reads a host with the groups of this URL. */
  read(crawl: CrawlRow, hostId: number, rateGroup: string): CachedHost {
    const cached = this.#cached(crawl, hostId)
    for (const name of groupNames(rateGroup)) {
      if (cached.groups.has(name)) continue
      const row = this.#findGroup.get(crawl.rowId, hostId, name)
      cached.groups.set(name, row === undefined ? EMPTY_GROUP : toRateGroup(row))
      this.#size += 1
    }
    return cached
  }

  /** Adds an observation of a URL of this group, and returns the updated rates. */
  add(crawl: CrawlRow, hostId: number, { gain, rateGroup }: { gain: HostIncrement; rateGroup: string }): KnownHost {
    const cached = this.read(crawl, hostId, rateGroup)
    cached.host = addToHost(cached.host, gain)
    this.#saveHost.run(crawl.rowId, hostId, ...hostValues(cached.host))
    for (const name of groupNames(rateGroup)) {
      const group = addToGroup(cached.groups.get(name) ?? EMPTY_GROUP, gain.groupRates)
      cached.groups.set(name, group)
      this.#saveGroup.run(crawl.rowId, hostId, name, ...rateValues(group))
    }
    return cached
  }

  #cached(crawl: CrawlRow, hostId: number): CachedHost {
    // One host may have any number of groups.
    if (this.#size >= MAX_CACHED) {
      this.#caches = new WeakMap()
      this.#size = 0
    }
    const hosts = this.#hostsOf(crawl)
    const known = hosts.get(hostId)
    if (known !== undefined) return known
    const host = { host: toHostFreshness(this.#findHost.get(crawl.rowId, hostId)), groups: new Map() }
    hosts.set(hostId, host)
    this.#size += 1
    return host
  }

  #hostsOf(crawl: CrawlRow): Map<number, CachedHost> {
    const known = this.#caches.get(crawl)
    if (known !== undefined) return known
    const hosts = new Map<number, CachedHost>()
    this.#caches.set(crawl, hosts)
    return hosts
  }
}
