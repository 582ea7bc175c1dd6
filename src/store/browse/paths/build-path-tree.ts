// Reads the URLs of a crawl into a path tree, in batches between which others get their turn.

import { LEFT_OUT_REASONS_SQL } from '../../../lib/states.ts'
import { QUEUED } from '../../encoding/state-codes.ts'
import type { BrowseDb } from '../browse-db.ts'
import { readHostNames } from '../host-names.ts'
import { FolderNames, MAX_FOLDER_PATH, splitUrlPath } from './folder-names.ts'
import { LEFT_OUT, PathTree, type TreeUrls } from './path-tree.ts'

/** In a larger crawl, only the URLs discovered first are read. */
const MAX_TREE_URLS = 250_000
const BATCH_ROWS = 2000

export async function buildPathTree(db: BrowseDb, crawl: number): Promise<PathTree> {
  const { dialect } = db
  const text = `select u.id, u.host, u.url, u.state, u.depth, u.parent, u.key & 4294967295, (u.key >> 32) & 4294967295,
      v.content_length, v.fetch_ms, coalesce(u.reason in ${LEFT_OUT_REASONS_SQL}, false)
    from (select * from ${dialect.urls} where u.crawl = $1 and u.id > $2 order by u.id limit ${BATCH_ROWS}) u
    left join visits v on ${dialect.ofUrl('v')} and v.attempt = u.attempts order by u.id`
  const reader = new UrlReader()
  for (let last = 0; ; ) {
    const rows = await db.tuples(text, [crawl, last])
    for (const row of rows) {
      if (reader.size === MAX_TREE_URLS) return reader.finish(db, false)
      reader.add(row)
    }
    if (rows.length < BATCH_ROWS) return reader.finish(db, true)
    last = Number(rows.at(-1)?.[0])
  }
}

class UrlReader {
  readonly #names = new FolderNames()
  readonly #hosts: number[] = []
  readonly #files: (string | null)[] = []
  readonly #folders: number[] = []
  readonly #ids: number[] = []
  readonly #states: number[] = []
  readonly #depths: number[] = []
  readonly #parents: number[] = []
  readonly #keyLow: number[] = []
  readonly #keyHigh: number[] = []
  readonly #bytes: number[] = []
  readonly #fetchMs: number[] = []

  get size(): number {
    return this.#ids.length
  }

  add([id, host, url, state, depth, parent, low, high, bytes, fetchMs, isLeftOut]: readonly unknown[]): void {
    const { folder, file } = splitUrlPath(String(url))
    this.#ids.push(Number(id))
    this.#hosts.push(Number(host))
    this.#files.push(file !== null && file.length > MAX_FOLDER_PATH ? null : file)
    this.#folders.push(this.#names.get(Number(host), folder))
    this.#states.push(isLeftOut ? LEFT_OUT : Number(state) - QUEUED)
    this.#depths.push(Number(depth))
    this.#parents.push(parent === null ? -1 : Number(parent))
    this.#keyLow.push(Number(low))
    this.#keyHigh.push(Number(high))
    this.#bytes.push(Number(bytes ?? 0))
    this.#fetchMs.push(fetchMs === null ? Number.NaN : Number(fetchMs))
  }

  async finish(db: BrowseDb, isWhole: boolean): Promise<PathTree> {
    // Which pages have others below them is known only after all URLs were read.
    this.#files.forEach((file, i) => {
      const folder = file === null ? undefined : this.#names.find(this.#hosts[i] ?? 0, file)
      if (folder !== undefined) this.#folders[i] = folder
    })
    const ids = new Float64Array(this.#ids)
    const urls: TreeUrls = {
      ids,
      keyLow: new Uint32Array(this.#keyLow),
      keyHigh: new Uint32Array(this.#keyHigh),
      folders: new Uint32Array(this.#folders),
      states: new Uint8Array(this.#states),
      depths: new Uint16Array(this.#depths),
      parents: new Int32Array(this.#parents.map((id) => (id === -1 ? -1 : findPosition(ids, id)))),
      bytes: new Float64Array(this.#bytes),
      fetchMs: new Float32Array(this.#fetchMs),
    }
    const hostNames = await readHostNames(db, [...new Set(this.#hosts)])
    return new PathTree(urls, this.#names.toFolders(hostNames), isWhole)
  }
}

/** -1 if the id is not there. */
export function findPosition(ids: Float64Array, id: number): number {
  let [low, high] = [0, ids.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ids[middle] ?? 0) < id) low = middle + 1
    else high = middle
  }
  return ids[low] === id ? low : -1
}
