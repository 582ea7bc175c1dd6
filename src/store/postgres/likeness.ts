// Finds a page whose text is nearly the same: fingerprints of 56 bits that differ in at most three agree in one of their
// four quarters. The pages of a quarter lie side by side in the index, so all are compared at the price of a few reads.

import type { Queryable } from './query.ts'

const NEAR_BITS = 3
/** Some texts, such as that of an empty shop, share a quarter with thousands; the first of them will do. */
const MAX_ENTRIES = 200

const LOOK = {
  name: 'likeness_look',
  text: `select w.quarter, w.fingerprint::text as fingerprint, e.entries, e.page
    from unnest($1::int[], $2::bigint[]) as w (quarter, fingerprint)
      cross join lateral (
        select count(*) as entries,
          min(page) filter (where bit_count((f.fingerprint # w.fingerprint)::bit(64)) <= ${NEAR_BITS}) as page
        from (select page, fingerprint from fingerprints where quarter = w.quarter
              order by page limit ${MAX_ENTRIES}) f) e`,
}

const ADD = {
  name: 'likeness_add',
  text: `insert into fingerprints (quarter, fingerprint, page)
    select * from unnest($1::int[], $2::bigint[], $3::bigint[]) as e (quarter, fingerprint, page) order by quarter, page`,
}

const REMOVE = {
  name: 'likeness_remove',
  text: `delete from fingerprints f using unnest($1::int[], $2::bigint[]) as e (quarter, page)
    where f.quarter = e.quarter and f.page = e.page`,
}

interface Entry {
  fingerprint: bigint
  page: number
}

interface Quarter {
  entries: number
  /** For each fingerprint that was looked up, the first page of the quarter that is near it. */
  near: Map<bigint, number>
  added: Entry[]
}

/** What is near some fingerprints: looked up once, with what is added since. */
export class Likeness {
  readonly #quarters = new Map<number, Quarter>()

  async look(db: Queryable, fingerprints: bigint[]): Promise<void> {
    const wanted = fingerprints.flatMap((print) =>
      quartersOf(print).map((quarter) => [quarter, String(print)] as const),
    )
    if (wanted.length === 0) return
    const values = [wanted.map(([quarter]) => quarter), wanted.map(([, print]) => print)]
    for (const row of (await db.query({ ...LOOK, values })).rows) {
      const number = Number(row['quarter'])
      const quarter = this.#quarters.get(number) ?? { entries: Number(row['entries']), near: new Map(), added: [] }
      if (row['page'] !== null) quarter.near.set(BigInt(String(row['fingerprint'])), Number(row['page']))
      this.#quarters.set(number, quarter)
    }
  }

  /** The page that a text looked up before resembles, or null. */
  nearest(fingerprint: bigint): number | null {
    for (const number of quartersOf(fingerprint)) {
      const quarter = this.#quarters.get(number)
      const added = quarter?.added.find((entry) => bitsApart(entry.fingerprint, fingerprint) <= NEAR_BITS)
      const page = quarter?.near.get(fingerprint) ?? added?.page
      if (page !== undefined) return page
    }
    return null
  }

  /** Of a text looked up before. */
  add(fingerprint: bigint, page: number): void {
    for (const number of quartersOf(fingerprint)) {
      const quarter = this.#quarters.get(number)
      if (quarter === undefined || quarter.entries >= MAX_ENTRIES) continue
      quarter.entries += 1
      quarter.added.push({ fingerprint, page })
    }
  }

  async save(db: Queryable): Promise<void> {
    const rows = [...this.#quarters].flatMap(([number, { added }]) => added.map((entry) => ({ number, ...entry })))
    if (rows.length === 0) return
    const numbers = rows.map(({ number }) => number)
    const prints = rows.map(({ fingerprint }) => String(fingerprint))
    await db.query({ ...ADD, values: [numbers, prints, rows.map(({ page }) => page)] })
  }
}

/** What is gone is not resembled any more. A page that was not added, or not in full, changes nothing. */
export async function removeLikeness(db: Queryable, entries: Entry[]): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.flatMap(({ fingerprint, page }) => quartersOf(fingerprint).map((quarter) => [quarter, page]))
  await db.query({ ...REMOVE, values: [rows.map(([quarter]) => quarter), rows.map(([, page]) => page)] })
}

/** Fourteen bits each, told apart by the two above them. */
function quartersOf(fingerprint: bigint): number[] {
  return [0, 1, 2, 3].map((i) => (i << 14) | Number((fingerprint >> BigInt(14 * i)) & 0x3fffn))
}

function bitsApart(one: bigint, other: bigint): number {
  let bits = 0
  for (let rest = one ^ other; rest > 0n; rest &= rest - 1n) bits += 1
  return bits
}
