// Finds near-duplicates: fingerprints of 56 bits that differ in at most three bits agree in one of their four quarters.
// The pages of a quarter are adjacent in the index, so all are compared with a few reads.

import { NEAR_BITS } from '../../ports/pages.ts'
import { urlHash } from '../encoding/url-hash.ts'
import type { Queryable } from '../postgres/query.ts'

/**
 * Some texts, such as an empty shop page, share a quarter with thousands of others; comparing the first of them is
 * enough.
 */
const MAX_ENTRIES = 200

const FIND_NEAR = {
  name: 'near_duplicates_find',
  text: `select w.quarter, w.fingerprint::text as fingerprint, w.url_hash::text as url_hash, e.entries, e.near
    from unnest($1::int[], $2::bigint[], $3::bigint[]) as w (quarter, fingerprint, url_hash)
      cross join lateral (
        select count(*) as entries,
          array_agg(n.page order by n.page) filter (where bit_count((n.fingerprint # w.fingerprint)::bit(64)) <= ${NEAR_BITS}) as near
        from (
          select page, fingerprint from fingerprints where quarter = w.quarter order by page limit ${MAX_ENTRIES}) n) e`,
}

const FIND_URLS = {
  name: 'near_duplicates_urls',
  text: 'select id, url_hash::text as url_hash from pages where id = any($1::bigint[])',
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
  /** Page of another URL with nearly the same text. */
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

/** Near-duplicates of some fingerprints: pages found by one lookup, and pages added since. */
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
    const { rows } = await db.query({ ...FIND_NEAR, values })
    const urlHashes = await this.#findUrls(db, rows.flatMap(nearPages))
    for (const row of rows) {
      const number = Number(row['quarter'])
      const quarter = this.#quarters.get(number) ?? { entries: Number(row['entries']), near: new Map(), added: [] }
      const isOwn = (page: number) => urlHashes.get(page) === row['url_hash']
      const near = nearPages(row)
      const page = near.find((known) => !isOwn(known)) ?? null
      quarter.near.set(`${row['fingerprint']} ${row['url_hash']}`, { page, isOwn: near.some(isOwn) })
      this.#quarters.set(number, quarter)
    }
  }

  /** Hashes of the URLs of these pages, which are few. Pages may have been deleted. */
  async #findUrls(db: Queryable, pages: number[]): Promise<Map<number, string>> {
    if (pages.length === 0) return new Map()
    const { rows } = await db.query({ ...FIND_URLS, values: [[...new Set(pages)]] })
    return new Map(rows.map((row) => [Number(row['id']), String(row['url_hash'])]))
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

/** Pages that are near a fingerprint, oldest first. */
function nearPages(row: Record<string, unknown>): number[] {
  return ((row['near'] ?? []) as string[]).map(Number)
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
