// `npm run bench`: speed and exactness of a crawl, memory growth, and how fast a large frontier resumes. Flags: --quick
// for a small run of everything, --only with the name of one part.

import { type BenchSite, countPages, MANY_HOSTS, ONE_HOST, SMALL_PAGES } from '../test/sites/bench-site.ts'
import { median } from '../test/testing/statistics.ts'
import { formatCount, formatFixed, formatMegabytes, printTable } from '../test/testing/table.ts'
import type { Workspace } from '../test/testing/workspace.ts'
import { type RequestCounts, startBenchServer } from './harness/bench-server.ts'
import { measureCommand } from './harness/measure-command.ts'
import { type BenchCrawlResult, runBenchCrawl } from './harness/orbweaver.ts'
import { runBenchParts } from './harness/run-bench.ts'
import { measureLargeArchive, measureReads } from './measurements/archive-reads.ts'
import { measureCompression } from './measurements/compression.ts'
import { type DocumentSizes, measureDocuments } from './measurements/documents.ts'
import { measureResume } from './measurements/resume.ts'
import { measureRobots } from './measurements/robots.ts'

interface Sizes {
  oneHost: BenchSite
  manyHosts: BenchSite
  growth: [BenchSite, BenchSite]
  resumeUrls: number
  archivedPages: number
  documents: DocumentSizes
}

const FULL: Sizes = {
  oneHost: ONE_HOST,
  manyHosts: MANY_HOSTS,
  growth: [SMALL_PAGES, { ...SMALL_PAGES, pagesPerHost: 200_000 }],
  resumeUrls: 1_000_000,
  archivedPages: 1_000_000,
  documents: { pages: 2000, documents: 500 },
}
const QUICK: Sizes = {
  oneHost: { ...ONE_HOST, pagesPerHost: 2_000 },
  manyHosts: { ...MANY_HOSTS, hosts: 20, pagesPerHost: 50 },
  growth: [
    { ...SMALL_PAGES, pagesPerHost: 1_000 },
    { ...SMALL_PAGES, pagesPerHost: 10_000 },
  ],
  resumeUrls: 100_000,
  archivedPages: 20_000,
  documents: { pages: 200, documents: 50 },
}
const MAX_GROWTH_BYTES = 50e6
const MAX_RESUME_MS = 3_000
const MAX_DECISION_MS = 50
const MAX_ARCHIVE_RATIO = 1.5
const MAX_ADAPT_MS = 1_000
const MAX_STOP_MS = 10_000
const MAX_START_MS = 250
const START_ROUNDS = 7
/** Upper bound for a crawl that hangs: 10 ms per page plus a minute. */
const timeoutFor = (benchSite: BenchSite) => 60_000 + countPages(benchSite) * 10

interface Run extends BenchCrawlResult {
  fixture: BenchSite
  served: RequestCounts
  isExact: boolean
}

async function runCrawl(benchSite: BenchSite, workspace: Workspace, flags?: string[]): Promise<Run> {
  const server = await startBenchServer(benchSite)
  try {
    const plan = { seeds: server.seeds, timeoutMs: timeoutFor(benchSite), ...(flags === undefined ? {} : { flags }) }
    const done = await runBenchCrawl(plan, workspace)
    const served = await server.count()
    const pages = countPages(benchSite)
    const isExact = done.summary.states['visited'] === pages && served.requests === pages && served.distinct === pages
    return { ...done, fixture: benchSite, served, isExact }
  } finally {
    await server.stop()
  }
}

function describe({ hosts, pagesPerHost, pageBytes }: BenchSite): string {
  return `${hosts === 1 ? '1 host' : `${hosts} hosts`} x ${formatCount(pagesPerHost)} pages of ${pageBytes / 1000} KB`
}

function rowOf({ fixture, measurement, served, isExact, summary }: Run): string[] {
  const pages = countPages(fixture)
  const cpuMs = measurement.cpuMs === null ? null : measurement.cpuMs / pages
  const shortfall = `no: ${summary.states['visited'] ?? 0} visited, ${served.requests} requests`
  return [
    describe(fixture),
    formatCount(pages / (measurement.wallMs / 1000)),
    formatFixed(cpuMs, 3),
    formatMegabytes(measurement.peakRssBytes),
    isExact ? 'yes' : shortfall,
  ]
}

