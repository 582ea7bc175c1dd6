// What recrawled crawls have learned about hosts and groups of their URLs. Commits read it and add to it.

import {
  addToHost,
  type HostFreshness,
  type HostIncrement,
  type KnownHost,
  NEW_HOST,
} from '../../../../frontier/host-freshness.ts'
import { addToGroup, EMPTY_GROUP, GROUP_DECAY, type RateGroup } from '../../../../frontier/recrawl/priors.ts'
import { groupNames } from '../../../../frontier/recrawl/rate-groups.ts'
import { SIGNAL_KINDS } from '../../../../ports/visits.ts'
import { type Queryable, toPostgresText } from '../../../postgres/query.ts'
import {
  HOST_COLUMNS,
  HOST_COUNTS,
  hostValues,
  RATE_COLUMNS,
  rateValues,
  signalColumns,
  toHostFreshness,
  toRateGroup,
} from '../../revisit-row.ts'

/** Gain of one observation. `rateGroup` is the group of its URL. */
export interface ObservedGain {
  host: number
  rateGroup: string
  gain: HostIncrement
}

/** A host and the group of one of its URLs. */
export interface GroupOfHost {
  host: number
  rateGroup: string
}

const FIND = {
  name: 'revisit_hosts_find',
  text: 'select * from revisit_hosts where crawl = $1 and host = any($2::int[])',
}
const FIND_GROUPS = {
  name: 'revisit_groups_find',
  text: `with wanted as materialized (select $1::int as crawl, w.* from unnest($2::int[], $3::text[]) as w (host, name))
    select g.* from wanted w join revisit_groups g on g.crawl = w.crawl and g.host = w.host and g.name = w.name`,
}

