// Writes the page versions of a commit: payloads once by digest, and for each version how often its URL has changed and
// its near-duplicate. Called inside the transaction of the commit, on its connection.

import { isContentChangedSql } from '../../frontier/page-versions.ts'
import { AppError } from '../../lib/errors.ts'
import type { PageReport } from '../../ports/pages.ts'
import { urlHash } from '../encoding/url-hash.ts'
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts'
import { bulkInsert } from '../postgres/bulk-insert.ts'
import { runPipelined } from '../postgres/database.ts'
import { type Queryable, type Row, toPostgresTextOrNull } from '../postgres/query.ts'
import { isSameVersion, type VersionFacts } from './page-version.ts'
import { repairPayloads } from './postgres-damage.ts'
import { NearDuplicates, NO_NEAR_DUPLICATE, toTextFingerprint } from './postgres-near-duplicates.ts'
import { lockSegmentsShared, type SegmentIds } from './postgres-segments.ts'

export interface ArchivedVisit {
  crawl: number
  host: number
  urlId: number
  url: string
  attempt: number
  facts: VersionFacts
  visitedAt: number
  /** Null if the version never expires. */
  expiresAt: number | null
  page: PageReport
  /** The crawl visits URLs again: a version that equals the last one of the same crawl is left out. */
  isRevisited: boolean
}

export interface PageWriterDependencies {
  segments: SegmentIds
  /** Ascending page ids, as many as there are visits. */
  nextId: () => number
}

/** Another crawl may write the same URL at this moment: the second must see the version of the first. */
const LOCK = {
  name: 'pages_lock_urls',
  text: `select pg_advisory_xact_lock(${ADVISORY_LOCKS.urls}, h)
    from (select distinct unnest($1::int[]) as h order by h) hashes`,
}

/** From here on, no process deletes these payloads. Payloads deleted in the meantime are inserted again. */
const MARK_USED = {
  name: 'pages_revive',
  text: `with u as materialized (select digest from contents where digest = any($1::bytea[])
        and unused_since is not null order by digest for update)
    update contents c set unused_since = null from u where c.digest = u.digest`,
}

/** A payload that another page has archived stays where it is. */
const CONTENTS = bulkInsert(
  'contents',
  {
    digest: 'bytea',
    segment: 'int',
    offset: 'bigint',
    length: 'int',
    crawl: 'int',
    host: 'int',
    url_id: 'bigint',
    fetched_at: 'bigint',
  },
  'order by digest on conflict (digest) do nothing',
)

const PAGES = bulkInsert('pages', {
  id: 'bigint',
  crawl: 'int',
  host: 'int',
  url_id: 'bigint',
  attempt: 'int',
  url_hash: 'bigint',
  version: 'int',
  changes: 'int',
  first_seen_at: 'bigint',
  visited_at: 'bigint',
  expires_at: 'bigint',
  wire_bytes: 'bigint',
  fingerprint: 'bigint',
  resembles: 'bigint',
  words: 'int',
  content: 'bytea',
  segment: 'int',
  offset: 'bigint',
  length: 'int',
  charset: 'text',
  lang: 'text',
  description: 'text',
  keywords: 'text',
  note: 'text',
  data: 'text',
})

/** Every version is indexed later, by any indexer. */
const INDEX_QUEUE = bulkInsert('index_queue', { page: 'bigint', host: 'int', url_hash: 'bigint' })

/**
 * The number and changes of each new version, in order, after the last version of its URL in any crawl. Unknown content
 * of that version is not a change.
 */