const COLUMNS = ['crawl', 'pages/s', 'CPU ms/page', 'peak RSS', 'exact']

async function benchSpeed(sizes: Sizes, workspace: Workspace): Promise<boolean> {
  const runs: Run[] = []
  for (const benchSite of [sizes.oneHost, sizes.manyHosts]) runs.push(await runCrawl(benchSite, workspace))
  printTable('Speed, wall time from start to exit', COLUMNS, runs.map(rowOf))
  return runs.every((run) => run.isExact)
}

/** Cost of a start: the CPU time of a crawl of one page, minus that of an empty Node program. */
async function benchStart(sizes: Sizes, workspace: Workspace): Promise<boolean> {
  const onePage = { ...sizes.oneHost, pagesPerHost: 1 }
  const rounds = { node: [] as number[], none: [] as number[], all: [] as number[] }
  for (let i = 0; i < START_ROUNDS; i++) {
    const node = await measureCommand({ file: process.execPath, args: ['--eval', '0'], timeoutMs: 60_000 })
    rounds.node.push(node.cpuMs ?? Number.NaN)
    for (const archive of ['none', 'all'] as const) {
      const { measurement } = await runCrawl(onePage, workspace, ['--archive', archive])
      rounds[archive].push(measurement.cpuMs ?? Number.NaN)
    }
  }
  const [node, none, all] = [rounds.node, rounds.none, rounds.all].map(median)
  const beyond = (cpuMs = Number.NaN) => formatFixed(cpuMs - (node ?? Number.NaN), 0)
  console.log(
    `\nA crawl of one page takes ${beyond(none)} ms of CPU beyond the start of Node, ${beyond(all)} with the archive ` +
      `(medians of ${START_ROUNDS}, goal: <= ${MAX_START_MS})`,
  )
  return (none ?? Number.NaN) - (node ?? Number.NaN) <= MAX_START_MS
}

async function benchGrowth(sizes: Sizes, workspace: Workspace): Promise<boolean> {
  const runs: Run[] = []
  for (const benchSite of sizes.growth) runs.push(await runCrawl(benchSite, workspace))
  printTable('Growth', COLUMNS, runs.map(rowOf))
  const [small, large] = runs.map((run) => run.measurement.peakRssBytes ?? Number.NaN)
  const grown = (large ?? Number.NaN) - (small ?? Number.NaN)
  console.log(`Peak RSS grows by ${formatMegabytes(grown)} (goal: < ${formatMegabytes(MAX_GROWTH_BYTES)})`)
  return runs.every((run) => run.isExact) && !(grown >= MAX_GROWTH_BYTES)
}

async function benchResume(sizes: Sizes, workspace: Workspace): Promise<boolean> {
  const { urls, firstPageMs } = await measureResume(workspace, sizes.resumeUrls)
  const seconds = formatFixed(firstPageMs === null ? null : firstPageMs / 1000, 2)
  console.log(
    `\nResume with ${formatCount(urls)} URLs: first page after ${seconds} s (goal: < ${MAX_RESUME_MS / 1000} s)`,
  )
  return firstPageMs !== null && firstPageMs < MAX_RESUME_MS
}

async function benchRobots(): Promise<boolean> {
  const { rules, meanMicros, slowestMs, adaptMs } = await measureRobots()
  console.log(
    `\nrobots.txt of ${formatCount(rules)} rules: ${formatFixed(meanMicros, 1)} us per decision, slowest ` +
      `${formatFixed(slowestMs, 2)} ms (goal: < ${MAX_DECISION_MS} ms); ${formatFixed(adaptMs, 0)} ms to load the rules ` +
      `of a new host (goal: < ${MAX_ADAPT_MS / 1000} s)`,
  )
  return slowestMs < MAX_DECISION_MS && adaptMs < MAX_ADAPT_MS
}

