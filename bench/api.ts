// `npm run bench:api`: API latency while a crawl runs at full speed and 200 WebSockets follow it, what that load costs
// the crawl, whether reading the progress takes the same time for large crawls, and what reading the graph, the folders
// and the hosts of a large crawl costs. --quick makes a small run. The
// clients run on the same machine, so on few cores they take CPU time from the crawl that separate machines would not.

import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type BenchSite, countPages, ONE_HOST } from '../test/sites/bench-site.ts'
import { type ApiServer, startApiServer } from '../test/testing/api-server.ts'
import { readTreeCpuMs } from '../test/testing/cpu-time.ts'
import { median, quantile } from '../test/testing/statistics.ts'
import { formatCount, formatFixed, printTable } from '../test/testing/table.ts'
import { waitUntil } from '../test/testing/wait-until.ts'
import type { Workspace } from '../test/testing/workspace.ts'
import { startBenchServer } from './harness/bench-server.ts'
import { runBenchParts } from './harness/run-bench.ts'
import type { LoadOptions, LoadResult } from './measurements/api-load.ts'
import { measureGraphReads } from './measurements/graph-reads.ts'
import { buildLargeFrontier } from './measurements/resume.ts'

interface Sizes {
  site: BenchSite
  /** Crawls without and with load, in turn. */
  pairs: number
  urls: [number, number]
  graphUrls: number
}

const FULL: Sizes = {
  site: { ...ONE_HOST, pagesPerHost: 30_000 },
  pairs: 5,
  urls: [1_000, 1_000_000],
  graphUrls: 100_000,
}
const QUICK: Sizes = { site: { ...ONE_HOST, pagesPerHost: 6_000 }, pairs: 1, urls: [1_000, 100_000], graphUrls: 20_000 }
const LOAD = { sockets: 200, readsPerSecond: 500 }
const MAX_LOSS = 0.1
const MAX_P99_MS = 50
/** Maximum ratio of the time to read the progress of the larger crawl to that of the smaller one. */
const MAX_RATIO = 2
const PROGRESS_READS = 300
/** CPU of one read of the graph, the folders or the hosts. */
const MAX_READ_CPU_MS = 50
const POLL_MS = 200
/** Minimum number of links on a page of the crawl whose progress is read. */
const MIN_LINKS = 10

const SETTINGS = {
  per_host: 32,
  concurrency: 64,
  delay: 0,
  cooldown: 0,
  ignore_robots: true,
  allow_private: true,
  traps: false,
  archive: 'none',
}

interface CrawlRun {
  pagesPerSecond: number
  /** CPU time of the server including its crawl threads, over the whole run. */
  cpuMs: number | null
  load: LoadResult | null
}

async function runCrawl(site: BenchSite, workspace: Workspace, isLoaded: boolean): Promise<CrawlRun> {
  const web = await startBenchServer(site)
  const apiServer = await startApiServer(workspace.folder('data'), 'api,worker,maintenance', [
    '--token-sockets',
    String(LOAD.sockets),
  ])
  try {
    const body = JSON.stringify({ urls: web.seeds, settings: SETTINGS })
    const headers = { 'content-type': 'application/json' }
    const created = await apiServer.request('/api/v1/crawls', { method: 'POST', headers, body })
    const crawlId = String(created['crawl_id'])
    const load = isLoaded ? startLoad({ address: apiServer.address, crawlId, ...LOAD }) : null
    const ended = await waitForEnd(apiServer, crawlId)
    const cpuMs = readTreeCpuMs(apiServer.child.pid)
    const seconds = (Date.parse(String(ended['finished_at'])) - Date.parse(String(ended['created_at']))) / 1000
    const pages = Number(ended['pages'])
    if (pages !== countPages(site))
      throw new Error(`${pages} pages were visited, but the site has ${countPages(site)}.`)
    return { pagesPerSecond: pages / seconds, cpuMs, load: (await load?.stop()) ?? null }
  } finally {
    await apiServer.stop()
    await web.stop()
  }
}

async function waitForEnd(apiServer: ApiServer, crawlId: string): Promise<Record<string, unknown>> {
  const check = async () => {
    const crawl = await apiServer.request(`/api/v1/crawls/${crawlId}`)
    if (crawl['status'] === 'completed') return crawl
    if (crawl['status'] !== 'running') throw new Error(`The crawl is ${crawl['status']}.`)
    return null
  }
  return waitUntil(check, { pollMs: POLL_MS })
}

