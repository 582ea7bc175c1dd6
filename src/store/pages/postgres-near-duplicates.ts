// Finds near-duplicates: fingerprints of 56 bits that differ in at most three bits agree in one of their four quarters.
// The pages of a quarter are adjacent in the index, so all are compared with a few reads.

import { NEAR_BITS } from '../../ports/pages.ts'
import { urlHash } from '../encoding/url-hash.ts'
import type { Queryable } from '../postgres/query.ts'

/** Some texts, such as that of an empty shop, share a quarter with thousands; the first of them are enough. */
const MAX_ENTRIES = 200

/** Whether a page belongs to the same URL is checked only for near ones. */
const FIND_NEAR = {
  name: 'near_duplicates_find',
  text: `select w.quarter, w.fingerprint::text as fingerprint, w.url_hash::text as url_hash, e.entries, e.page, e.is_own
    from unnest($1::int[], $2::bigint[], $3::bigint[]) as w (quarter, fingerprint, url_hash)
      cross join lateral (
        select count(*) as entries, min(o.page) filter (where o.is_near and not o.is_own) as page,
          coalesce(bool_or(o.is_own), false) as is_own
        from (
          select n.page, n.is_near, case when n.is_near then exists (
              select 1 from pages p where p.id = n.page and p.url_hash = w.url_hash) else false end as is_own
          from (
            select page, bit_count((fingerprint # w.fingerprint)::bit(64)) <= ${NEAR_BITS} as is_near
            from fingerprints where quarter = w.quarter order by page limit ${MAX_ENTRIES}) n) o) e`,
}

const ADD = {
  name: 'near_duplicates_add',
  text: `insert into fingerprints (quarter, fingerprint, page)
    select * from unnest($1::int[], $2::bigint[], $3::bigint[]) as e (quarter, fingerprint, page) order by quarter, page`,
}

const REMOVE = {
  name: 'near_duplicates_remove',
  text: `delete from fingerprints f using unnest($1::int[], $2::bigint[]) as e (quarter, page)
    where f.quarter = e.quarter and f.page = e.page`,
}

/** The text of a URL. */
export interface TextFingerprint {
  fingerprint: bigint
  urlHash: bigint
}

export interface NearDuplicate {
  /** Of another URL. */
  page: number | null
  /** The URL itself had nearly the same text before. */
  isOwn: boolean
}

export const NO_NEAR_DUPLICATE: NearDuplicate = { page: null, isOwn: false }

interface Entry {
  fingerprint: bigint
  page: number
}

interface Quarter {
  entries: number
  /** For each fingerprint looked up, the first near page of the quarter. */
  near: Map<string, NearDuplicate>
  added: (Entry & TextFingerprint)[]
}

/** Near-duplicates of some fingerprints: looked up once, together with those added since. */
export class NearDuplicates {
  readonly #quarters = new Map<number, Quarter>()

  async load(db: Queryable, fingerprints: TextFingerprint[]): Promise<void> {
    const wanted = fingerprints.flatMap((textFingerprint) =>
      quartersOf(textFingerprint.fingerprint).map((quarter) => ({ quarter, ...textFingerprint })),
    )
    if (wanted.length === 0) return
    const values = [
      wanted.map(({ quarter }) => quarter),
      wanted.map(({ fingerprint }) => String(fingerprint)),
      wanted.map(({ urlHash: hash }) => String(hash)),
    ]
    for (const row of (await db.query({ ...FIND_NEAR, values })).rows) {
      const number = Number(row['quarter'])
      const quarter = this.#quarters.get(number) ?? { entries: Number(row['entries']), near: new Map(), added: [] }
      const page = row['page'] === null ? null : Number(row['page'])
      quarter.near.set(`${row['fingerprint']} ${row['url_hash']}`, { page, isOwn: row['is_own'] === true })
      this.#quarters.set(number, quarter)
    }
  }

  /** The near-duplicate of a text that was looked up. */
  find({ fingerprint, urlHash: hash }: TextFingerprint): NearDuplicate {
    let isOwn = false
    for (const number of quartersOf(fingerprint)) {
      const { near, added } = this.#quarters.get(number) ?? { near: new Map<string, NearDuplicate>(), added: [] }
      const known = near.get(`${fingerprint} ${hash}`) ?? NO_NEAR_DUPLICATE
      const since = added.filter((entry) => bitsApart(entry.fingerprint, fingerprint) <= NEAR_BITS)
      isOwn ||= known.isOwn || since.some((entry) => entry.urlHash === hash)
      const page = known.page ?? since.find((entry) => entry.urlHash !== hash)?.page
      if (page !== undefined) return { page, isOwn }
    }
    return { page: null, isOwn }
  }

  /** Adds a text that was looked up. */
  add(textFingerprint: TextFingerprint, page: number): void {
    for (const number of quartersOf(textFingerprint.fingerprint)) {
      const quarter = this.#quarters.get(number)
      if (quarter === undefined || quarter.entries >= MAX_ENTRIES) continue
      quarter.entries += 1
      quarter.added.push({ ...textFingerprint, page })
    }
  }

  async save(db: Queryable): Promise<void> {
    const rows = [...this.#quarters].flatMap(([number, { added }]) => added.map((entry) => ({ number, ...entry })))
    if (rows.length === 0) return
    const numbers = rows.map(({ number }) => number)
    const fingerprints = rows.map(({ fingerprint }) => String(fingerprint))
    await db.query({ ...ADD, values: [numbers, fingerprints, rows.map(({ page }) => page)] })
  }
}

export function toTextFingerprint(url: string, fingerprint: bigint | null): TextFingerprint | null {
  return fingerprint === null ? null : { fingerprint, urlHash: urlHash(url) }
}

/** Removes deleted pages. A page that was not added, or not in full, changes nothing. */
export async function removeNearDuplicates(db: Queryable, entries: Entry[]): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.flatMap(({ fingerprint, page }) => quartersOf(fingerprint).map((quarter) => [quarter, page]))
  await db.query({ ...REMOVE, values: [rows.map(([quarter]) => quarter), rows.map(([, page]) => page)] })
}

/** Fourteen bits each, distinguished by the two bits above. */
function quartersOf(fingerprint: bigint): number[] {
  return [0, 1, 2, 3].map((i) => (i << 14) | Number((fingerprint >> BigInt(14 * i)) & 0x3fffn))
}

function bitsApart(one: bigint, other: bigint): number {
  let bits = 0
  for (let rest = one ^ other; rest > 0n; rest &= rest - 1n) bits += 1
  return bits
}
