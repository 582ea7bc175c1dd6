// Damaged payloads: marked when a read finds them, repaired by the next response with the same payload.

import type { Position } from '../../ports/archive.ts'
import { urlHash } from '../encoding/url-hash.ts'
import { openPool } from '../postgres/connect.ts'
import { wrapWithStoreErrors } from '../postgres/connections.ts'
import type { Queryable, Row } from '../postgres/query.ts'
import { addDeadBytes, DeadBytes } from './postgres-segments.ts'

export type DamagedRecord = Pick<Position, 'segment' | 'offset'>

/** Rows are locked in the order of digests, as everywhere. */
const MARK = {
  name: 'damage_mark',
  text: `with d as materialized (select c.digest from unnest($1::text[], $2::bigint[]) as p (name, "offset")
      join segments s on s.name = p.name join contents c on c.segment = s.id and c."offset" = p."offset"
      where not c.is_damaged order by c.digest for update of c)
    update contents c set is_damaged = true from d where c.digest = d.digest`,
}

const COLUMNS = 'digest, segment, "offset", length, crawl, host, url_id, fetched_at'
const MEND = {
  name: 'damage_clear',
  text: `with d as materialized (select digest, segment, length, is_alone from contents
      where is_damaged and digest = any($1::bytea[]) order by digest for update),
    b as (select distinct on (digest) * from unnest($1::bytea[], $2::int[], $3::bigint[], $4::int[], $5::int[],
      $6::int[], $7::bigint[], $8::bigint[]) as b (${COLUMNS}))
    update contents c set segment = b.segment, "offset" = b."offset", length = b.length, crawl = b.crawl, host = b.host,
      url_id = b.url_id, fetched_at = b.fetched_at, url = null, is_alone = false, is_damaged = false
    from d join b on b.digest = d.digest where c.digest = d.digest
    returning d.segment, d.length, d.is_alone`,
}

export interface NewPayload {
  digest: Buffer | null
  segment: number | null
  offset: number
  length: number
  crawl: number
  host: number
  url_id: number
  fetched_at: number
}

export async function markDamaged(db: Queryable, places: DamagedRecord[]): Promise<number> {
  const values = [places.map(({ segment }) => segment), places.map(({ offset }) => offset)]
  return (await db.query({ ...MARK, values })).rowCount ?? 0
}

/** Opens its own connection, for processes that otherwise only read. */
export async function markDamagedInDatabase(url: string, places: DamagedRecord[]): Promise<number> {
  const pool = openPool(url, { max: 1, name: 'orbweaver damage', isWriting: true, statementMs: 0 })
  try {
    return await markDamaged(wrapWithStoreErrors(pool, url), places)
  } finally {
    await pool.end()
  }
}

/**
 * Replaces damaged payloads with new records. The damaged record is deleted with its page, or counts as dead at
 * once.
 */
export async function repairPayloads(tx: Queryable, payloads: NewPayload[]): Promise<void> {
  if (payloads.length === 0) return
  const values = [
    payloads.map(({ digest }) => digest),
    payloads.map(({ segment }) => segment),
    payloads.map(({ offset }) => offset),
    payloads.map(({ length }) => length),
    payloads.map(({ crawl }) => crawl),
    payloads.map(({ host }) => host),
    payloads.map((row) => row.url_id),
    payloads.map((row) => row.fetched_at),
  ]
  const { rows } = await tx.query({ ...MEND, values })
  const dead = new DeadBytes()
  for (const row of rows.filter((repaired: Row) => repaired['is_alone'] === true))
    dead.add(row['segment'], row['length'])
  await addDeadBytes(tx, dead)
}

const HAS_DAMAGE = { name: 'damage_has_any', text: 'select exists (select 1 from contents where is_damaged) as is_any' }
const DAMAGED_URLS = {
  name: 'damage_of_urls',
  text: `select w.id from unnest($2::bigint[], $3::bigint[]) as w (id, url_hash) cross join lateral (
      select p.content from pages p where p.url_hash = w.url_hash and p.crawl = $1 and p.url_id = w.id
      order by p.id desc limit 1) l
    join contents c on c.digest = l.content where c.is_damaged`,
}

/** Ids of the URLs whose last version in the crawl cannot be read. `urls` are rows with id and url. */
export async function findDamagedUrls(db: Queryable, crawl: number, urls: Row[]): Promise<Set<number>> {
  if (urls.length === 0) return new Set()
  const [row] = (await db.query(HAS_DAMAGE)).rows
  if (row?.['is_any'] !== true) return new Set()
  const values = [crawl, urls.map(({ id }) => id), urls.map(({ url }) => String(urlHash(String(url))))]
  const { rows } = await db.query({ ...DAMAGED_URLS, values })
  return new Set(rows.map(({ id }) => Number(id)))
}
