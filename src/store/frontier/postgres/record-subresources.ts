// Records what rendered pages have requested: as requisites that were visited already.

import { versionExpiresAt } from '../../../frontier/page-versions.ts'
import { rankOf } from '../../../frontier/rank.ts'
import type { SubresourceReport } from '../../../ports/visits.ts'
import { REQUISITE_KIND, stateCode, stateFromCode } from '../../encoding/state-codes.ts'
import type { ArchivedVisit } from '../../pages/postgres-write-pages.ts'
import type { IdBlock } from '../../postgres/id-blocks.ts'
import type { Queryable, Row } from '../../postgres/query.ts'
import { addChange, type CounterChanges } from './crawl-state/counters.ts'
import type { CachedCrawl } from './crawl-state/crawl-cache.ts'
import { toVisitRow, VISITS } from './record-visits.ts'

export interface SubresourceContext {
  /** Thread that rendered the pages. */
  threadId: string
  hostIds: ReadonlyMap<string, number>
  urlIds: Pick<IdBlock, 'next'>
  now: number
}

export interface RecordedSubresources {
  added: number
  changes: CounterChanges
  archived: ArchivedVisit[]
}

/** Ordered by key, so that two commits with the same URLs do not deadlock. */
const INSERT = {
  name: 'subresources_insert',
  text: `insert into urls (crawl, first_seen_at, id, key, host, state, rank, depth, hops, kind, parent, url, attempts)
    select $1, $2, n.id, n.key, n.host, n.state, n.rank, 0, 1, ${REQUISITE_KIND}, n.parent, n.url, 1
    from unnest($3::bigint[], $4::bigint[], $5::int[], $6::smallint[], $7::smallint[], $8::bigint[], $9::text[])
      as n (id, key, host, state, rank, parent, url) order by n.key
    on conflict (crawl, key, host) do nothing returning key::text as key, id`,
}

/** URLs that are queued, or are pages, are visited separately. Rows locked by others are changing anyway. */
const KNOWN = {
  name: 'subresources_known',
  text: `with wanted as materialized (select $1::int as crawl, unnest($2::bigint[]) as key)
    select u.key::text as key, u.id, u.state, u.attempts, v.content_hash, v.redirect_to
    from wanted w join urls u on u.crawl = w.crawl and u.key = w.key
      join visits v on v.crawl = u.crawl and v.host = u.host and v.url_id = u.id and v.attempt = u.attempts and v.state = u.state
    where u.kind = ${REQUISITE_KIND} and u.state in (${stateCode('visited')}, ${stateCode('redirected')})
    order by u.id for update of u skip locked`,
}

const UPDATE = {
  name: 'subresources_update',
  text: `with these as materialized (
      select $1::int as crawl, t.* from unnest($2::bigint[], $3::int[], $4::smallint[], $5::int[]) as t (id, host, state, attempts)
    )
    update urls u set state = t.state, attempts = t.attempts, reason = null from these t
    where u.crawl = t.crawl and u.id = t.id and u.host = t.host`,
}

interface Recorded {
  report: SubresourceReport
  id: number
  host: number
  attempt: number
}

export async function recordSubresources(
  tx: Queryable,
  crawl: CachedCrawl,
  reports: readonly SubresourceReport[],
  context: SubresourceContext,
): Promise<RecordedSubresources> {
  const result: RecordedSubresources = { added: 0, changes: {}, archived: [] }
  if (reports.length === 0) return result
  const byKey = new Map(reports.map((report) => [String(report.found.key), report]))
  const added = await insertNew(tx, crawl.id, [...byKey.values()], context)
  const changed = await updateKnown(tx, crawl.id, withoutKeys(byKey, added), { result, ...context })
  for (const { report } of added) count(result.changes, report.state, 1)
  const recorded = [...added, ...changed]
  await VISITS.run(
    tx,
    recorded.map(({ report: { state, facts }, id, host, attempt }) =>
      toVisitRow(
        { crawl: crawl.id, host, urlId: id, attempt, threadId: context.threadId },
        { state, reason: null },
        facts,
      ),
    ),
  )
  result.added = added.length
  result.archived = recorded.map((one) => toArchivedVisit(crawl, one))
  return result
}

async function insertNew(
  tx: Queryable,
  crawl: number,
  reports: SubresourceReport[],
  { hostIds, urlIds, now }: SubresourceContext,
): Promise<Recorded[]> {
  const urls = reports.map((report) => ({ report, id: urlIds.next(), host: hostIds.get(report.found.host) ?? 0 }))
  const lists = [
    urls.map(({ id }) => id),
    urls.map(({ report }) => String(report.found.key)),
    urls.map(({ host }) => host),
    urls.map(({ report }) => stateCode(report.state)),
    urls.map(({ report }) => rankOf(report.found, 0, now)),
    urls.map(({ report }) => report.parent),
    urls.map(({ report }) => report.found.url),
  ]
  const { rows } = await tx.query({ ...INSERT, values: [crawl, now, ...lists] })
  const inserted = new Set(rows.map((row) => Number(row['id'])))
  return urls.filter(({ id }) => inserted.has(id)).map((url) => ({ ...url, attempt: 1 }))
}

function withoutKeys(byKey: ReadonlyMap<string, SubresourceReport>, added: Recorded[]): Map<string, SubresourceReport> {
  const rest = new Map(byKey)
  for (const { report } of added) rest.delete(String(report.found.key))
  return rest
}

async function updateKnown(
  tx: Queryable,
  crawl: number,
  byKey: ReadonlyMap<string, SubresourceReport>,
  { result, hostIds }: SubresourceContext & { result: RecordedSubresources },
): Promise<Recorded[]> {
  if (byKey.size === 0) return []
  const { rows } = await tx.query({ ...KNOWN, values: [crawl, [...byKey.keys()]] })
  const changed = rows.flatMap((row): Recorded[] => {
    const report = byKey.get(String(row['key']))
    if (report === undefined || isSameResponse(row, report)) return []
    count(result.changes, stateFromCode(Number(row['state'])) as SubresourceReport['state'], -1)
    count(result.changes, report.state, 1)
    const host = hostIds.get(report.found.host) ?? 0
    return [{ report, id: Number(row['id']), host, attempt: Number(row['attempts']) + 1 }]
  })
  if (changed.length === 0) return []
  const lists = [
    changed.map(({ id }) => id),
    changed.map(({ host }) => host),
    changed.map(({ report }) => stateCode(report.state)),
    changed.map(({ attempt }) => attempt),
  ]
  await tx.query({ ...UPDATE, values: [crawl, ...lists] })
  return changed
}

function isSameResponse(row: Row, { state, facts }: SubresourceReport): boolean {
  const content = row['content_hash'] instanceof Uint8Array ? Buffer.from(row['content_hash']).toString('hex') : null
  return (
    Number(row['state']) === stateCode(state) &&
    content === facts.contentHash &&
    row['redirect_to'] === facts.redirectTo
  )
}

function count(changes: CounterChanges, state: SubresourceReport['state'], by: 1 | -1): void {
  addChange(changes, state, by)
  if (state === 'visited') addChange(changes, 'requisites', by)
}

function toArchivedVisit({ id: crawl, settings }: CachedCrawl, { report, id, host, attempt }: Recorded): ArchivedVisit {
  const { found, facts, page } = report
  const visitedAt = Math.round(facts.visitedAt)
  const expiresAt = versionExpiresAt(settings, visitedAt)
  return { crawl, host, urlId: id, url: found.url, attempt, facts, visitedAt, expiresAt, page, isRevisited: true }
}