const NEXT_VERSIONS = {
  name: 'pages_next_version',
  text: `select l.content_type, l.canonical, l.noindex,
      coalesce(l.crawl = k.crawl and l.seen = k.seen and not l.is_damaged, false) as is_same_content,
      coalesce(l.first_seen_at, u.first_seen_at) as first_seen_at, coalesce(l.version, 0) + 1 as version,
      case when l.id is null then 0 else l.changes + ${isContentChangedSql('l.seen', 'k.seen')}::int end as changes,
      k.content is null or exists (select 1 from contents c where c.digest = k.content) as is_payload_known,
      k.segment is null or exists (select 1 from segments s where s.id = k.segment and not s.is_forgotten) as is_there
    from unnest($1::int[], $2::int[], $3::bigint[], $4::bigint[], $5::bytea[], $6::int[], $7::bytea[])
        with ordinality as k (crawl, host, url_id, url_hash, content, segment, seen, place)
      join urls u on u.crawl = k.crawl and u.id = k.url_id and u.host = k.host
      left join lateral (
        select p.id, p.crawl, coalesce(v.content_hash, p.content) as seen, p.version, p.changes, p.first_seen_at,
          v.content_type, v.canonical, v.noindex,
          coalesce((select c.is_damaged from contents c where c.digest = p.content), false) as is_damaged
        from pages p join urls w on w.crawl = p.crawl and w.id = p.url_id and w.host = p.host
          left join visits v on v.crawl = p.crawl and v.host = p.host and v.url_id = p.url_id and v.attempt = p.attempt
        where p.url_hash = k.url_hash and w.url = u.url order by p.version desc, p.id desc limit 1) l on true
    order by k.place`,
}

type HashedVisit = ArchivedVisit & { hash: bigint; content: Buffer | null; segment: number | null }

/** Returns the ids of the versions by URL id. */
export async function writePages(
  db: Queryable,
  visits: ArchivedVisit[],
  dependencies: PageWriterDependencies,
): Promise<Map<number, number>> {
  if (visits.length === 0) return new Map()
  const names = visits.flatMap(({ page }) => (page.position === null ? [] : [page.position.segment]))
  const segmentOf = await dependencies.segments.findOrAdd(db, names)
  const archived = visits.map((visit): HashedVisit => {
    const { position, digest } = visit.page
    const place =
      position === null ? null : { content: Buffer.from(digest, 'hex'), segment: segmentOf(position.segment) }
    return { ...visit, hash: urlHash(visit.url), ...(place ?? { content: null, segment: null }) }
  })
  const payloads = archived.filter(({ page }) => page.hasPayload).flatMap(contentRows)
  const fingerprints = visits.flatMap(({ url, page }) => toTextFingerprint(url, page.fingerprint) ?? [])
  const nearDuplicates = new NearDuplicates()
  // The statements are sent together and executed one after the other.
  const [, , , , , , next] = await runPipelined(
    db.query({ ...LOCK, values: [archived.map(({ hash }) => Number(BigInt.asIntN(32, hash)))] }),
    lockSegmentsShared(
      db,
      archived.flatMap(({ segment }) => segment ?? []),
    ),
    db.query({ ...MARK_USED, values: [archived.flatMap(({ content }) => content ?? [])] }),
    repairPayloads(db, payloads),
    CONTENTS.run(db, payloads),
    nearDuplicates.load(db, fingerprints),
    nextVersions(db, archived),
  )
  const unchanged: KeptVersion[] = []
  const rows = archived.flatMap((visit, i) => {
    const { page } = visit
    const version = next[i]
    if (version === undefined) throw new AppError('INTERNAL', `The URL ${visit.url} has no row.`)
    if (visit.isRevisited && version['is_same_content'] === true && isSameVersion(version, visit.facts)) {
      const { crawl, urlId, url, expiresAt } = visit
      unchanged.push({ crawl, urlId, url, expiresAt })
      return []
    }
    const id = dependencies.nextId()
    if (version['is_payload_known'] !== true) {
      throw new AppError('INTERNAL', `The payload of ${visit.url} is neither archived nor in the report.`)
    }
    if (version['is_there'] !== true) {
      throw new AppError('INTERNAL', `A report refers to the deleted segment ${page.position?.segment}.`)
    }
    const fingerprint = toTextFingerprint(visit.url, page.fingerprint)
    const nearDuplicate = fingerprint === null ? NO_NEAR_DUPLICATE : nearDuplicates.find(fingerprint)
    const resembles = page.resembles ?? nearDuplicate.page
    // A near-duplicate adds no entry: whatever is near it is near the other page too, approximately.
    if (fingerprint !== null && resembles === null && !nearDuplicate.isOwn) nearDuplicates.add(fingerprint, id)
    return [{ ...pageRow(visit, version), id, resembles }]
  })
  const queued = rows.map(({ id, host, url_hash }) => ({ page: id, host, url_hash }))
  await runPipelined(PAGES.run(db, rows), nearDuplicates.save(db), INDEX_QUEUE.run(db, queued))
  await extendVersions(db, unchanged)
  return new Map(rows.map(({ url_id, id }) => [url_id, id]))
}

