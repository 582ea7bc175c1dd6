// `npm run bench:peers`: Orbweaver and other crawlers in turn on the same site and server. Only ratios within one run
// are comparable. Flags: --large (pages of 60 KB with 100 links), --pages N, --rounds N, --only NAME (repeatable),
// --quick; --folder DIR with --copies N and --https for real pages (folder-peers.ts).

import { parseArgs } from 'node:util'
import { type BenchSite, LARGE_PAGES, ONE_HOST } from '../test/sites/bench-site.ts'
import { runToExitCode } from '../test/testing/run-to-exit-code.ts'
import { median } from '../test/testing/statistics.ts'
import { formatCount, formatFixed, printTable } from '../test/testing/table.ts'
import { exitOnSignals, makeWorkspace } from '../test/testing/workspace.ts'
import {
  BASIC,
  type Contender,
  findContenders,
  installPeers,
  memoryFolder,
  ORBWEAVER,
  SPIDER,
  WGET2,
  type Workspaces,
} from './contenders.ts'
import { comparePeersOnFolder, type FolderBenchOptions } from './folder-peers.ts'
import { type BenchServer, startBenchServer } from './harness/bench-server.ts'
import { measureCommand } from './harness/measure-command.ts'

/** The slowest crawler takes about 10 ms per page; the limit is 30 ms. */
const timeoutFor = (pages: number) => 60_000 + pages * 30

interface RoundResult {
  pagesPerSecond: number
  /** Number of different pages that were fetched. */
  pages: number
  cpuMs: number
  /** Empty if every page was requested exactly once. */
  fault: string
}

async function runRound(
  contender: Contender,
  server: BenchServer,
  pages: number,
  to: Workspaces,
): Promise<RoundResult> {
  await server.reset()
  const command = contender.command(server.seeds[0] ?? '', to)
  const done = await measureCommand({ ...command, timeoutMs: timeoutFor(pages) })
  const { requests, distinct } = await server.count()
  const isExact = requests === pages && distinct === pages
  if (done.exitCode !== 0) console.error(`${contender.name} exited with code ${done.exitCode}: ${done.errors}`)
  return {
    pagesPerSecond: distinct / (done.wallMs / 1000),
    pages: distinct,
    cpuMs: done.cpuMs ?? Number.NaN,
    fault: done.exitCode !== 0 ? 'failed' : isExact ? '' : `${distinct} pages in ${requests} requests`,
  }
}

interface ContenderResult {
  pagesPerSecond: number
  cpuMsPerPage: number
  /** CPU time of a crawl of one page. */
  startCpuMs: number
  /** CPU time without the start. */
  cpuMsPerFurtherPage: number
  fault: string
}

function summarise(rounds: RoundResult[], starts: RoundResult[]): ContenderResult {
  const startCpuMs = median(starts.map((roundResult) => roundResult.cpuMs))
  return {
    pagesPerSecond: median(rounds.map((roundResult) => roundResult.pagesPerSecond)),
    cpuMsPerPage: median(rounds.map(({ cpuMs, pages }) => cpuMs / pages)),
    startCpuMs,
    cpuMsPerFurtherPage: median(rounds.map(({ cpuMs, pages }) => (cpuMs - startCpuMs) / (pages - 1))),
    fault: [...rounds, ...starts].find((roundResult) => roundResult.fault !== '')?.fault ?? '',
  }
}

function rowOf(name: string, own: ContenderResult, orbweaver: ContenderResult | undefined): string[] {
  const ratio = (value: number, to: number | undefined) => formatFixed(value / (to ?? Number.NaN), 2)
  return [
    name,
    formatCount(own.pagesPerSecond),
    formatFixed(own.cpuMsPerPage, 3),
    ratio(own.pagesPerSecond, orbweaver?.pagesPerSecond),
    ratio(own.cpuMsPerPage, orbweaver?.cpuMsPerPage),
    formatFixed(own.startCpuMs / 1000, 2),
    formatFixed(own.cpuMsPerFurtherPage, 3),
    ratio(own.cpuMsPerFurtherPage, orbweaver?.cpuMsPerFurtherPage),
    own.fault === '' ? 'yes' : own.fault,
  ]
}

