// Time to read random pages from a store and an archive that were just opened (cold) and again (warm), and disk space
// per page.

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openArchiveReader as openArchive } from '../../src/archive/archive-reader.ts'
import { PageCache } from '../../src/engine/pages/page-cache.ts'
import { type PageReader, readArchivedPage } from '../../src/engine/pages/read-archived-page.ts'
import { openReader } from '../../src/store/sqlite/store.ts'
import { launcherPath } from '../../test/testing/launcher.ts'
import { quantile } from '../../test/testing/statistics.ts'
import type { Workspace } from '../../test/testing/workspace.ts'
import { startBenchServer } from '../harness/bench-server.ts'
import { measureCommand } from '../harness/measure-command.ts'
import { crawlArguments, parseEvent } from '../harness/orbweaver.ts'

const SAMPLE = 300
const CACHE_BYTES = 64 * 1024 * 1024

export interface ReadTimes {
  /** Time to open the store and the archive and to read the first page. */
  openMs: number
  /** The 99th percentile of each. */
  coldMs: number
  warmMs: number
  bytesPerPage: number
}

export async function measureReads(data: string): Promise<ReadTimes> {
  const folder = join(data, 'archive')
  const startedAt = performance.now()
  const store = openReader(data)
  try {
    const first = openArchive(folder)
    await timeOf(1, store, readerOf(store, first))
    await first.close()
    const openMs = performance.now() - startedAt
    const [crawl] = await store.crawls.list()
    const pages = crawl?.ledger.visited ?? 0
    const ids = Array.from({ length: SAMPLE }, (_, i) => 1 + Math.floor((i * pages) / SAMPLE))
    const cold: number[] = []
    for (const id of ids) {
      const archive = openArchive(folder)
      cold.push(await timeOf(id, store, readerOf(store, archive)))
      await archive.close()
    }
    const archive = openArchive(folder)
    const cache = new PageCache(CACHE_BYTES, readerOf(store, archive))
    const warm: number[] = []
    for (const id of [...ids, ...ids]) warm.push(await timeOf(id, store, (version) => cache.read(version)))
    await archive.close()
    const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
    return {
      openMs,
      coldMs: quantile(cold, 0.99),
      warmMs: quantile(warm.slice(ids.length), 0.99),
      bytesPerPage: Math.round(bytes / pages),
    }
  } finally {
    await store.close()
  }
}

export interface LargeArchive {
  pages: number
  /** While the crawl that fills the archive runs, and after it. */
  during: ReadTimes
  after: ReadTimes
}

/** Every page lists three new ones, so the crawl never runs out of URLs. */
const LINKS = 3

/** Fills an archive with this many small pages by a real crawl, and reads it from another process. */
export async function measureLargeArchive(workspace: Workspace, pages: number): Promise<LargeArchive> {
  const server = await startBenchServer({ hosts: 1, pagesPerHost: 1, linksPerPage: 0, pageBytes: 0 }, { fresh: LINKS })
  try {
    let during: Promise<ReadTimes> | null = null
    const flags = ['--archive', 'all', '--max-pages', String(pages)]
    const { exitCode, errors } = await measureCommand({
      file: launcherPath,
      args: crawlArguments(server.seeds, workspace, flags),
      timeoutMs: 60_000 + pages * 2,
      onLine(line) {
        if ((parseEvent(line)?.states['visited'] ?? 0) > pages / 2) during ??= measureReads(workspace.file('data'))
      },
    })
    if (exitCode !== 0 || during === null) throw new Error(`The archive could not be filled: ${errors}`)
    return { pages, during: await during, after: await measureReads(workspace.file('data')) }
  } finally {
    await server.stop()
  }
}

type Store = ReturnType<typeof openReader>

function readerOf({ pages }: Store, archive: ReturnType<typeof openArchive>): PageReader {
  const readDocument = () => Promise.reject(new Error('The archive has no documents.'))
  return (version) => readArchivedPage(version, { pages, archive, readDocument })
}

/** Looks up the page version each time, as the API does. */
async function timeOf(pageId: number, store: Store, read: PageReader): Promise<number> {
  const startedAt = performance.now()
  const version = await store.pages.find(pageId)
  if (version === null) throw new Error(`Page ${pageId} is missing.`)
  await read(version)
  return performance.now() - startedAt
}
