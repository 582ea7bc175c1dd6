// `npm run bench:cluster`: several workers on one Postgres, all on this machine. It measures pages/s and CPU time with
// 1, 2 and 4 workers; how hosts with a gap are spread over three workers; URLs/s into the frontier; and the time from
// the discovery of a URL to its own commit at 400 and at 800 pages/s. Workers crawl a little before they are measured: a new
// process needs most of a second of CPU time to compile its code, which for four of them is a third of the whole run.
// `--only statements` shows instead which statements take the time of Postgres.
// Flags: --quick for a small run of everything, --only workers|spread|frontier|latency|statements for one part.

import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type BenchSite, countPages, MANY_HOSTS, ONE_HOST } from '../test/sites/bench-site.ts'
import { runToExitCode } from '../test/testing/run-to-exit-code.ts'
import { formatCount, formatFixed, printTable } from '../test/testing/table.ts'
import { exitOnSignals, makeWorkspace } from '../test/testing/workspace.ts'
import {
  type ClusterBench,
  crawlAll,
  createCrawl,
  startWorkers,
  waitForCrawl,
  warmUp,
} from './harness/bench-cluster.ts'
import { startBenchPostgres } from './harness/bench-postgres.ts'
import { startBenchServer } from './harness/bench-server.ts'
import { NO_ARCHIVE, SPEED_FLAGS } from './harness/orbweaver.ts'
import { printStatementCosts } from './measurements/statement-costs.ts'

const MIN_PAGES_PER_SECOND = 800
const MIN_URLS_PER_SECOND = 30_000
const PAGES_PER_SECOND = 400
/** Minimum throughput of several workers relative to one, on an otherwise idle machine. */
const MIN_RATIO = 0.9
const PARTS = ['workers', 'spread', 'frontier', 'latency', 'statements'] as const

interface Run {
  row: string[]
  rate: number
  isExact: boolean
}

async function countTransactions({ postgres }: ClusterBench): Promise<number> {
  const [row] = await postgres.query('select xact_commit as n from pg_stat_database where datname = current_database()')
  return Number(row?.['n'])
}

/** Pages per worker process, in descending order. */
async function pagesByWorker({ postgres }: ClusterBench, crawl: number): Promise<number[]> {
  const rows = await postgres.query(
    `select sum(visited) as pages from counters where crawl = $1 group by split_part(worker, '/', 1)
     having sum(visited) > 0 order by 1 desc`,
    [crawl],
  )
  return rows.map((row) => Number(row['pages']))
}

async function benchWorkers(
  clusterBench: ClusterBench,
  benchSite: BenchSite,
  count: number,
  isKept: boolean,
): Promise<Run> {
  const { postgres, workspace } = clusterBench
  const store = await postgres.createDatabase()
  const server = await startBenchServer(benchSite)
  const workers = await startWorkers(store, count, workspace)
  try {
    await warmUp(clusterBench, store)
    const before = {
      workers: workers.cpuMs(),
      postgres: postgres.cpuMs() ?? Number.NaN,
      transactions: await countTransactions(clusterBench),
    }
    const start = await crawlAll(clusterBench, store, server, isKept ? SPEED_FLAGS : [...SPEED_FLAGS, ...NO_ARCHIVE])
    const pages = countPages(benchSite)
    const rate = pages / ((performance.now() - start) / 1000)
    const { requests, distinct } = await server.count()
    const isExact = requests === pages && distinct === pages
    const cpu = (workers.cpuMs() - before.workers) / pages
    const postgresCpu = ((postgres.cpuMs() ?? Number.NaN) - before.postgres) / pages
    const perTransaction = pages / ((await countTransactions(clusterBench)) - before.transactions)
    const parts = (await pagesByWorker(clusterBench, 2)).map((n) => `${Math.round((100 * n) / pages)}%`).join(' ')
    const hosts = benchSite.hosts === 1 ? '1 host' : `${benchSite.hosts} hosts`
    const name = `${hosts}, ${count} workers${isKept ? ', archive' : ''}`
    const figures = [formatFixed(cpu, 3), formatFixed(postgresCpu, 3), formatFixed(perTransaction, 0), parts]
    return { row: [name, formatCount(rate), ...figures, String(isExact)], rate, isExact }
  } finally {
    await workers.stop()
    await server.stop()
  }
}

