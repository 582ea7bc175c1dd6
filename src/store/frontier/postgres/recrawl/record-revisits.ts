// Writes what the visits of a commit say about the next ones, in the same transaction. Only for crawls with --recrawl.

import { type HostFreshness, hostGain, NEW_HOST, priorOfHost } from '../../../../frontier/host-freshness.ts'
import { extendedExpiry } from '../../../../frontier/page-versions.ts'
import { addVisit, isLook, planRevisit, type RevisitHistory } from '../../../../frontier/revisit-plan.ts'
import { extendVersions } from '../../../pages/postgres-write-pages.ts'
import type { PolicyCache } from '../../../policies/postgres.ts'
import { bulkInsert } from '../../../postgres/bulk-insert.ts'
import { type Queryable, type Row, toPostgresTextOrNull } from '../../../postgres/query.ts'
import { HISTORY_COLUMNS, historyValues, toHistory, toVisitEnd } from '../../revisit-row.ts'
import type { CachedCrawl } from '../crawl-state/crawl-cache.ts'
import { type InFlightUrl, isUnchanged, type VisitToRecord } from '../discovery/collect-discoveries.ts'
import { addHostGains, findHostFreshness, type HostGain } from './host-freshness.ts'

/** Histories by URL id. */
export type KnownRevisits = Map<number, RevisitHistory>

/** A URL with its history, visited last at `from`. */
export interface UrlToPlan {
  id: number
  host: number
  history: RevisitHistory
  from: number
}

const FIND = {
  name: 'revisits_find',
  text: `with wanted as materialized (select $1::int as crawl, w.* from unnest($2::bigint[], $3::int[]) as w (id, host))
    select r.* from wanted w join revisits r on r.crawl = w.crawl and r.host = w.host and r.url_id = w.id`,
}
const DELETE_LINKS = {
  name: 'revisits_delete_links',
  text: `with these as materialized (select $1::int as crawl, t.* from unnest($2::bigint[], $3::int[]) as t (id, host))
    delete from links l using these t where l.crawl = t.crawl and l.host = t.host and l.url_id = t.id`,
}
const THRESHOLD = { name: 'revisits_threshold', text: 'select threshold from recrawls where crawl = $1' }

const COLUMN_TYPES = {
  crawl: 'int',
  host: 'int',
  url_id: 'bigint',
  due_at: 'bigint',
  state: 'smallint',
  reason: 'text',
  visited_at: 'bigint',
  changed_at: 'bigint',
  visits: 'int',
  changes: 'double precision',
  observed_ms: 'double precision',
  interval_ms: 'bigint',
  seen_hash: 'bytea',
  etag: 'text',
  last_modified: 'text',
} as const
const REPLACED = ['due_at', ...HISTORY_COLUMNS].map((name) => `${name} = excluded.${name}`).join(', ')
const SAVE = bulkInsert(
  'revisits',
  COLUMN_TYPES,
  `order by host, url_id on conflict (crawl, host, url_id) do update set ${REPLACED}`,
)

/** Rows by URL id. Call with the rows of the URLs locked. */
export async function findRevisitRows(tx: Queryable, crawl: number, urls: Row[]): Promise<Map<number, Row>> {
  if (urls.length === 0) return new Map()
  const values = [crawl, urls.map((url) => url['id']), urls.map((url) => url['host'])]
  const { rows } = await tx.query({ ...FIND, values })
  return new Map(rows.map((row) => [Number(row['url_id']), row]))
}

export async function findRevisits(tx: Queryable, crawl: number, urls: InFlightUrl[]): Promise<KnownRevisits> {
  const rows = await findRevisitRows(
    tx,
    crawl,
    urls.map(({ id, host }) => ({ id, host })),
  )
  return new Map([...rows].map(([id, row]) => [id, toHistory(row)]))
}

export async function recordRevisits(
  tx: Queryable,
  crawl: CachedCrawl,
  visitsToRecord: VisitToRecord[],
  { known, now, policies }: { known: KnownRevisits; now: number; policies: PolicyCache },
): Promise<void> {
  const hosts = await findHostFreshness(
    tx,
    crawl.id,
    visitsToRecord.map(({ url }) => url.host),
  )
  const gains: HostGain[] = []
  const ended = visitsToRecord.flatMap(({ url, visit }): UrlToPlan[] => {
    const end = toVisitEnd(visit)
    const before = known.get(url.id) ?? null
    if (end === null) return []
    const prior = priorOfHost(hosts.get(url.host) ?? NEW_HOST)
    const after = addVisit(before, end, { now, prior })
    gains.push({ host: url.host, gain: hostGain(before, end, { after, prior }) })
    return [{ id: url.id, host: url.host, history: after, from: now }]
  })
  await planRevisits(tx, crawl, ended, { hosts, policies })
  await addHostGains(tx, crawl.id, gains)
  await deleteStaleLinks(tx, crawl.id, visitsToRecord, known)
  const kept = visitsToRecord.flatMap(({ url, visit }) => {
    const before = known.get(url.id)
    const isKept = before !== undefined && visit.outcome.state === 'visited' && isUnchanged(visit)
    const expiresAt = isKept ? extendedExpiry(crawl.settings, before, now) : null
    return expiresAt === null ? [] : [{ crawl: crawl.id, urlId: url.id, url: url.url, expiresAt }]
  })
  await extendVersions(tx, kept)
}

/** Links of pages that have none any more. */
async function deleteStaleLinks(
  tx: Queryable,
  crawl: number,
  visitsToRecord: VisitToRecord[],
  known: KnownRevisits,
): Promise<void> {
  const urls = visitsToRecord.flatMap(({ url, visit, linkKeys }) => {
    const end = toVisitEnd(visit)
    const isChanged = end !== null && isLook(end) && !isUnchanged(visit)
    return isChanged && linkKeys.length === 0 && known.has(url.id) ? [url] : []
  })
  if (urls.length === 0) return
  await tx.query({ ...DELETE_LINKS, values: [crawl, urls.map(({ id }) => id), urls.map(({ host }) => host)] })
}

/** Saves the histories and the times of the next visits. */
export async function planRevisits(
  tx: Queryable,
  { id: crawl, settings }: CachedCrawl,
  urls: UrlToPlan[],
  { hosts, policies }: { hosts: ReadonlyMap<number, HostFreshness>; policies: PolicyCache },
): Promise<void> {
  if (urls.length === 0) return
  const [row] = (await tx.query({ ...THRESHOLD, values: [crawl] })).rows
  const threshold = row?.['threshold'] == null ? null : Number(row['threshold'])
  const settingsOf = await policies.readSettings(
    tx,
    settings,
    urls.map(({ host }) => host),
  )
  const rows = urls.map(({ id, host, history, from }) => {
    const prior = priorOfHost(hosts.get(host) ?? NEW_HOST)
    const dueAt = planRevisit(history, settingsOf(host), { threshold, prior }, from)
    const planned = {
      ...history,
      intervalMs: dueAt - from,
      reason: toPostgresTextOrNull(history.reason),
      etag: toPostgresTextOrNull(history.etag),
      lastModified: toPostgresTextOrNull(history.lastModified),
    }
    const values = historyValues(planned)
    const columns = Object.fromEntries(HISTORY_COLUMNS.map((name, i) => [name, values[i]]))
    return { crawl, host, url_id: id, due_at: dueAt, ...columns } as Record<keyof typeof COLUMN_TYPES, unknown>
  })
  await SAVE.run(tx, rows)
}
