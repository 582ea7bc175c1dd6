// What recrawled crawls have learned about hosts and about groups of their URLs.

import type { DatabaseSync } from 'node:sqlite'
import { addToHost, type HostIncrement, type KnownHost } from '../../../../frontier/host-freshness.ts'
import { addToGroup, EMPTY_GROUP } from '../../../../frontier/recrawl/priors.ts'
import { groupNames } from '../../../../frontier/recrawl/rate-groups.ts'
import { HOST_COLUMNS, hostValues, RATE_COLUMNS, rateValues, toHostFreshness, toRateGroup } from '../../revisit-row.ts'

export class HostRates {
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

  /** With the groups of this URL. */
  read(crawl: number, hostId: number, rateGroup: string): KnownHost {
    const groups = groupNames(rateGroup).flatMap((name) => {
      const row = this.#findGroup.get(crawl, hostId, name)
      return row === undefined ? [] : [[name, toRateGroup(row)] as const]
    })
    return { host: toHostFreshness(this.#findHost.get(crawl, hostId)), groups: new Map(groups) }
  }

  /** Returns what is known then. `known` was read with the same group. */
  add(
    crawl: number,
    hostId: number,
    { known, gain, rateGroup }: { known: KnownHost; gain: HostIncrement; rateGroup: string },
  ): KnownHost {
    const host = addToHost(known.host, gain)
    this.#saveHost.run(crawl, hostId, ...hostValues(host))
    const groups = groupNames(rateGroup).map((name) => {
      const group = addToGroup(known.groups.get(name) ?? EMPTY_GROUP, gain.groupRates)
      this.#saveGroup.run(crawl, hostId, name, ...rateValues(group))
      return [name, group] as const
    })
    return { host, groups: new Map(groups) }
  }
}
