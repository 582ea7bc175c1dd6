// Speed of indexing and of queries over real pages: folders of HTML files, served and crawled like any site. `index
// rebuild` runs as a separate process, whose CPU time and peak memory count. The figure of a query is its least CPU
// time of five rounds, each on a new connection that has seen every third query.

import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { NO_SYNONYMS } from '../../src/search/query/synonyms.ts'
import { IndexLanguages } from '../../src/search/service/index-languages.ts'
import { runSearch, type SearchRequest } from '../../src/search/service/run-search.ts'
import { openForReading } from '../../src/search/sqlite/open.ts'
import { SqliteIndex } from '../../src/search/sqlite/read/sqlite-index.ts'
import { threadCpuMs } from '../../test/testing/cpu-time.ts'
import { launcherPath } from '../../test/testing/launcher.ts'
import { formatCount, formatFixed, formatMegabytes, formatQuantiles, printTable } from '../../test/testing/table.ts'
import { measureCommand } from '../harness/measure-command.ts'
import { crawlAndIndex } from '../relevance/crawl-and-index.ts'
import { makeFolderSite } from '../relevance/folder-site.ts'
import { makeFolderQueries } from './folder-queries.ts'

const ROUNDS = 5
const WARM_UP = 3

export interface FolderRequest {
  folders: string[]
  /** Folder in which the crawled data is kept. */
  data: string
  queriesPerKind: number
  query: Omit<SearchRequest, 'text'>
}

export async function measureFolders({ folders, data, queriesPerKind, query }: FolderRequest): Promise<void> {
  const site = makeFolderSite('folders', folders)
  await crawlAndIndex(site, { data, name: 'sqlite', postgres: null, search: null, reindex: false })
  const dir = join(data, `${site.name}-sqlite`)
  await measureIndexing(dir)
  const kinds = withIndex(dir, (db) => makeFolderQueries(db, queriesPerKind))
  const all: number[] = []
  const rows: string[][] = []
  for (const [kind, texts] of Object.entries(kinds)) {
    const { cpuMs, found } = await measureLeast(dir, texts, query)
    all.push(...cpuMs)
    rows.push([kind, formatCount(cpuMs.length), formatCount(found), ...formatQuantiles(cpuMs)])
  }
  rows.push(['all', formatCount(all.length), '', ...formatQuantiles(all)])
  printTable('Queries, with snippets, CPU in ms', ['query', 'number', 'found', 'p50', 'p95', 'worst'], rows)
}

async function measureIndexing(dir: string): Promise<void> {
  const args = ['index', 'rebuild', '--data', dir, '--json']
  const { exitCode, cpuMs, peakRssBytes, lastLine, errors } = await measureCommand({
    file: launcherPath,
    args,
    timeoutMs: 3_600_000,
  })
  if (exitCode !== 0) throw new Error(`index rebuild exited with code ${exitCode}: ${errors}`)
  const { indexed } = JSON.parse(lastLine) as { indexed: number }
  const perSecond = cpuMs === null ? null : (1000 * indexed) / cpuMs
  printTable(
    'Indexing real pages',
    ['pages', 'CPU per page', 'pages per CPU second', 'peak memory'],
    [
      [
        formatCount(indexed),
        cpuMs === null ? '-' : `${formatFixed(cpuMs / indexed, 2)} ms`,
        formatFixed(perSecond, 0),
        formatMegabytes(peakRssBytes),
      ],
    ],
  )
}

async function measureLeast(
  dir: string,
  texts: readonly string[],
  query: Omit<SearchRequest, 'text'>,
): Promise<{ cpuMs: number[]; found: number }> {
  const measured = texts.filter((_, i) => i % WARM_UP !== 0)
  const least = measured.map(() => Number.POSITIVE_INFINITY)
  let found = 0
  for (let round = 0; round < ROUNDS; round++) {
    await withIndex(dir, async (db) => {
      const dependencies = {
        index: new SqliteIndex(db, Date.now),
        synonyms: NO_SYNONYMS,
        languages: new IndexLanguages(Date.now),
        now: Date.now,
        resolveCrawlId: async () => null,
      }
      for (const [i, text] of texts.entries()) if (i % WARM_UP === 0) await runSearch({ ...query, text }, dependencies)
      for (const [i, text] of measured.entries()) {
        const cpuBefore = threadCpuMs()
        const { total } = await runSearch({ ...query, text }, dependencies)
        least[i] = Math.min(least[i] ?? 0, threadCpuMs() - cpuBefore)
        found += total / measured.length / ROUNDS
      }
    })
  }
  return { cpuMs: least, found }
}

function withIndex<T>(dir: string, use: (db: DatabaseSync) => T): T {
  const db = openForReading(dir, CACHE_BYTES)
  if (db === null) throw new Error(`There is no index in ${dir}.`)
  const result = use(db)
  if (result instanceof Promise) void result.finally(() => db.close())
  else db.close()
  return result
}

/** Page cache of the connection. */
const CACHE_BYTES = 64 * 1024 ** 2
