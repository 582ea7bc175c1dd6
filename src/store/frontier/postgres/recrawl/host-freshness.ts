// What crawls with --recrawl have learned about hosts, read and added to in commits.

import { type HostFreshness, isEmptyGain } from '../../../../frontier/host-freshness.ts'
import { GROUP_KEEP } from '../../../../frontier/recrawl/priors.ts'
import type { Queryable } from '../../../postgres/query.ts'
import { HOST_COUNTS, HOST_RATES, hostGainValues, toHostFreshness } from '../../revisit-row.ts'

export interface HostGain {
  host: number
  gain: HostFreshness
}

const FIND = {
  name: 'revisit_hosts_find',
  text: 'select * from revisit_hosts where crawl = $1 and host = any($2::int[])',
}

const COLUMNS = [...HOST_COUNTS, ...HOST_RATES]
/** `$3` is by how much the rates of each host fade: once per look. */
const ADD = {
  name: 'revisit_hosts_add',
  text: `with gains as materialized (
      select g.* from unnest($2::int[], $3::double precision[], $4::int[], $5::int[], $6::int[], $7::double precision[],
        $8::double precision[], $9::double precision[], $10::double precision[]) as g (host, keep, ${COLUMNS.join(', ')})
    ), updated as (
      update revisit_hosts h set
        ${HOST_COUNTS.map((name) => `${name} = h.${name} + g.${name}`).join(', ')},
        ${HOST_RATES.map((name) => `${name} = h.${name} * g.keep + g.${name}`).join(', ')}
      from gains g where h.crawl = $1 and h.host = g.host returning h.host
    )
    insert into revisit_hosts (crawl, host, ${COLUMNS.join(', ')})
    select $1, g.host, ${COLUMNS.map((name) => `g.${name}`).join(', ')} from gains g
    where g.host not in (select host from updated) order by g.host
    on conflict (crawl, host) do nothing`,
}

export async function findHostFreshness(
  db: Queryable,
  crawl: number,
  hosts: number[],
): Promise<Map<number, HostFreshness>> {
  if (hosts.length === 0) return new Map()
  const { rows } = await db.query({ ...FIND, values: [crawl, [...new Set(hosts)]] })
  return new Map(rows.map((row) => [Number(row['host']), toHostFreshness(row)]))
}

/** If two commits add the same new host at once, one of the gains is lost, which does no harm. */
export async function addHostGains(tx: Queryable, crawl: number, gains: HostGain[]): Promise<void> {
  const byHost = new Map<number, { keep: number; values: number[] }>()
  for (const { host, gain } of gains) {
    if (isEmptyGain(gain)) continue
    const sum = byHost.get(host) ?? { keep: 1, values: COLUMNS.map(() => 0) }
    const added = hostGainValues(gain)
    const values = sum.values.map((value, i) => value * (i < HOST_COUNTS.length ? 1 : GROUP_KEEP) + (added[i] ?? 0))
    byHost.set(host, { keep: sum.keep * GROUP_KEEP, values })
  }
  if (byHost.size === 0) return
  // In this order, so that there are no deadlocks.
  const sorted = [...byHost].sort(([a], [b]) => a - b)
  const lists = COLUMNS.map((_, i) => sorted.map(([, { values }]) => values[i] ?? 0))
  const values = [crawl, sorted.map(([host]) => host), sorted.map(([, { keep }]) => keep), ...lists]
  await tx.query({ ...ADD, values })
}
