// One crawl thread. It carries the loops of any number of crawls; each is begun with a port to the store and, if
// anything is kept, one to the archive. It answers questions about their progress.

import { type MessagePort, parentPort } from 'node:worker_threads'
import { assembleLoop, type Share } from '../engine/crawl/assemble.ts'
import type { CrawlLoop, LoopEnd } from '../engine/crawl/loop.ts'
import type { PhaseTimes } from '../engine/crawl/phases.ts'
import type { HostStat } from '../engine/crawl/stats.ts'
import type { Tallies } from '../engine/crawl/tally.ts'
import type { Wait } from '../engine/crawl/waits.ts'
import { PDF_LIMITS } from '../engine/media/pdf/limits.ts'
import { systemClock } from '../lib/clock.ts'
import { AppError, asAppError, type ErrorCode } from '../lib/errors.ts'
import { RpcClient } from '../lib/rpc.ts'
import type { ArchiveWriter } from '../ports/archive.ts'
import type { Crawl } from '../ports/crawls.ts'
import type { Frontier } from '../ports/frontier.ts'
import type { Contents } from '../ports/pages.ts'
import type { RobotsCopies } from '../ports/robots.ts'
import { buildFetcher, readFilterLists } from './build.ts'
import { startLooks } from './looks.ts'
import { PdfThread } from './pdf/thread.ts'

export interface CrawlTask {
  crawl: Crawl
  store: MessagePort
  /** Null when nothing is kept. */
  archive: MessagePort | null
  share: Share
  isHeld: boolean
}

export interface LoopStats {
  inFlight: number
  requests: number
  /** Requests that got no answer. */
  failures: number
  bytes: number
  hosts: HostStat[]
  waits: Wait[]
  /** Slot time of the last minute. */
  phases: PhaseTimes
  tallies: Tallies
  oldestCommitMs: number
}

export type CrawlThreadRequest =
  | { begin: CrawlTask }
  | { stop: string }
  | { stats: string }
  | { held: boolean; crawlId: string }

/** Each about the crawl of one `begin`. */
export type CrawlThreadReply = { crawlId: string } & (
  | { stats: LoopStats }
  | { end: LoopEnd }
  | { failed: { code: ErrorCode; message: string } }
)

const NOTABLE_HOSTS = 5

const NO_ARCHIVE: Pick<ArchiveWriter, 'append'> = {
  append: async () => {
    throw new AppError('INTERNAL', 'There is no archive to keep an answer in.')
  },
}

/** A crawl on this thread; the loop is there once its filter lists are read. */
interface Stint {
  loop: CrawlLoop | null
  isStopped: boolean
  isHeld: boolean
}

const stints = new Map<string, Stint>()

async function begin(parent: MessagePort, task: CrawlTask): Promise<void> {
  const crawlId = task.crawl.id
  const store = new RpcClient(task.store)
  const archive = task.archive === null ? null : new RpcClient(task.archive)
  const stint: Stint = { loop: null, isStopped: false, isHeld: task.isHeld }
  stints.set(crawlId, stint)
  const reply = (message: CrawlThreadReply) => parent.postMessage(message)
  try {
    const end = await crawl(task, stint, { store, archive })
    if (stint.loop !== null) reply({ crawlId, stats: statsOf(stint.loop) })
    reply({ crawlId, end })
  } catch (error) {
    const { code, message } = asAppError(error)
    reply({ crawlId, failed: { code, message } })
  } finally {
    stints.delete(crawlId)
    store.close()
    archive?.close()
  }
}

interface Clients {
  store: RpcClient
  archive: RpcClient | null
}

async function crawl({ crawl, share }: CrawlTask, stint: Stint, { store, archive }: Clients): Promise<LoopEnd> {
  const filters = await readFilterLists(crawl.settings.filterLists)
  const { archive: kept, archiveRequests } = crawl.settings
  const fetcher = buildFetcher(crawl.settings, kept === 'none' ? 'off' : archiveRequests)
  const pdf = new PdfThread(PDF_LIMITS, systemClock)
  const loop = assembleLoop(crawl, share, {
    frontier: store.service<Frontier>('frontier'),
    robots: store.service<RobotsCopies>('robots'),
    contents: store.service<Contents>('contents'),
    archive: archive?.service<ArchiveWriter>('archive') ?? NO_ARCHIVE,
    fetcher,
    readPdf: pdf.read,
    filters,
    clock: systemClock,
    random: Math.random,
  })
  stint.loop = loop
  if (stint.isHeld) loop.setHeld(true)
  if (stint.isStopped) loop.stop()
  try {
    return await loop.run()
  } finally {
    await Promise.all([fetcher.close(), pdf.close()])
  }
}

function statsOf({ stats, inFlight, waits, phases, tallies, oldestCommitMs }: CrawlLoop): LoopStats {
  const { pages, failures, bytes } = stats
  const hosts = stats.notable(NOTABLE_HOSTS)
  return { inFlight, requests: pages, failures, bytes, hosts, waits, phases, tallies, oldestCommitMs }
}

function obey(parent: MessagePort, request: CrawlThreadRequest): void {
  if ('begin' in request) return void begin(parent, request.begin)
  if ('stop' in request) {
    const stint = stints.get(request.stop)
    if (stint !== undefined) stint.isStopped = true
    stint?.loop?.stop()
  } else if ('held' in request) {
    const stint = stints.get(request.crawlId)
    if (stint !== undefined) stint.isHeld = request.held
    stint?.loop?.setHeld(request.held)
  } else {
    const loop = stints.get(request.stats)?.loop
    if (loop) parent.postMessage({ crawlId: request.stats, stats: statsOf(loop) } satisfies CrawlThreadReply)
  }
}

const parent = parentPort
parent?.on('message', (request: CrawlThreadRequest) => obey(parent, request))
startLooks(() => [...stints.values()].flatMap(({ loop }) => loop ?? []))
