// One chaos run: starts a web, a Postgres, workers and crawls, injects faults and checks the result.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SeededRandom, seededRandom } from '../../src/lib/seeded-random.ts'
import { FAST_FLAGS, runProgram } from '../testing/program.ts'
import { median } from '../testing/statistics.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { AllowedRepeats } from './allowed-repeats.ts'
import { startChaosPostgres } from './chaos-postgres.ts'
import { type ChaosCrawl, type ChaosWebOptions, serveChaosWeb } from './chaos-web.ts'
import { ChaosWorker } from './chaos-worker.ts'
import { type CrawlCheckResult, checkArchives, checkCrawl, RETRIES } from './check-results.ts'
import { EventLoopDelay } from './event-loop-delay.ts'
import { FaultInjector, type InjectedFault, targetsOneWorker } from './fault-injector.ts'
import type { FaultName } from './faults.ts'
import { findPolitenessViolations, rateDropAfter, requestRates } from './request-rate.ts'
import { mountSmallDisk } from './small-disk.ts'
import { StoreObserver } from './store-observer.ts'

export interface ChaosOptions extends ChaosWebOptions {
  workers: number
  leaseMs: number
  /** Duration of faults that must outlast a lease. */
  longMs: number
  /** Each fault is injected when the generator yields it; several may be active at a time. */
  faults(seededRandom: SeededRandom, faultInjector: FaultInjector): AsyncIterable<FaultName>
  say(line: string): void
}

export interface ChaosResult {
  faults: (InjectedFault & { rateDrop: number })[]
  crawls: (CrawlCheckResult & { name: string })[]
  archiveProblems: string[]
  violations: string[]
  /** Processes that ended by themselves or with an unexpected exit code. */
  unexpectedExits: string[]
  lateReports: number
  requests: number
  /** Median over the seconds of the run. */
  requestsPerSecond: number
  /** Share of the seconds of the run in which requests were made. */
  availability: number
  hasSmallDisk: boolean
  /** The output of each worker. */
  logs: Map<string, string>
}

const MAX_CONNECTIONS = 60
/** A worker with less free space than this holds its crawls; the fault fills the disk to the last byte. */
const DISK = { size: '64m', minFree: '1mb' }
/** Seconds after a fault in which the request rate is compared. */
const DIP_SECONDS = 10
const POLL_MS = 250
/** Hosts with a gap that a worker holds per request in flight. */
const HOSTS_PER_REQUEST = 4
const MAX_CRAWL_MS = 600_000
/** A silently dead connection is dropped after two minutes. */
const MAX_RECOVERY_MS = 180_000
/** After this time, a worker has reported or released everything it still held when it lost a lease. */
const SETTLE_MS = 5000

