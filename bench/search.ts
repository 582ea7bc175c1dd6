// `npm run bench:search`: speed of indexing and of queries on one machine, size of the index, and relevance of the
// results. --pages 1000000 for a million pages, --quick for a few; --beside also compares a crawl with and without an
// indexer. --data DIR keeps the index; a later run with as many pages only measures queries. --folder DIR, which may be
// repeated, measures real pages instead.

import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { systemClock } from '../src/lib/clock.ts'
import { makePrivateFolder } from '../src/lib/private-files.ts'
import { NO_SYNONYMS } from '../src/search/query/synonyms.ts'
import { IndexLanguages } from '../src/search/service/index-languages.ts'
import { runSearch } from '../src/search/service/run-search.ts'
import { indexPath, openForReading, openForWriting } from '../src/search/sqlite/open.ts'
import { SqliteIndex } from '../src/search/sqlite/read/sqlite-index.ts'
import { SqliteFeed } from '../src/search/sqlite/write/feed.ts'
import { fillIndex } from '../test/relevance/fill-index.ts'
import { measureRelevance } from '../test/relevance/measure-relevance.ts'
import { threadCpuMs } from '../test/testing/cpu-time.ts'
import { formatCount, formatFixed, formatQuantiles, printTable } from '../test/testing/table.ts'
import { exitOnSignals, makeWorkspace } from '../test/testing/workspace.ts'
import { reportFill } from './measurements/fill-progress.ts'
import { measureIndexerCost } from './measurements/indexer-cost.ts'
import { measureFolders } from './measurements/search-folders.ts'
import { FIRST_HITS, QUERY_KINDS } from './measurements/search-queries.ts'

const { values } = parseArgs({
  options: {
    pages: { type: 'string' },
    queries: { type: 'string', default: '300' },
    quick: { type: 'boolean', default: false },
    beside: { type: 'boolean', default: false },
    data: { type: 'string' },
    folder: { type: 'string', multiple: true, default: [] },
  },
})
const pages = Number(values.pages ?? (values.quick ? 5_000 : 100_000))
const queries = Number(values.queries)

exitOnSignals()
const workspace = makeWorkspace()
const dir = values.data ?? workspace.folder('search')
makePrivateFolder(dir)
if (values.folder.length > 0) {
  await measureFolders({ folders: values.folder, data: dir, queriesPerKind: queries / 10, query: FIRST_HITS })
  workspace.remove()
  process.exit()
}
const db = openForWriting(dir)
const none = {
  listAfter: async () => [],
  retentionOf: async () => [],
  history: async () => [],
  newestId: async () => 0,
}
const feed = new SqliteFeed({ db, pages: none, clock: systemClock })
const filled = Number(db.prepare('select documents from totals').get()?.['documents'])
if (filled === pages) console.log(`The index of ${formatCount(pages)} pages in ${dir} is reused.`)
else await fill(filled)

async function fill(from: number): Promise<void> {
  const indexFillResult = await fillIndex(feed, from, pages, reportFill(pages - from))
  const mergedFrom = threadCpuMs()
  while (await feed.mergeTerms());
  const mergeMs = threadCpuMs() - mergedFrom
  db.exec('pragma wal_checkpoint(truncate)')
  const perPage = (ms: number) => `${formatFixed(ms / indexFillResult.pages, 3)} ms`
  printTable(
    `Indexing ${formatCount(indexFillResult.pages)} pages of ${formatFixed(indexFillResult.htmlBytes / indexFillResult.pages / 1000, 1)} kB, one core`,
    ['step', 'CPU per page', 'pages/s'],
    [
      [
        'analysis',
        perPage(indexFillResult.analyseMs),
        formatCount((1000 * indexFillResult.pages) / indexFillResult.analyseMs),
      ],
      [
        'writing',
        perPage(indexFillResult.writeMs),
        formatCount((1000 * indexFillResult.pages) / indexFillResult.writeMs),
      ],
      ['merging', perPage(mergeMs), formatCount((1000 * indexFillResult.pages) / mergeMs)],
      [
        'all',
        perPage(indexFillResult.analyseMs + indexFillResult.writeMs + mergeMs),
        formatCount((1000 * indexFillResult.pages) / (indexFillResult.analyseMs + indexFillResult.writeMs + mergeMs)),
      ],
    ],
  )
}

console.log(`The index takes ${formatCount(statSync(indexPath(dir)).size / pages)} bytes per page.`)

const reading = openForReading(dir)
if (reading === null) throw new Error('The index is missing.')
const index = new SqliteIndex(reading, () => systemClock.now())
const dependencies = {
  index,
  synonyms: NO_SYNONYMS,
  languages: new IndexLanguages(Date.now),
  now: Date.now,
  resolveCrawlId: async () => null,
}
const all: number[] = []
const allCpu: number[] = []
const rows: string[][] = []
for (const [kind, make] of Object.entries(QUERY_KINDS)) {
  const times: number[] = []
  const cpu: number[] = []
  let total = 0
  for (let n = 0; n < queries / Object.keys(QUERY_KINDS).length; n++) {
    const [startedAt, cpuBefore] = [performance.now(), threadCpuMs()]
    total += (await runSearch({ text: make(n), ...FIRST_HITS }, dependencies)).total
    times.push(performance.now() - startedAt)
    cpu.push(threadCpuMs() - cpuBefore)
  }
  all.push(...times)
  allCpu.push(...cpu)
  rows.push([kind, formatCount(total / times.length), ...formatQuantiles(times), formatQuantiles(cpu)[1]])
}
rows.push(['all', '', ...formatQuantiles(all), formatQuantiles(allCpu)[1]])
printTable('Queries, with snippets, in ms', ['query', 'found', 'p50', 'p95', 'worst', 'CPU p95'], rows)

const { mrr, ndcg10, queries: judged } = await measureRelevance(index, pages, Math.min(200, pages))
printTable(
  'Relevance',
  ['queries', 'MRR', 'nDCG@10'],
  [[formatCount(judged), formatFixed(mrr, 3), formatFixed(ndcg10, 3)]],
)
reading.close()
db.close()
if (values.beside) await measureIndexerCost(workspace)
workspace.remove()