/** Three workers on eight hosts with a gap: the mean number of hosts that each holds at a time. */
async function benchSpread({ postgres, workspace }: ClusterBench): Promise<number[]> {
  const store = await postgres.createDatabase()
  const server = await startBenchServer({ ...MANY_HOSTS, hosts: 8, pagesPerHost: 100 })
  const benchWorkers = await startWorkers(store, 3, workspace)
  const held = new Map<string, number>()
  let samples = 0
  try {
    const id = await createCrawl(store, server, workspace, ['--delay', '50', ...NO_ARCHIVE])
    await waitForCrawl(async () => {
      const rows = await postgres.query(
        `select w.id, count(l.token) as hosts from workers w left join leases l on starts_with(l.worker, w.process || '/')
         group by w.id having (select count(*) from queues) = 8`,
      )
      if (rows.length > 0) samples += 1
      for (const row of rows) held.set(String(row['id']), (held.get(String(row['id'])) ?? 0) + Number(row['hosts']))
      const [crawl] = await postgres.query('select status from crawls where uuid = $1', [id])
      return crawl?.['status'] === 'completed'
    })
    return [...held.values()].map((sum) => sum / samples).sort((a, b) => b - a)
  } finally {
    await benchWorkers.stop()
    await server.stop()
  }
}

/** Every page lists 500 new URLs; counts the rows of the frontier. */
async function benchFrontier({ postgres, workspace, isQuick }: ClusterBench): Promise<number> {
  const store = await postgres.createDatabase()
  const shape = { hosts: 1, pagesPerHost: 1, linksPerPage: 0, pageBytes: 0 }
  const server = await startBenchServer(shape, { fresh: 500 })
  const benchWorkers = await startWorkers(store, 2, workspace)
  try {
    await createCrawl(store, server, workspace, [...SPEED_FLAGS, ...NO_ARCHIVE])
    const count = async () => Number((await postgres.query('select sum(open + visited) as n from counters'))[0]?.['n'])
    await waitForCrawl(async () => (await count()) > 10_000)
    const [start, first] = [performance.now(), await count()]
    await sleep(isQuick ? 2_000 : 10_000)
    return ((await count()) - first) / ((performance.now() - start) / 1000)
  } finally {
    await benchWorkers.stop()
    await server.stop()
  }
}

/** A pace, and the shares of URLs that have to be committed within 1, 2 and 5 seconds of their discovery. */
interface Pace {
  perSecond: number
  workers: number
  shares: readonly [number, number, number]
}

const PACES: Pace[] = [
  { perSecond: PAGES_PER_SECOND, workers: 1, shares: [0.95, 0.99, 1] },
  { perSecond: 2 * PAGES_PER_SECOND, workers: 2, shares: [0.9, 0.98, 1] },
]

interface Latency {
  p50: number
  p95: number
  slowest: number
  shares: [number, number, number]
  rate: number
  /** URLs that were neither visited nor excluded by the page limit. */
  left: number
}

/**
 * Chains of pages, all archived. A URL is discovered by the commit of the page before it, so the latency is the
 * difference between the two commit times.
 */
async function benchLatency(clusterBench: ClusterBench, pace: Pace): Promise<Latency> {
  const { postgres, workspace, isQuick } = clusterBench
  const store = await postgres.createDatabase()
  // Several hosts, so that every worker has some: each enforces its share of the rate limit.
  const shape = { hosts: 20, pagesPerHost: 1, linksPerPage: 0, pageBytes: 0 }
  const server = await startBenchServer(shape, { fresh: 1 })
  const chains = Array.from({ length: Math.round(pace.perSecond / 3) }, (_, i) => {
    const root = server.seeds[i % server.seeds.length]
    return new URL(`/articles/${(i + 1) * 1_000_000}.html`, root).href
  })
  const benchWorkers = await startWorkers(store, pace.workers, workspace)
  const pages = pace.perSecond * (isQuick ? 4 : 20)
  try {
    await warmUp(clusterBench, store)
    const limits = ['--max-rate', String(pace.perSecond), '--max-pages', String(pages)]
    const id = await createCrawl(store, { ...server, seeds: chains }, workspace, [...SPEED_FLAGS, ...limits])
    await waitForCrawl(async () => {
      const [crawl] = await postgres.query('select status from crawls where uuid = $1', [id])
      return crawl?.['status'] === 'completed'
    })
    const [row] = await postgres.query(
      `with times as (select c.first_seen_at as at, c.first_seen_at - p.first_seen_at as ms
         from urls c join urls p on p.crawl = c.crawl and p.id = c.parent
         where c.crawl = (select id from crawls where uuid = $1))
       select percentile_cont(0.5) within group (order by ms) as p50,
         percentile_cont(0.95) within group (order by ms) as p95, max(ms) as slowest,
         avg((ms < 1000)::int) as in1, avg((ms < 2000)::int) as in2, avg((ms < 5000)::int) as in5,
         count(*) * 1000.0 / (max(at) - min(at)) as rate,
         (select count(*) from urls where state in (2, 3)) as left from times`,
      [id],
    )
    const value = (name: string) => Number(row?.[name])
    const shares: Latency['shares'] = [value('in1'), value('in2'), value('in5')]
    return {
      p50: value('p50'),
      p95: value('p95'),
      slowest: value('slowest'),
      shares,
      rate: value('rate'),
      left: value('left'),
    }
  } finally {
    await benchWorkers.stop()
    await server.stop()
  }
}