export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const { seed, leaseMs, longMs, say } = options
  const random = seededRandom(seed)
  const closing: (() => unknown)[] = []
  const onClose = (close: () => unknown) => closing.unshift(close)
  try {
    const folder = mkdtempSync(join(tmpdir(), 'orbweaver-chaos-'))
    onClose(() => rmSync(folder, { recursive: true, force: true }))
    const web = await serveChaosWeb(options)
    onClose(() => web.served.close())
    const loopDelay = new EventLoopDelay()
    onClose(() => loopDelay.close())
    const postgres = await startChaosPostgres(MAX_CONNECTIONS)
    onClose(() => postgres.close())
    const storeObserver = new StoreObserver(postgres.url)
    onClose(() => storeObserver.close())
    const disk = mountSmallDisk(DISK.size)
    if (disk !== null) onClose(() => disk.close())

    const crawlIds = []
    for (const crawl of web.crawls) crawlIds.push(await startCrawl(crawl, postgres.url, options.workers))
    const workers: ChaosWorker[] = []
    for (let i = 0; i < options.workers; i++) {
      const dataParent = i === 0 && disk !== null ? disk.folder : folder
      const flags = ['--min-free-disk', DISK.minFree, '--grace', '5000', '--threads', '2']
      const chaosWorker = await ChaosWorker.open({
        name: `w${i}`,
        folder: dataParent,
        storeUrl: postgres.url,
        leaseMs,
        flags,
      })
      onClose(() => chaosWorker.close())
      chaosWorker.start()
      workers.push(chaosWorker)
    }
    await Promise.all(workers.map((chaosWorker) => chaosWorker.workerId))
    await waitUntil(() => web.served.log.requests.length >= web.served.sites.length, { pollMs: POLL_MS })
    say(`${workers.length} workers are crawling`)

    const canLimitMemory = spawnSync('prlimit', ['--version']).status === 0
    const environment = { random, leaseMs, longMs, postgres, workers, disk, canLimitMemory }
    const faultInjector = new FaultInjector(environment, storeObserver)
    const allowedRepeats = new AllowedRepeats(storeObserver, leaseMs)
    onClose(() => allowedRepeats.close())
    for await (const name of options.faults(random, faultInjector)) {
      if (await storeObserver.areCrawlsFinished()) break
      const chaosWorker = await faultInjector.chooseWorker(name)
      if (chaosWorker === null) continue
      const isOne = targetsOneWorker(name)
      say(`${name}${isOne ? ` ${chaosWorker.name}` : ''}`)
      const settleMs = leaseMs + (name === 'strand' ? MAX_RECOVERY_MS : SETTLE_MS)
      const endWatch = await allowedRepeats.watch(isOne ? [chaosWorker] : workers, settleMs)
      void faultInjector.inject(name, chaosWorker).then(endWatch)
    }
    await faultInjector.waitUntilRepaired()
    say('No more faults; waiting for the crawls to finish.')
    await waitForCrawls(storeObserver)
    await faultInjector.waitUntilMeasured()
    const lateReports = await storeObserver.countLateReports()
    const unexpected = await findIdleWorkers(workers, storeObserver)
    for (const chaosWorker of workers) {
      const code = await chaosWorker.terminate()
      if (code !== 0) unexpected.push(`${chaosWorker.name} got SIGTERM and exited with ${code}`)
    }
    unexpected.push(...workers.flatMap((chaosWorker) => chaosWorker.unexpectedExits))

    const { log } = web.served
    const { perSecond } = requestRates(log.requests)
    const parts = { storeUrl: postgres.url, log, allowedRepeats }
    const crawls = []
    for (const [i, crawl] of web.crawls.entries()) {
      crawls.push({ name: crawl.name, ...(await checkCrawl(crawl, crawlIds[i] ?? '', parts)) })
    }
    const folders = workers.map((chaosWorker) => chaosWorker.dataFolder)
    return {
      faults: faultInjector.injected.map((injectedFault) => ({
        ...injectedFault,
        rateDrop: rateDropAfter(injectedFault.at, DIP_SECONDS, log.requests),
      })),
      crawls,
      archiveProblems: await checkArchives(postgres.url, folders, join(folder, 'gathered')),
      violations: findPolitenessViolations(log.requests, web.crawls, loopDelay),
      unexpectedExits: unexpected,
      lateReports,
      requests: log.requests.length,
      requestsPerSecond: median(perSecond),
      availability: perSecond.filter((count) => count > 0).length / perSecond.length,
      hasSmallDisk: disk !== null,
      logs: new Map(workers.map((chaosWorker) => [chaosWorker.name, chaosWorker.log.join('')])),
    }
  } finally {
    for (const close of closing) await close()
  }
}

async function startCrawl(crawl: ChaosCrawl, storeUrl: string, workers: number): Promise<string> {
  const { seeds, perHost, gapMs } = crawl
  const pace = ['--per-host', String(perHost), '--delay', String(gapMs)]
  const flags = [
    ...FAST_FLAGS,
    '--retries',
    String(RETRIES),
    ...pace,
    '--concurrency',
    String(concurrencyFor(crawl, workers)),
  ]
  const { code, stdout, stderr } = await runProgram(['crawl', ...seeds, '--store', storeUrl, '--detach', ...flags])
  if (code !== 0) throw new Error(`The crawl could not be created: ${stderr}`)
  return (JSON.parse(stdout) as { crawl_id: string }).crawl_id
}

/** Concurrency of one worker: every worker gets some of the hosts and has room for the hosts of a lost worker. */
function concurrencyFor({ seeds, perHost, gapMs }: ChaosCrawl, workers: number): number {
  const share = (1.5 * seeds.length * perHost) / workers
  return Math.ceil(gapMs > 0 ? share / HOSTS_PER_REQUEST : share)
}

/** Workers without requests. Every worker must recover from its faults by itself, if not at once. */
async function findIdleWorkers(workers: ChaosWorker[], storeObserver: StoreObserver): Promise<string[]> {
  const limit = AbortSignal.timeout(MAX_RECOVERY_MS)
  const checks = workers.map(async (chaosWorker) => {
    try {
      await storeObserver.waitForWorkerState(await chaosWorker.workerId, 'working', limit)
      return []
    } catch (error) {
      if (!limit.aborted) throw error
      return [`${chaosWorker.name} did not resume work`]
    }
  })
  return (await Promise.all(checks)).flat()
}

async function waitForCrawls(storeObserver: StoreObserver): Promise<void> {
  await waitUntil(() => storeObserver.areCrawlsFinished(), {
    pollMs: POLL_MS,
    timeoutMs: MAX_CRAWL_MS,
    timeoutMessage: () => 'The crawls did not finish in time.',
  })
}
