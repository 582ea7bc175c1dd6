// Urls whose children may be nearer than their rows say, written down by the transaction that found it out and worked
// off after it (detours.ts).

import type { DiscoveryPath } from '../../../../frontier/url-discoveries.ts'
import type { Queryable } from '../../../postgres/query.ts'

/** Stands for what has no url of its own but leads to urls at depth 0. */
export const NO_PARENT = 0

interface ShorterPath {
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

export class ShorterPaths {
  readonly #byUrl = new Map<number, ShorterPath>()

  get size(): number {
    return this.#byUrl.size
  }

  /** A shorter way to the url of this key. */
  add({ parent, parentHost }: DiscoveryPath, key: bigint): void {
    const url = parent ?? NO_PARENT
    const known = this.#byUrl.get(url)
    if (known === undefined) this.#byUrl.set(url, { host: parent === null ? NO_PARENT : parentHost, keys: [key] })
    else known.keys?.push(key)
  }

  /** Perhaps a shorter way to everything that this url links to. */
  addAllLinks(url: number, host: number): void {
    this.#byUrl.set(url, { host, keys: null })
  }

  async save(tx: Queryable, crawl: number): Promise<void> {
    if (this.#byUrl.size === 0) return
    const rows = [...this.#byUrl]
    const values = [
      rows.map(([, { host }]) => host),
      rows.map(([url]) => url),
      rows.map(([, { keys }]) => (keys === null ? null : encodeKeys(keys))),
    ]
    await tx.query({ ...ADD, values: [crawl, ...values] })
  }
}

function encodeKeys(keys: bigint[]): Buffer {
  const bytes = Buffer.alloc(keys.length * 8)
  for (const [i, key] of keys.entries()) bytes.writeBigInt64LE(key, i * 8)
  return bytes
}
