// Deletes expired versions, then payloads that no version uses. A record with a payload is needed as long as the
// payload is, even without its version; its bytes are dead when neither needs them. The payload keeps the text of its
// URL, since the row of the URL may be deleted. Several processes may do this at once, beside commits; each transaction
// locks pages, contents by digest, segments by id.

import { removeNearDuplicates } from '../pages/postgres-near-duplicates.ts'
import { addDeadBytes, DeadBytes } from '../pages/postgres-segments.ts'
import { runPipelined } from '../postgres/database.ts'
import type { Queryable, Row } from '../postgres/query.ts'

const COLUMNS = 'id, host, segment, "offset", length, content, resembles, fingerprint::text as fingerprint'

/** Skips rows that another process is deleting. */
const EXPIRED = {
  name: 'drop_expired',
  text: `select p.* from segments s cross join lateral (
      select ${COLUMNS} from pages where segment = s.id and expires_at <= $1 limit $2 for update skip locked) p
    limit $2`,
}
const EXPIRED_BARE = {
  name: 'drop_expired_bare',
  text: `select ${COLUMNS} from pages where segment is null and expires_at <= $1 limit $2 for update skip locked`,
}
const DELETE_PAGES = {
  name: 'drop_pages',
  text: `delete from pages p using unnest($1::bigint[], $2::int[]) as d (id, host) where p.id = d.id and p.host = d.host`,
}
/**
 * If two transactions delete the last two versions of a payload, the second must see that the first version is gone.
 */
const LOCK_CONTENTS = {
  name: 'drop_lock_contents',
  text: `select encode(digest, 'hex') as digest, segment, "offset" from contents
    where digest = any($1::bytea[]) order by digest for update`,
}
const MARK_UNUSED = {
  name: 'drop_mark_unused',
  text: `update contents c set unused_since = $2 where c.digest = any($1::bytea[]) and c.unused_since is null
    and not exists (select 1 from pages p where p.content = c.digest)`,
}
const MARK_DETACHED = {
  name: 'drop_leave_alone',
  text: `update contents c set is_alone = true, crawl = 0, host = 0, url_id = 0, url = coalesce(c.url,
      (select u.url from urls u where u.crawl = c.crawl and u.id = c.url_id and u.host = c.host))
    where c.digest = any($1::bytea[])`,
}
const UNUSED = {
  name: 'drop_unused',
  text: `with u as materialized (
      select digest from contents where unused_since <= $1 order by unused_since limit $2 for update skip locked)
    select c.digest, c.segment, c.length, exists (select 1 from pages p where p.content = c.digest) as is_used
    from u join contents c on c.digest = u.digest order by c.digest`,
}
const DELETE_CONTENTS = { name: 'drop_contents', text: 'delete from contents where digest = any($1::bytea[])' }
const MARK_USED = {
  name: 'drop_mark_used',
  text: 'update contents set unused_since = null where digest = any($1::bytea[])',
}

export async function dropExpired(tx: Queryable, now: number, limit: number): Promise<number> {
  const { rows } = await tx.query({ ...EXPIRED, values: [now, limit] })
  if (rows.length < limit) {
    rows.push(...(await tx.query({ ...EXPIRED_BARE, values: [now, limit - rows.length] })).rows)
  }
  return dropPages(tx, rows, now)
}

const CRAWL_PAGES = {
  name: 'drop_of_crawl',
  text: `select ${COLUMNS} from pages where crawl = $1 order by id limit $2 for update`,
}

/** Deletes versions of a removed crawl and returns how many. */
export async function dropCrawlPages(
  tx: Queryable,
  crawl: number,
  { now, limit }: { now: number; limit: number },
): Promise<number> {
  const { rows } = await tx.query({ ...CRAWL_PAGES, values: [crawl, limit] })
  return dropPages(tx, rows, now)
}

async function dropPages(tx: Queryable, rows: Row[], now: number): Promise<number> {
  if (rows.length === 0) return 0
  const digests = rows.flatMap(({ content }) => (content === null ? [] : [content]))
  const [, contents] = await runPipelined(
    tx.query({ ...DELETE_PAGES, values: [rows.map(({ id }) => id), rows.map(({ host }) => host)] }),
    tx.query({ ...LOCK_CONTENTS, values: [digests] }),
  )
  const places = new Map(contents.rows.map((row) => [String(row['digest']), row]))
  const withPayload = rows.filter((row) => holdsPayload(row, places))
  const dead = new DeadBytes()
  for (const row of rows) if (!holdsPayload(row, places)) dead.add(row['segment'], row['length'])
  await runPipelined(
    tx.query({ ...MARK_UNUSED, values: [digests, now] }),
    tx.query({ ...MARK_DETACHED, values: [withPayload.map(({ content }) => content)] }),
    removeNearDuplicates(tx, rows.flatMap(toFingerprintEntries)),
    addDeadBytes(tx, dead),
  )
  return rows.length
}

/** A commit concurrent with the last deletion may use a payload that is marked as unused. */
export async function dropUnused(tx: Queryable, since: number, limit: number): Promise<number> {
  const { rows } = await tx.query({ ...UNUSED, values: [since, limit] })
  if (rows.length === 0) return 0
  const unused = rows.filter((row) => row['is_used'] === false)
  const used = rows.filter((row) => row['is_used'] === true)
  const dead = new DeadBytes()
  for (const { segment, length } of unused) dead.add(segment, length)
  await runPipelined(
    tx.query({ ...MARK_USED, values: [used.map(({ digest }) => digest)] }),
    tx.query({ ...DELETE_CONTENTS, values: [unused.map(({ digest }) => digest)] }),
    addDeadBytes(tx, dead),
  )
  return unused.length
}

/** Whether the record of this page contains a payload that other pages use. */
function holdsPayload({ content, segment, offset }: Row, contents: Map<string, Row>): boolean {
  if (!(content instanceof Uint8Array)) return false
  const place = contents.get(Buffer.from(content).toString('hex'))
  return place !== undefined && place['segment'] === segment && place['offset'] === offset
}

/** A near-duplicate never had an entry. */
function toFingerprintEntries({ id, fingerprint, resembles }: Row): { fingerprint: bigint; page: number }[] {
  if (typeof fingerprint !== 'string' || resembles !== null) return []
  return [{ fingerprint: BigInt(fingerprint), page: Number(id) }]
}