function startLoad(options: LoadOptions): { stop(): Promise<LoadResult> } {
  const script = fileURLToPath(new URL('./measurements/api-load.ts', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  return {
    async stop() {
      child.stdin.end()
      for await (const line of createInterface({ input: child.stdout })) {
        process.off('exit', kill)
        return JSON.parse(line) as LoadResult
      }
      throw new Error('The load process printed no result.')
    },
  }
}

async function benchLoad({ site, pairs }: Sizes, workspace: Workspace): Promise<boolean> {
  const alone: CrawlRun[] = []
  const loaded: CrawlRun[] = []
  for (let i = 0; i < pairs; i++) {
    alone.push(await runCrawl(site, workspace, false))
    loaded.push(await runCrawl(site, workspace, true))
  }
  const pages = countPages(site)
  const loss = median(loaded.map((run, i) => 1 - run.pagesPerSecond / (alone[i]?.pagesPerSecond ?? 0)))
  const row = (name: string, runs: CrawlRun[]) => [
    name,
    formatCount(median(runs.map(({ pagesPerSecond }) => pagesPerSecond))),
    formatFixed(median(runs.map(({ cpuMs }) => (cpuMs ?? Number.NaN) / pages)), 3),
  ]
  printTable(
    `A crawl of ${formatCount(pages)} pages on ${availableParallelism()} cores, medians of ${pairs} pairs`,
    ['', 'pages/s', 'CPU ms/page'],
    [
      row('alone', alone),
      row(`with ${LOAD.sockets} sockets and ${LOAD.readsPerSecond} reads/s`, loaded),
      ['loss', `${(loss * 100).toFixed(1)}%`, ''],
    ],
  )
  const loads = loaded.flatMap(({ load }) => load ?? [])
  printTable(
    'Reads meanwhile',
    ['reads', 'failed', 'late', 'p50 ms', 'p99 ms', 'max ms', 'messages', 'sockets lost', 'CPU s of the clients'],
    loads.map((load) => [
      ...[load.reads, load.failed, load.late].map(formatCount),
      ...[load.p50Ms, load.p99Ms, load.maxMs].map((ms) => formatFixed(ms, 1)),
      ...[load.messages, load.socketsLost].map(formatCount),
      formatFixed(load.cpuMs / 1000, 2),
    ]),
  )
  const isGood =
    loss < MAX_LOSS &&
    median(loads.map(({ p99Ms }) => p99Ms)) < MAX_P99_MS &&
    loads.every(({ failed, socketsLost }) => failed === 0 && socketsLost === 0)
  const goal = `a loss under ${MAX_LOSS * 100}%, p99 under ${MAX_P99_MS} ms, no failed read, no lost socket`
  console.log(`Goal ${isGood ? 'met' : 'missed'}: ${goal}.`)
  return isGood
}

/** No crawl runs during this, so only the read itself is measured. */
async function timeProgressReads(urls: number, workspace: Workspace): Promise<{ urls: number; times: number[] }> {
  const web = await startBenchServer(
    { hosts: 1, pagesPerHost: 1, linksPerPage: 0, pageBytes: 0 },
    { fresh: Math.max(MIN_LINKS, urls / 500) },
  )
  try {
    const created = await buildLargeFrontier(web, workspace, urls)
    const apiServer = await startApiServer(workspace.file('data'), 'api')
    try {
      const list = await apiServer.request('/api/v1/crawls')
      const [crawl] = list['items'] as { crawl_id: string }[]
      const times: number[] = []
      for (let i = 0; i < PROGRESS_READS; i++) {
        const startedAt = performance.now()
        await apiServer.request(`/api/v1/crawls/${crawl?.crawl_id}`)
        times.push(performance.now() - startedAt)
      }
      return { urls: created, times: times.toSorted((a, b) => a - b) }
    } finally {
      await apiServer.stop()
    }
  } finally {
    await web.stop()
  }
}

async function benchProgress({ urls }: Sizes, workspace: Workspace): Promise<boolean> {
  const runs = [await timeProgressReads(urls[0], workspace), await timeProgressReads(urls[1], workspace)]
  printTable(
    'Reading the progress of a crawl',
    ['urls', 'p50 ms', 'p99 ms'],
    runs.map((run) => [
      formatCount(run.urls),
      formatFixed(quantile(run.times, 0.5), 2),
      formatFixed(quantile(run.times, 0.99), 2),
    ]),
  )
  const [small, large] = runs.map(({ times }) => quantile(times, 0.5))
  return (large ?? Number.NaN) < (small ?? 0) * MAX_RATIO
}

async function benchGraph({ graphUrls }: Sizes, workspace: Workspace): Promise<boolean> {
  const reads = await measureGraphReads(workspace.folder('graph'), graphUrls)
  printTable(
    `Reading a crawl of ${formatCount(graphUrls)} URLs, CPU of the server`,
    ['', 'first, ms', 'later, ms'],
    reads.map(({ name, firstMs, laterMs }) => [name, formatFixed(firstMs, 0), formatFixed(laterMs, 1)]),
  )
  const isCheap = reads.every(({ laterMs }) => laterMs <= MAX_READ_CPU_MS)
  console.log(`Goal ${isCheap ? 'met' : 'missed'}: up to ${MAX_READ_CPU_MS} ms once the crawl is read.`)
  return isCheap
}

const PARTS = { load: benchLoad, progress: benchProgress, graph: benchGraph }

await runBenchParts(PARTS, { full: FULL, quick: QUICK })