/** Crawls the same site without and with the archive, then reads pages back. */
async function benchArchive(sizes: Sizes, workspace: Workspace): Promise<boolean> {
  const without = await runCrawl(sizes.oneHost, workspace)
  const gzip = await runCrawl(sizes.oneHost, workspace, ['--archive-codec', 'gzip'])
  const archived = await runCrawl(sizes.oneHost, workspace, ['--archive-codec', 'zstd'])
  printTable('Archive: none, gzip, zstd', COLUMNS, [without, gzip, archived].map(rowOf))
  const ratio = (archived.measurement.cpuMs ?? Number.NaN) / (without.measurement.cpuMs ?? Number.NaN)
  const readTimes = await measureReads(workspace.file('data'))
  console.log(
    `With the archive ${formatFixed(ratio, 2)} times the CPU (goal: <= ${MAX_ARCHIVE_RATIO}), ` +
      `${formatCount(readTimes.bytesPerPage)} bytes per page on disk`,
  )
  const [cold, warm] = [readTimes.coldMs, readTimes.warmMs].map((times) => formatFixed(times, 2))
  console.log(`Reading a page takes ${cold} ms cold (p99, goal: < 20), ${warm} ms warm (p99, goal: < 2)`)
  return (
    without.isExact && archived.isExact && readTimes.coldMs < 20 && readTimes.warmMs < 2 && ratio <= MAX_ARCHIVE_RATIO
  )
}

/** An archive as large as after some days of crawling. */
async function benchLargeArchive(sizes: Sizes, workspace: Workspace): Promise<boolean> {
  const { pages, during, after } = await measureLargeArchive(workspace, sizes.archivedPages)
  const [open, cold, busy] = [after.openMs, after.coldMs, during.coldMs].map((ms) => formatFixed(ms, 1))
  console.log(
    `\nAn archive of ${formatCount(pages)} small pages opens in ${open} ms (goal: < 1,000); a random page is read in ` +
      `${cold} ms (p99, goal: < 20), in ${busy} ms while a crawl runs`,
  )
  return after.openMs < 1_000 && after.coldMs < 20
}

/** The CPU time of the archive by step. There is no goal for it. */
async function benchCompress(): Promise<boolean> {
  const rows = measureCompression().map(({ name, cpuMicros, bytes }) => [
    name,
    formatFixed(cpuMicros, 1),
    formatCount(bytes),
  ])
  printTable('A page of 10 KB in the archive', ['method', 'CPU us', 'bytes'], rows)
  return true
}

/** Documents besides pages. Their reading speed depends on the library, so only the time to stop has a goal. */
async function benchDocuments(sizes: Sizes, workspace: Workspace): Promise<boolean> {
  const done = await measureDocuments(sizes.documents, workspace)
  const { pages, documents } = done.sizes
  const [alone, beside] = [done.pagesAloneMs, done.pagesMs].map((ms) => formatFixed(ms / 1000, 2))
  console.log(
    `\n${formatCount(pages)} pages are fetched in ${alone} s alone, in ${beside} s behind ${formatCount(documents)} PDFs; ` +
      `${formatFixed(done.documentsPerSecond, 1)} PDFs/s`,
  )
  const [read, stored, again] = [done.crawlCpuMs, done.indexCpuMs, done.indexAgainCpuMs].map((ms) => formatFixed(ms, 1))
  printTable(
    'CPU ms per PDF',
    ['text', 'crawl', 'index'],
    [
      ['extracted once and stored', read ?? '', stored ?? ''],
      ['extracted again by the index', read ?? '', again ?? ''],
    ],
  )
  const stop = formatFixed(done.stopMs / 1000, 1)
  console.log(`A crawl with a backlog of PDFs stops in ${stop} s (goal: < ${MAX_STOP_MS / 1000} s)`)
  return done.stopMs < MAX_STOP_MS
}

const PARTS = {
  start: benchStart,
  speed: benchSpeed,
  growth: benchGrowth,
  resume: benchResume,
  robots: benchRobots,
  archive: benchArchive,
  large: benchLargeArchive,
  compress: benchCompress,
  documents: benchDocuments,
}

await runBenchParts(PARTS, { full: FULL, quick: QUICK })
