// `npm run soak`: the real server crawls one generated site after another at a steady rate while it serves ten reads
// per second; its memory must stay flat. Crawls are not removed, so the store and the index grow, but the memory must
// not. Flags: --minutes N, --rate pages per second, --pages per crawl, --reads per second, --memory as for serve.

import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { BenchSite } from '../sites/bench-site.ts'
import { type ApiServer, startApiServer } from '../testing/api-server.ts'
import { readTreeCpuMs } from '../testing/cpu-time.ts'
import { readPort } from '../testing/read-port.ts'
import { runToExitCode } from '../testing/run-to-exit-code.ts'
import { quantile } from '../testing/statistics.ts'
import { formatCount, formatFixed, formatMegabytes, printTable } from '../testing/table.ts'
import { exitOnSignals, makeWorkspace } from '../testing/workspace.ts'
import { ApiReads, type RouteTimes } from './api-reads.ts'
import { assessMemory, type MemorySample, sampleMemory } from './memory-growth.ts'
import { HOSTS, SoakCrawls } from './soak-crawls.ts'

const SAMPLE_MS = 5_000
const PRINT_EVERY = 6
const MINUTE_MS = 60_000
/** The heaps reach their size in the first minutes, and caches fill during the first crawl. */
const WARM_UP = { share: 0.25, maxMinutes: 15 }
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    rate: { type: 'string', default: '40' },
    pages: { type: 'string', default: '29000' },
    reads: { type: 'string', default: '10' },
    memory: { type: 'string' },
  },
})
const minutes = toNumber('minutes', values.minutes)
const rate = toNumber('rate', values.rate)
const readsPerSecond = toNumber('reads', values.reads)
const pagesPerHost = Math.max(1, Math.round(toNumber('pages', values.pages) / HOSTS))

exitOnSignals()
await runToExitCode(soak)

async function soak(): Promise<boolean> {
  const workspace = makeWorkspace()
  const benchSite: BenchSite = { hosts: HOSTS, pagesPerHost, linksPerPage: 15, pageBytes: 4_000 }
  const site = await startSite(benchSite)
  const memory = values.memory === undefined ? [] : ['--memory', values.memory]
  const flags = ['--worker-rate', String(rate), '--api-rate', '1000', '--allow-private', ...memory]
  const apiServer = await startApiServer(workspace.folder('data'), 'api,worker,indexer', flags)
  try {
    return await watch(apiServer, site.port)
  } finally {
    await apiServer.stop()
    site.stop()
    workspace.remove()
  }
}

async function watch(apiServer: ApiServer, sitePort: number): Promise<boolean> {
  const startedAt = performance.now()
  const warmUpMs = Math.min(minutes * WARM_UP.share, WARM_UP.maxMinutes) * MINUTE_MS
  const samples: MemorySample[] = []
  const soakCrawls = new SoakCrawls(apiServer, sitePort)
  await soakCrawls.startNext()
  const apiReads = new ApiReads(apiServer, () => soakCrawls.current, readsPerSecond)
  let hasWarmedUp = false
  for (let atMs = 0; atMs < minutes * MINUTE_MS; atMs = performance.now() - startedAt) {
    const sample = sampleMemory(apiServer.child.pid ?? 0, atMs)
    samples.push(sample)
    if (!hasWarmedUp && atMs >= warmUpMs) {
      hasWarmedUp = true
      apiReads.takeTimes()
    }
    const pages = await soakCrawls.countPages()
    if (samples.length % PRINT_EVERY === 1) printSample(sample, pages)
    await sleep(SAMPLE_MS)
  }
  apiReads.stop()
  const pages = await soakCrawls.countPages()
  printTimes(apiReads.takeTimes())
  const cpuMs = readTreeCpuMs(apiServer.child.pid)
  console.log(
    `\n${formatCount(pages)} pages, ${formatFixed(cpuMs === null ? null : cpuMs / pages, 2)} ms of CPU a page`,
  )
  if (apiReads.skipped > 0)
    console.log(`${formatCount(apiReads.skipped)} reads were skipped because too many were in flight.`)
  return printVerdict(samples, warmUpMs)
}

async function startSite(benchSite: BenchSite): Promise<{ port: number; stop(): void }> {
  const script = fileURLToPath(new URL('./site.ts', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify(benchSite)], { stdio: ['pipe', 'pipe', 'inherit'] })
  return { port: await readPort(child.stdout), stop: () => child.stdin.end() }
}

function printSample({ atMs, rssBytes, anonymousBytes }: MemorySample, pages: number): void {
  const minute = (atMs / MINUTE_MS).toFixed(1).padStart(6)
  const [rss, anonymous] = [formatMegabytes(rssBytes), formatMegabytes(anonymousBytes)]
  console.log(`${minute} min  ${formatCount(pages)} pages  RSS ${rss}, of which allocated ${anonymous}`)
}

function printTimes(routes: RouteTimes[]): void {
  const rows = routes.map(({ route, timesMs, failed }) => {
    const times = [0.5, 0.95, 0.99, 1].map((share) => formatFixed(quantile(timesMs, share), 1))
    return [route, formatCount(timesMs.length), formatCount(failed), ...times]
  })
  printTable('Reads after the warm-up', ['route', 'reads', 'failed', 'p50 ms', 'p95 ms', 'p99 ms', 'max ms'], rows)
}

function printVerdict(samples: MemorySample[], warmUpMs: number): boolean {
  const verdict = assessMemory(samples, warmUpMs)
  if (verdict === null) throw new Error('The run was too short to assess.')
  const { afterWarmUpBytes, maxBytes, lastBytes, bytesPerHour, isFlat } = verdict
  const row = [afterWarmUpBytes, maxBytes, lastBytes, bytesPerHour].map(formatMegabytes)
  const title = `RSS over ${minutes} minutes, warm-up of ${formatFixed(warmUpMs / MINUTE_MS, 1)}`
  printTable(title, ['after warm-up', 'maximum', 'last', 'growth per hour'], [row])
  console.log(isFlat ? 'Flat within 20%.' : 'Goal: no more than 20% above the memory after the warm-up.')
  return isFlat
}

function toNumber(name: string, value: string): number {
  const number = Number(value)
  if (Number.isFinite(number) && number > 0) return number
  console.error(`--${name} must be a number above 0, not "${value}".`)
  process.exit(1)
}
