// One chaos run: a web, a Postgres, workers, crawls, faults, and a judgement when it is all over.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Random, seededRandom } from '../../src/demo/random.ts'
import { FAST, run } from '../e2e/program.ts'
import type { FaultName } from './faults.ts'
import { Hand } from './hand.ts'
import { type CrawlJudgement, judgeArchives, judgeCrawl, RETRIES } from './judge.ts'
import { LoopLateness } from './lateness.ts'
import { dipAfter, medianOf, ratesOf, violations } from './pace.ts'
import { startPostgres } from './postgres.ts'
import { mountSmallDisk } from './small-disk.ts'
import { isAboutOne, type Strike, Striker } from './strike.ts'
import { Suspects } from './suspects.ts'
import { type ChaosCrawl, serveWeb, type WebShape } from './web.ts'
import { Witness } from './witness.ts'

export interface ChaosOptions extends WebShape {
  workers: number
  leaseMs: number
  /** How long a fault lasts that shall outlast a lease. */
  longMs: number
  /** Each strikes when it is asked for; several may last at a time. */
  faults(random: Random, striker: Striker): AsyncIterable<FaultName>
  say(line: string): void
}

export interface ChaosResult {
  strikes: (Strike & { dip: number })[]
  crawls: (CrawlJudgement & { name: string })[]
  archiveProblems: string[]
  violations: string[]
  /** Processes that ended by themselves, or not as they were told to. */
  surprises: string[]
  lateReports: number
  requests: number
  /** The median of its seconds. */
  requestsPerSecond: number
  hasSmallDisk: boolean
  /** What each worker wrote. */
  logs: Map<string, string>
}

const MAX_CONNECTIONS = 60
/** Less room than this and a worker holds still; the disk is filled to the last byte. */
const DISK = { size: '64m', minFree: '1mb' }
/** A dip is looked for in so many seconds after a strike. */
const DIP_SECONDS = 10
const LOOK_MS = 250
/** A worker holds so many hosts with a gap for each request it may have under way. */
const HOSTS_PER_REQUEST = 4
const OVER_MS = 600_000
/** A connection that died in silence is given up after two minutes. */
const BACK_MS = 180_000
/** What a worker of its own accord holds after a lease was lost is settled by then. */
const SETTLE_MS = 5000