/** Returns false if the pace was not reached, too few URLs were committed in time, or some were left. */
async function measureLatency(clusterBench: ClusterBench): Promise<boolean> {
  const rows: string[][] = []
  let isGood = true
  for (const pace of PACES) {
    const { rate, p50, p95, slowest, shares, left } = await benchLatency(clusterBench, pace)
    const inTime = shares.map((share, i) => `${formatFixed(100 * share, 1)}% (>= ${100 * (pace.shares[i] ?? 0)}%)`)
    const figures = [formatCount(p50), formatCount(p95), formatCount(slowest), ...inTime, String(left)]
    rows.push([`${pace.perSecond} URLs/s, ${pace.workers} workers`, formatCount(rate), ...figures])
    isGood &&= rate > 0.95 * pace.perSecond && left === 0 && shares.every((share, i) => share >= (pace.shares[i] ?? 0))
  }
  const columns = ['pace', 'reached', 'p50 ms', 'p95 ms', 'slowest ms', '< 1 s', '< 2 s', '< 5 s', 'left']
  printTable('From discovery to commit, everything archived', columns, rows)
  return isGood
}

/**
 * Pages/s with 1, 2 and 4 workers. Returns false if more workers are slower, or if any page was fetched twice or not at
 * all.
 */
async function compareWorkers(clusterBench: ClusterBench): Promise<boolean> {
  const [one, many] = clusterBench.isQuick
    ? [
        { ...ONE_HOST, pagesPerHost: 2_000 },
        { ...MANY_HOSTS, hosts: 20, pagesPerHost: 100 },
      ]
    : [ONE_HOST, MANY_HOSTS]
  const groups: Run[][] = []
  for (const fixture of [one, many]) {
    const runs: Run[] = []
    for (const count of [1, 2, 4]) runs.push(await benchWorkers(clusterBench, fixture, count, false))
    groups.push(runs)
  }
  groups.push([await benchWorkers(clusterBench, one, 2, true)])
  const rows = groups.flatMap((runs) =>
    runs.map(({ row: [name = '', rate = '', ...rest], rate: pages }) => {
      return [name, rate, formatFixed(pages / (runs[0]?.rate ?? pages), 2), ...rest]
    }),
  )
  const cpu = ['CPU ms/page, workers', 'Postgres']
  const columns = ['crawl', 'pages/s', 'of one', ...cpu, 'pages/transaction', 'pages by worker', 'exact']
  printTable('Workers on one Postgres, fsync on', columns, rows)
  const all = groups.flat()
  const best = Math.max(...all.map(({ rate }) => rate))
  const ratios = groups.flatMap((runs) => runs.map(({ rate }) => rate / (runs[0]?.rate ?? rate)))
  const least = Math.min(...ratios)
  console.log(`Best ${formatCount(best)} pages/s (goal: >= ${MIN_PAGES_PER_SECOND})`)
  console.log(`More workers reach at least ${formatFixed(least, 2)} of the pages/s of one (goal: >= ${MIN_RATIO})`)
  return best >= MIN_PAGES_PER_SECOND && least >= MIN_RATIO && all.every(({ isExact }) => isExact)
}

async function main(): Promise<boolean> {
  const { values } = parseArgs({ options: { quick: { type: 'boolean' }, only: { type: 'string' } } })
  const { only } = values
  if (only !== undefined && !(PARTS as readonly string[]).includes(only)) {
    throw new Error(`--only must be one of ${PARTS.join(', ')}, not "${only}".`)
  }
  // Statement statistics cost CPU time themselves, so they are a separate run.
  const does = (part: (typeof PARTS)[number]) => (only === undefined ? part !== 'statements' : only === part)
  exitOnSignals()
  const workspace = makeWorkspace()
  const postgres = await startBenchPostgres({ hasStatementStatistics: does('statements') })
  const bench = { postgres, workspace, isQuick: values.quick === true }
  try {
    let isGood = true
    if (does('workers')) isGood = await compareWorkers(bench)
    if (does('spread')) {
      const hosts = await benchSpread(bench)
      console.log(
        `Eight hosts with a gap, three workers: ${hosts.map((n) => formatFixed(n, 1)).join(' / ')} hosts each`,
      )
    }
    if (does('frontier')) {
      const urls = await benchFrontier(bench)
      const bar = `(goal: >= ${formatCount(MIN_URLS_PER_SECOND)})`
      console.log(`${formatCount(urls)} discovered URLs/s into the frontier ${bar}`)
      isGood &&= urls >= MIN_URLS_PER_SECOND
    }
    if (does('statements')) await printStatementCosts(bench)
    if (does('latency')) isGood = (await measureLatency(bench)) && isGood
    return isGood
  } finally {
    await postgres.stop()
    workspace.remove()
  }
}

await runToExitCode(main)