/** Prints how Orbweaver compares with its goals; returns false if one is missed. */
function checkTargets(results: Map<string, ContenderResult>): boolean {
  const orbweaver = results.get(ORBWEAVER)
  if (orbweaver === undefined) return true
  let isGood = orbweaver.fault === ''
  const report = (line: string, isMet: boolean) => {
    console.log(`${line}: ${isMet ? 'met' : 'missed'}`)
    isGood &&= isMet
  }
  const wget2 = results.get(WGET2)
  const spider = results.get(SPIDER)
  if (wget2 !== undefined) {
    const ratio = orbweaver.cpuMsPerPage / wget2.cpuMsPerPage
    report(`CPU vs wget2: ${formatFixed(ratio, 2)} (goal: <= 2)`, ratio <= 2)
    const pageRatio = orbweaver.cpuMsPerFurtherPage / wget2.cpuMsPerFurtherPage
    report(`CPU vs wget2, without the start: ${formatFixed(pageRatio, 2)} (goal: <= 1.2)`, pageRatio <= 1.2)
  } else if (spider !== undefined) {
    const ratio = orbweaver.cpuMsPerPage / spider.cpuMsPerPage
    report(`CPU vs spider-rs: ${formatFixed(ratio, 2)} (goal: <= 0.7)`, ratio <= 0.7)
  }
  const basic = results.get(BASIC)
  if (basic !== undefined) {
    const ratio = orbweaver.pagesPerSecond / basic.pagesPerSecond
    report(`pages/s vs Crawlee Basic: ${formatFixed(ratio, 1)} (goal: >= 12)`, ratio >= 12)
  }
  return isGood
}

interface PeersBenchOptions {
  contenders: Contender[]
  benchSite: BenchSite
  rounds: number
  /** Null without --folder. */
  folder: FolderBenchOptions | null
}

function readOptions(): PeersBenchOptions {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      large: { type: 'boolean', default: false },
      folder: { type: 'string' },
      copies: { type: 'string', default: '8' },
      https: { type: 'boolean', default: false },
      pages: { type: 'string' },
      rounds: { type: 'string' },
      only: { type: 'string', multiple: true },
    },
  })
  const site = values.large ? LARGE_PAGES : ONE_HOST
  const pages = Number(values.pages ?? (values.quick ? 2_000 : site.pagesPerHost))
  const copies = Number(values.copies)
  const rounds = Number(values.rounds ?? (values.quick ? 1 : 3))
  if (!(pages >= 2 && rounds >= 1 && copies >= 2))
    throw new Error('--pages and --copies must be 2 or more, --rounds 1 or more.')
  const contenders = findContenders().filter(({ name }) => values.only?.includes(name) ?? true)
  if (contenders.length === 0) throw new Error('--only matches none of the crawlers.')
  const folder = values.folder === undefined ? null : { folder: values.folder, copies, rounds, https: values.https }
  return { contenders, benchSite: { ...site, pagesPerHost: pages }, rounds, folder }
}

async function main(): Promise<boolean> {
  const { contenders, benchSite, rounds, folder } = readOptions()
  exitOnSignals()
  if (folder !== null) {
    await comparePeersOnFolder(folder)
    return true
  }
  installPeers()
  const pages = benchSite.pagesPerHost
  const to = { disk: makeWorkspace(), memory: makeWorkspace(memoryFolder()) }
  const server = await startBenchServer(benchSite)
  const onePageServer = await startBenchServer({ ...benchSite, pagesPerHost: 1 })
  const done = contenders.map((contender) => ({ contender, whole: [] as RoundResult[], starts: [] as RoundResult[] }))
  try {
    for (let round = 1; round <= rounds; round++) {
      for (const { contender, whole, starts } of done) {
        console.error(`Round ${round} of ${rounds}: ${contender.name}`)
        whole.push(await runRound(contender, server, pages, to))
        starts.push(await runRound(contender, onePageServer, 1, to))
      }
    }
  } finally {
    await Promise.all([server.stop(), onePageServer.stop()])
    to.disk.remove()
    to.memory.remove()
  }
  const results = new Map(done.map(({ contender, whole, starts }) => [contender.name, summarise(whole, starts)]))
  const columns = [
    ...['crawler', 'pages/s', 'CPU ms/page', 'pages/s ratio', 'CPU ratio'],
    ...['CPU s to start', 'CPU ms/page after start', 'CPU ratio after start', 'exact'],
  ]
  const rows = [...results].map(([name, own]) => rowOf(name, own, results.get(ORBWEAVER)))
  printTable(`${formatCount(pages)} pages, medians of ${rounds}, ratios to orbweaver`, columns, rows)
  return checkTargets(results)
}

await runToExitCode(main)