export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const { seed, leaseMs, longMs, say } = options
  const random = seededRandom(seed)
  const closing: (() => unknown)[] = []
  const onClose = (close: () => unknown) => closing.unshift(close)
  try {
    const folder = mkdtempSync(join(tmpdir(), 'orbweaver-chaos-'))
    onClose(() => rmSync(folder, { recursive: true, force: true }))
    const web = await serveWeb(options)
    onClose(() => web.served.close())
    const lateness = new LoopLateness()
    onClose(() => lateness.close())
    const postgres = await startPostgres(MAX_CONNECTIONS)
    onClose(() => postgres.close())
    const witness = new Witness(postgres.url)
    onClose(() => witness.close())
    const disk = mountSmallDisk(DISK.size)
    if (disk !== null) onClose(() => disk.close())

    const crawlIds = []
    for (const crawl of web.crawls) crawlIds.push(await beginCrawl(crawl, postgres.url, options.workers))
    const hands: Hand[] = []
    for (let i = 0; i < options.workers; i++) {
      const place = i === 0 && disk !== null ? disk.folder : folder
      const flags = ['--min-free-disk', DISK.minFree, '--grace', '5000', '--threads', '2']
      const hand = await Hand.open({ name: `w${i}`, folder: place, storeUrl: postgres.url, leaseMs, flags })
      onClose(() => hand.close())
      hand.start()
      hands.push(hand)
    }
    await Promise.all(hands.map((hand) => hand.id))
    while (web.served.log.requests.length < web.served.placed.length) await sleep(LOOK_MS)
    say(`${hands.length} workers at work`)

    const stage = { random, leaseMs, longMs, postgres, hands, disk }
    const striker = new Striker(stage, witness)
    const suspects = new Suspects(witness)
    onClose(() => suspects.close())
    for await (const name of options.faults(random, striker)) {
      if (await witness.areCrawlsOver()) break
      const hand = await striker.choose(name)
      if (hand === null) continue
      const isOne = isAboutOne(name)
      say(`${name}${isOne ? ` ${hand.name}` : ''}`)
      const untilMs = longMs + leaseMs + (name === 'strand' ? BACK_MS : SETTLE_MS)
      await Promise.all((isOne ? [hand] : hands).map((one) => suspects.watch(one, untilMs)))
      striker.strike(name, hand)
    }
    await striker.mended()
    say('no more faults; the crawls go on to their end')
    await untilOver(witness)
    await striker.measured()
    const lateReports = await witness.lateReports()
    const surprises = await outOfWork(hands, witness)
    for (const hand of hands) {
      const code = await hand.leave()
      if (code !== 0) surprises.push(`${hand.name} was told to leave and ended with ${code}`)
    }
    surprises.push(...hands.flatMap((hand) => hand.surprises))

    const { log } = web.served
    const parts = { storeUrl: postgres.url, log, suspects: suspects.urls }
    const crawls = []
    for (const [i, crawl] of web.crawls.entries()) {
      crawls.push({ name: crawl.name, ...(await judgeCrawl(crawl, crawlIds[i] ?? '', parts)) })
    }
    const folders = hands.map((hand) => hand.data)
    return {
      strikes: striker.strikes.map((strike) => ({ ...strike, dip: dipAfter(strike.at, DIP_SECONDS, log.requests) })),
      crawls,
      archiveProblems: await judgeArchives(postgres.url, folders, join(folder, 'gathered')),
      violations: violations(log.requests, web.crawls, lateness),
      surprises,
      lateReports,
      requests: log.requests.length,
      requestsPerSecond: medianOf(ratesOf(log.requests).perSecond),
      hasSmallDisk: disk !== null,
      logs: new Map(hands.map((hand) => [hand.name, hand.log.join('')])),
    }
  } finally {
    for (const close of closing) await close()
  }
}

async function beginCrawl(crawl: ChaosCrawl, storeUrl: string, workers: number): Promise<string> {
  const { seeds, perHost, gapMs } = crawl
  const pace = ['--per-host', String(perHost), '--delay', String(gapMs)]
  const flags = [...FAST, '--retries', String(RETRIES), ...pace, '--concurrency', String(roomOf(crawl, workers))]
  const { code, stdout, stderr } = await run(['crawl', ...seeds, '--store', storeUrl, '--detach', ...flags])
  if (code !== 0) throw new Error(`The crawl was not begun: ${stderr}`)
  return (JSON.parse(stdout) as { crawl_id: string }).crawl_id
}

/** Requests at a time of one worker: every worker has some of the hosts, and room for those of one that is lost. */
function roomOf({ seeds, perHost, gapMs }: ChaosCrawl, workers: number): number {
  const share = (1.5 * seeds.length * perHost) / workers
  return Math.ceil(gapMs > 0 ? share / HOSTS_PER_REQUEST : share)
}

/** Whoever was struck must be back by itself, if not at once. */
async function outOfWork(hands: Hand[], witness: Witness): Promise<string[]> {
  const limit = AbortSignal.timeout(BACK_MS)
  const looks = hands.map(async (hand) => {
    try {
      await witness.untilState(await hand.id, 'working', limit)
      return []
    } catch (error) {
      if (!limit.aborted) throw error
      return [`${hand.name} is not back at work`]
    }
  })
  return (await Promise.all(looks)).flat()
}

async function untilOver(witness: Witness): Promise<void> {
  const end = performance.now() + OVER_MS
  while (!(await witness.areCrawlsOver())) {
    if (performance.now() > end) throw new Error('The crawls did not come to an end.')
    await sleep(LOOK_MS)
  }
}
