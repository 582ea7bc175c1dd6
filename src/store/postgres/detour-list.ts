// Urls whose children may be nearer than their rows say, written down by the transaction that found it out and worked
// off after it (detours.ts).

import type { Way } from './offers.ts'
import type { Queryable } from './query.ts'

/** Stands for what has no url of its own but leads to urls at depth 0. */
export const NOWHERE = 0

interface Detour {
  host: number
  /** Keys of children; null: all. */
  keys: bigint[] | null
}

/** What is noted of a url twice adds up; null, which means all, swallows the rest. */
const ADD = {
  name: 'detours_add',
  text: `insert into detours (crawl, host, url_id, targets)
    select $1, * from unnest($2::int[], $3::bigint[], $4::bytea[]) as d (host, url_id, targets) order by host, url_id
    on conflict (crawl, host, url_id) do update set targets = detours.targets || excluded.targets`,
}

export class Detours {
  readonly #byUrl = new Map<number, Detour>()

  get size(): number {
    return this.#byUrl.size
  }

  /** A shorter way to the url of this key. */
  add({ parent, parentHost }: Way, key: bigint): void {
    const url = parent ?? NOWHERE
    const known = this.#byUrl.get(url)
    if (known === undefined) this.#byUrl.set(url, { host: parent === null ? NOWHERE : parentHost, keys: [key] })
    else known.keys?.push(key)
  }

  /** Perhaps a shorter way to everything that this url links to. */
  addAll(url: number, host: number): void {
    this.#byUrl.set(url, { host, keys: null })
  }

  async save(tx: Queryable, crawl: number): Promise<void> {
    if (this.#byUrl.size === 0) return
    const rows = [...this.#byUrl]
    const values = [
      rows.map(([, { host }]) => host),
      rows.map(([url]) => url),
      rows.map(([, { keys }]) => (keys === null ? null : bytesOf(keys))),
    ]
    await tx.query({ ...ADD, values: [crawl, ...values] })
  }
}

function bytesOf(keys: bigint[]): Buffer {
  const bytes = Buffer.alloc(keys.length * 8)
  for (const [i, key] of keys.entries()) bytes.writeBigInt64LE(key, i * 8)
  return bytes
}
