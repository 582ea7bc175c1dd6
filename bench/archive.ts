// How long it takes to read random pages back, from a store and an archive that were just opened (cold) and again (warm),
// and how much disk a page takes.

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openReader as openArchive } from '../src/content/reader.ts'
import { PageCache } from '../src/engine/pages/cache.ts'
import { readPage } from '../src/engine/pages/read.ts'
import { openReader } from '../src/store/sqlite/store.ts'

const SAMPLE = 300
const CACHE_BYTES = 64 * 1024 * 1024

export interface Reads {
  /** The 99th percentile of each. */
  coldMs: number
  warmMs: number
  bytesPerPage: number
}

export async function measureReads(data: string): Promise<Reads> {
  const folder = join(data, 'archive')
  const store = openReader(data)
  try {
    const [crawl] = store.crawls.list()
    const pages = crawl?.ledger.visited ?? 0
    const ids = Array.from({ length: SAMPLE }, (_, i) => 1 + Math.floor((i * pages) / SAMPLE))
    const cold: number[] = []
    for (const id of ids) {
      const archive = openArchive(folder)
      cold.push(await timeOf(id, store, archive))
      await archive.close()
    }
    const archive = openArchive(folder)
    const cache = new PageCache(CACHE_BYTES)
    const warm: number[] = []
    for (const id of [...ids, ...ids]) warm.push(await timeOf(id, store, archive, cache))
    await archive.close()
    const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
    return { coldMs: p99(cold), warmMs: p99(warm.slice(ids.length)), bytesPerPage: Math.round(bytes / pages) }
  } finally {
    store.close()
  }
}

async function timeOf(
  pageId: number,
  store: ReturnType<typeof openReader>,
  archive: ReturnType<typeof openArchive>,
  cache = new PageCache(CACHE_BYTES),
): Promise<number> {
  const startedAt = performance.now()
  await cache.get(pageId, async () => {
    const version = await store.pages.find(pageId)
    if (version === null) throw new Error(`there is no page ${pageId}`)
    return readPage(version, { archive, readPdf: () => Promise.reject(new Error('there are no PDFs')) })
  })
  return performance.now() - startedAt
}

function p99(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
}