const EXTEND = {
  name: 'pages_extend',
  text: `with kept as materialized (
      select k.* from unnest($1::int[], $2::bigint[], $3::bigint[], $4::bigint[]) as k (crawl, url_id, url_hash, expires_at)
    ), last as (
      select (select max(p.id) from pages p where p.url_hash = k.url_hash and p.crawl = k.crawl and p.url_id = k.url_id) as id,
        k.expires_at from kept k
    )
    update pages p set expires_at = l.expires_at from last l
    where p.id = l.id and (l.expires_at is null or p.expires_at < l.expires_at)`,
}

export interface KeptVersion {
  crawl: number
  urlId: number
  url: string
  /** Null if the version never expires. */
  expiresAt: number | null
}

/** Extends the last versions of URLs that were found unchanged in their crawl. */
export async function extendVersions(db: Queryable, kept: KeptVersion[]): Promise<void> {
  if (kept.length === 0) return
  const values = [
    kept.map(({ crawl }) => crawl),
    kept.map(({ urlId }) => urlId),
    kept.map(({ url }) => String(urlHash(url))),
    kept.map(({ expiresAt }) => expiresAt),
  ]
  await db.query({ ...EXTEND, values })
}

function contentRows({ crawl, host, urlId, visitedAt, content, segment, page }: HashedVisit) {
  if (page.position === null) return []
  const { offset, length } = page.position
  return [{ digest: content, segment, offset, length, crawl, host, url_id: urlId, fetched_at: visitedAt }]
}

async function nextVersions(db: Queryable, archived: HashedVisit[]): Promise<Row[]> {
  const values = [
    archived.map(({ crawl }) => crawl),
    archived.map(({ host }) => host),
    archived.map(({ urlId }) => urlId),
    archived.map(({ hash }) => String(hash)),
    archived.map(({ content }) => content),
    archived.map(({ segment }) => segment),
    archived.map(({ facts, page }) => Buffer.from(facts.contentHash ?? page.digest, 'hex')),
  ]
  return (await db.query({ ...NEXT_VERSIONS, values })).rows
}

function pageRow(visit: HashedVisit, version: Row) {
  const { page } = visit
  return {
    crawl: visit.crawl,
    host: visit.host,
    url_id: visit.urlId,
    attempt: visit.attempt,
    url_hash: String(visit.hash),
    version: version['version'],
    changes: version['changes'],
    first_seen_at: version['first_seen_at'],
    visited_at: visit.visitedAt,
    expires_at: visit.expiresAt,
    wire_bytes: page.wireBytes,
    fingerprint: page.fingerprint === null ? null : String(page.fingerprint),
    words: page.words,
    content: visit.content,
    segment: visit.segment,
    offset: page.position?.offset ?? null,
    length: page.position?.length ?? null,
    charset: toPostgresTextOrNull(page.charset),
    lang: toPostgresTextOrNull(page.lang),
    description: toPostgresTextOrNull(page.description),
    keywords: toPostgresTextOrNull(page.keywords),
    note: toPostgresTextOrNull(page.note),
    data: toPostgresTextOrNull(page.data),
  }
}
