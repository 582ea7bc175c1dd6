// Parents through which a shorter path to a known URL was found. The transaction that finds one saves it here;
// apply-shorter-paths.ts lowers the depths afterwards.

import type { DiscoveryPath } from '../../../../frontier/url-discoveries.ts'
import type { Queryable } from '../../../postgres/query.ts'

/** Parent of URLs without one, which have depth 0. */
export const NO_PARENT = 0

interface ShorterPath {
  host: number
  /** Keys of children; null: all. */
  keys: bigint[] | null
}

/** Targets of a URL add up; null, which means all, wins. */
const ADD = {
  name: 'shorter_paths_add',
  text: `insert into detours (crawl, host, url_id, targets)
    select $1, * from unnest($2::int[], $3::bigint[], $4::bytea[]) as d (host, url_id, targets) order by host, url_id
    on conflict (crawl, host, url_id) do update set targets = detours.targets || excluded.targets`,
}

export class ShorterPaths {
  readonly #byUrl = new Map<number, ShorterPath>()

  get size(): number {
    return this.#byUrl.size
  }

  /** A shorter path to the URL with this key. */
  add({ parent, parentHost }: DiscoveryPath, key: bigint): void {
    const url = parent ?? NO_PARENT
    const known = this.#byUrl.get(url)
    if (known === undefined) this.#byUrl.set(url, { host: parent === null ? NO_PARENT : parentHost, keys: [key] })
    else known.keys?.push(key)
  }

  /** A possibly shorter path to all links of this URL. */
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
