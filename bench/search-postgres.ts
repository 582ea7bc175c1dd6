// The measurements of bench/search.ts for the index in Postgres, or with --engine opensearch in OpenSearch: speed of
// indexing and of queries, size and relevance. The servers run with fsync; their CPU time is reported separately.

import { parseArgs } from 'node:util'
import { systemClock } from '../src/lib/clock.ts'
import { openEngineFeed, openEngineIndex } from '../src/search/opensearch/open.ts'
import { openFeed, openIndex } from '../src/search/postgres/open.ts'
import { writeOutcome } from '../src/search/postgres/write/write-outcome.ts'
import { NO_SYNONYMS } from '../src/search/query/synonyms.ts'
import { IndexLanguages } from '../src/search/service/index-languages.ts'
import { runSearch } from '../src/search/service/run-search.ts'
import { openStore } from '../src/store/postgres/store.ts'
import { fillIndex } from '../test/relevance/fill-index.ts'
import { measureRelevance } from '../test/relevance/measure-relevance.ts'
import { processCpuMs } from '../test/testing/cpu-time.ts'
import { formatCount, formatFixed, formatQuantiles, printTable } from '../test/testing/table.ts'
import { exitOnSignals } from '../test/testing/workspace.ts'
import { startBenchOpenSearch } from './harness/bench-opensearch.ts'
import { startBenchPostgres } from './harness/bench-postgres.ts'
import { reportFill } from './measurements/fill-progress.ts'
import { FIRST_HITS, QUERY_KINDS } from './measurements/search-queries.ts'

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '20000' },
    queries: { type: 'string', default: '200' },
    engine: { type: 'string', default: 'postgres' },
  },
})
const [pages, queries] = [Number(values.pages), Number(values.queries)]

exitOnSignals()
const postgres = await startBenchPostgres()
const node = values.engine === 'opensearch' ? await startBenchOpenSearch() : null
const url = await postgres.createDatabase()
const onOutage = () => undefined
const timing = { clock: systemClock, isClockVirtual: false, random: Math.random, onOutage }
// Creates the tables.
const store = await openStore(url, { ...timing, leaseMs: 30_000, connections: 1, statementMs: 0, create: true })
await store.close()

const address = node === null ? null : { url, search: node.makeSearchUrl(), env: {} }
const { feed, db, sink, close } = address === null ? openFeed(url, timing) : openEngineFeed(address, timing)
await sink?.check()
const startedAt = performance.now()
const serverCpuMs = () => (postgres.cpuMs() ?? 0) + (node?.cpuMs() ?? 0)
const cpuBefore = serverCpuMs()
const filling = {
  finish: async (_token: string, outcome: Parameters<typeof feed.finish>[1]) => {
    await db.transaction((tx) => writeOutcome(tx, outcome, sink))
  },
}
const indexFillResult = await fillIndex(filling, 0, pages, reportFill(pages))
await sink?.settle()
const [tookMs, cpuMs] = [performance.now() - startedAt, serverCpuMs() - cpuBefore]
await postgres.query('analyze')
const index = address === null ? await openIndex(url, timing) : await openEngineIndex(address, timing)
const { bytes } = await index.status()
printTable(
  `Indexing ${formatCount(pages)} pages of ${formatFixed(indexFillResult.htmlBytes / indexFillResult.pages / 1000, 1)} kB, one indexer`,
  ['CPU per page, analysis', 'CPU per page, servers', 'pages/s', 'bytes per page'],
  [
    [
      `${formatFixed(indexFillResult.analyseMs / pages, 2)} ms`,
      `${formatFixed(cpuMs / pages, 2)} ms`,
      formatCount((1000 * pages) / tookMs),
      formatCount(bytes / pages),
    ],
  ],
)

const dependencies = {
  index,
  synonyms: NO_SYNONYMS,
  languages: new IndexLanguages(Date.now),
  now: Date.now,
  resolveCrawlId: async () => null,
}
const all: number[] = []
const rows: string[][] = []
for (const [kind, make] of Object.entries(QUERY_KINDS)) {
  const times: number[] = []
  const cpuFrom = readCpuMs()
  let total = 0
  for (let n = 0; n < queries / Object.keys(QUERY_KINDS).length; n++) {
    const queriedAt = performance.now()
    total += (await runSearch({ text: make(n), ...FIRST_HITS }, dependencies)).total
    times.push(performance.now() - queriedAt)
  }
  all.push(...times)
  const cpu = formatFixed((readCpuMs() - cpuFrom) / times.length, 1)
  rows.push([kind, formatCount(total / times.length), ...formatQuantiles(times), cpu])
}
rows.push(['all', '', ...formatQuantiles(all), ''])
printTable('Queries, with snippets, in ms', ['query', 'found', 'p50', 'p95', 'worst', 'CPU, mean'], rows)

const { mrr, ndcg10, queries: judged } = await measureRelevance(index, pages, Math.min(200, pages))
printTable(
  'Relevance',
  ['queries', 'MRR', 'nDCG@10'],
  [[formatCount(judged), formatFixed(mrr, 3), formatFixed(ndcg10, 3)]],
)
await index.close()
await close()
await node?.stop()
await postgres.stop()

/** CPU time of this process and of the servers so far. It shows the cost of a query on an otherwise idle machine. */
function readCpuMs(): number {
  return processCpuMs() + serverCpuMs()
}