const KEEPS = ['keep', ...SIGNAL_KINDS.map((kind) => `${kind}_keep`)]
const GAINED = [...KEEPS, ...HOST_COLUMNS]
const gainType = (name: string) => ((HOST_COUNTS as readonly string[]).includes(name) ? 'int' : 'double precision')
const HOST_SUMS = [
  ...HOST_COUNTS.map((name) => `${name} = h.${name} + g.${name}`),
  ...RATE_COLUMNS.map((name) => `${name} = h.${name} * g.keep + g.${name}`),
  ...SIGNAL_KINDS.flatMap((kind) =>
    signalColumns(kind).map((name) => `${name} = h.${name} * g.${kind}_keep + g.${name}`),
  ),
]
/** `keep` is by how much sums fade: once per observation. */
const ADD = {
  name: 'revisit_hosts_add',
  text: `with gains as materialized (
      select g.* from unnest($2::int[], ${GAINED.map((name, i) => `$${i + 3}::${gainType(name)}[]`).join(', ')})
        as g (host, ${GAINED.join(', ')})
    ), updated as (
      update revisit_hosts h set ${HOST_SUMS.join(', ')}
      from gains g where h.crawl = $1 and h.host = g.host returning h.host
    )
    insert into revisit_hosts (crawl, host, ${HOST_COLUMNS.join(', ')})
    select $1, g.host, ${HOST_COLUMNS.map((name) => `g.${name}`).join(', ')} from gains g
    where g.host not in (select host from updated) order by g.host
    on conflict (crawl, host) do nothing`,
}
const ADD_GROUPS = {
  name: 'revisit_groups_add',
  text: `with gains as materialized (
      select g.* from unnest($2::int[], $3::text[], $4::double precision[], $5::double precision[], $6::double precision[],
        $7::double precision[], $8::double precision[]) as g (host, name, keep, ${RATE_COLUMNS.join(', ')})
    ), locked as (
      select h.crawl, h.host, h.name from gains g join revisit_groups h on h.crawl = $1 and h.host = g.host and h.name = g.name
      order by h.host, h.name for update of h
    ), updated as (
      update revisit_groups h set ${RATE_COLUMNS.map((name) => `${name} = h.${name} * g.keep + g.${name}`).join(', ')}
      from locked k join gains g on g.host = k.host and g.name = k.name
      where h.crawl = k.crawl and h.host = k.host and h.name = k.name returning h.host, h.name
    )
    insert into revisit_groups (crawl, host, name, ${RATE_COLUMNS.join(', ')})
    select $1, g.host, g.name, ${RATE_COLUMNS.map((name) => `g.${name}`).join(', ')} from gains g
    where (g.host, g.name) not in (select host, name from updated) order by g.host, g.name
    on conflict (crawl, host, name) do nothing`,
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

export type KnownHosts = ReadonlyMap<number, KnownHost>

const NOTHING_KNOWN: KnownHost = { host: NEW_HOST, groups: new Map() }

export function knownHost(hosts: KnownHosts, host: number): KnownHost {
  return hosts.get(host) ?? NOTHING_KNOWN
}

/** The hosts, with these groups of their URLs. */
export async function findKnownHosts(db: Queryable, crawl: number, urls: GroupOfHost[]): Promise<KnownHosts> {
  if (urls.length === 0) return new Map()
  const byHost = await findHostFreshness(
    db,
    crawl,
    urls.map(({ host }) => host),
  )
  const wanted = new Map<string, { host: number; name: string }>()
  for (const { host, rateGroup } of urls)
    for (const name of groupNames(rateGroup)) wanted.set(`${host} ${name}`, { host, name: toPostgresText(name) })
  const names = [...wanted.values()]
  const lists = [names.map(({ host }) => host), names.map(({ name }) => name)]
  const { rows } = names.length === 0 ? { rows: [] } : await db.query({ ...FIND_GROUPS, values: [crawl, ...lists] })
  const known = new Map<number, KnownHost & { groups: Map<string, RateGroup> }>()
  for (const { host } of urls) known.set(host, { host: byHost.get(host) ?? NEW_HOST, groups: new Map() })
  for (const row of rows) known.get(Number(row['host']))?.groups.set(String(row['name']), toRateGroup(row))
  return known
}

/** If two commits add the same new host concurrently, one of the gains is lost, which does no harm. */
export async function addHostGains(tx: Queryable, crawl: number, gains: ObservedGain[]): Promise<void> {
  if (gains.length === 0) return
  await addToHosts(tx, crawl, gains)
  await addToGroups(tx, crawl, gains)
}

async function addToHosts(tx: Queryable, crawl: number, gains: ObservedGain[]): Promise<void> {
  const byHost = new Map<number, { keeps: number[]; sum: HostFreshness }>()
  for (const { host, gain } of gains) {
    const before = byHost.get(host) ?? { keeps: KEEPS.map(() => 1), sum: NEW_HOST }
    const factors = [GROUP_DECAY, ...SIGNAL_KINDS.map((kind) => gain.signals[kind].keep)]
    const keeps = before.keeps.map((keep, i) => keep * (factors[i] ?? 1))
    byHost.set(host, { keeps, sum: addToHost(before.sum, gain) })
  }
  // Sorted to avoid deadlocks.
  const sorted = [...byHost].sort(([a], [b]) => a - b)
  const rows = sorted.map(([, { keeps, sum }]) => [...keeps, ...hostValues(sum)])
  const lists = GAINED.map((_, i) => rows.map((row) => row[i] ?? 0))
  await tx.query({ ...ADD, values: [crawl, sorted.map(([host]) => host), ...lists] })
}

async function addToGroups(tx: Queryable, crawl: number, gains: ObservedGain[]): Promise<void> {
  const byName = new Map<string, { host: number; name: string; keep: number; sum: RateGroup }>()
  for (const { host, rateGroup, gain } of gains) {
    for (const group of groupNames(rateGroup)) {
      const name = toPostgresText(group)
      const before = byName.get(`${host} ${name}`) ?? { keep: 1, sum: EMPTY_GROUP }
      const sum = addToGroup(before.sum, gain.groupRates)
      byName.set(`${host} ${name}`, { host, name, keep: before.keep * GROUP_DECAY, sum })
    }
  }
  const groups = [...byName.values()]
  if (groups.length === 0) return
  const values = groups.map(({ sum }) => rateValues(sum))
  const sums = RATE_COLUMNS.map((_, i) => values.map((row) => row[i] ?? 0))
  const keys = [groups.map(({ host }) => host), groups.map(({ name }) => name), groups.map(({ keep }) => keep)]
  await tx.query({ ...ADD_GROUPS, values: [crawl, ...keys, ...sums] })
}
