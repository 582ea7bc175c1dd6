// One crawl thread. It carries the loops of any number of crawls; each is begun with a port to the store and, if
// anything is kept, one to the archive. It answers questions about their progress.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { assembleLoop, type Share } from '../engine/crawl/assemble.ts'
import type { CrawlLoop, LoopEnd } from '../engine/crawl/loop.ts'
import type { PhaseTimes } from '../engine/crawl/phases.ts'
import type { HostStat } from '../engine/crawl/stats.ts'
import type { Tallies } from '../engine/crawl/tally.ts'
import type { Wait } from '../engine/crawl/waits.ts'
import { systemClock } from '../lib/clock.ts'
import { AppError, asAppError, type ErrorCode } from '../lib/errors.ts'
import { type Log, quietLog } from '../lib/log.ts'
import { RpcClient } from '../lib/rpc.ts'
import type { ArchiveWriter } from '../ports/archive.ts'
import type { Crawl } from '../ports/crawls.ts'
import type { Frontier } from '../ports/frontier.ts'
import type { Contents } from '../ports/pages.ts'
import type { RobotsCopies } from '../ports/robots.ts'
import { buildFetcher, readFilterLists } from './build.ts'
import { DocumentClient } from './documents/client.ts'
import type { DocumentPort } from './documents/pool.ts'
import { startLooks } from './looks.ts'
import { startPulse } from './stall-watch.ts'
import { StepCell } from './step-cell.ts'
import { type LogLine, ThreadLog } from './thread-log.ts'

export interface CrawlTask {
  crawl: Crawl
  store: MessagePort
  /** Null when nothing is kept. */
  archive: MessagePort | null
  documents: DocumentPort
  /** What the log wants to hear; null when there is none. */
  levelCell: SharedArrayBuffer | null
  share: Share
  isHeld: boolean
  /** Tells what the thread is reading (step-cell.ts). */
  stepCell: SharedArrayBuffer
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
  /** The lines last sent are written. */
  | { heard: string }

/** Each about the crawl of one `begin`. */
export type CrawlThreadReply = { crawlId: string } & (
  | { stats: LoopStats }
  | { lines: LogLine[] }
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
  log: ThreadLog | null
  isStopped: boolean
  isHeld: boolean
}

const stints = new Map<string, Stint>()

async function begin(parent: MessagePort, task: CrawlTask): Promise<void> {
  const crawlId = task.crawl.id
  const store = new RpcClient(task.store)
  const archive = task.archive === null ? null : new RpcClient(task.archive)
  const reply = (message: CrawlThreadReply) => parent.postMessage(message)
  const log = openThreadLog(task, (lines) => reply({ crawlId, lines }))
  const stint: Stint = { loop: null, log, isStopped: false, isHeld: task.isHeld }
  stints.set(crawlId, stint)
  try {
    const end = await crawl(task, stint, { store, archive, log: log?.log ?? quietLog })
    log?.flush()
    if (stint.loop !== null) reply({ crawlId, stats: statsOf(stint.loop) })
    reply({ crawlId, end })
  } catch (error) {
    const { code, message } = asAppError(error)
    log?.flush()
    reply({ crawlId, failed: { code, message } })
  } finally {
    stints.delete(crawlId)
    store.close()
    archive?.close()
  }
}

function openThreadLog({ crawl, share, levelCell }: CrawlTask, send: (lines: LogLine[]) => void): ThreadLog | null {
  if (levelCell === null) return null
  const about = { crawl: crawl.id, worker: share.worker }
  return new ThreadLog({ levelCell, about, send, soon: setImmediate })
}

interface Clients {
  store: RpcClient
  archive: RpcClient | null
  log: Log
}

async function crawl(task: CrawlTask, stint: Stint, { store, archive, log }: Clients): Promise<LoopEnd> {
  const { crawl, share, stepCell } = task
  const filters = await readFilterLists(crawl.settings.filterLists)
  const { archive: kept, archiveRequests } = crawl.settings
  const fetcher = buildFetcher(crawl.settings, crawl.seeds, kept === 'none' ? 'off' : archiveRequests)
  const documents = new DocumentClient(task.documents)
  const loop = assembleLoop(crawl, share, {
    frontier: store.service<Frontier>('frontier'),
    robots: store.service<RobotsCopies>('robots'),
    contents: store.service<Contents>('contents'),
    archive: archive?.service<ArchiveWriter>('archive') ?? NO_ARCHIVE,
    fetcher,
    documents,
    filters,
    clock: systemClock,
    random: Math.random,
    log,
    stepNote: new StepCell(stepCell),
  })
  stint.loop = loop
  if (stint.isHeld) loop.setHeld(true)
  if (stint.isStopped) loop.stop()
  try {
    return await loop.run()
  } finally {
    documents.close()
    await fetcher.close()
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
  } else if ('heard' in request) stints.get(request.heard)?.log?.heard()
  else {
    const loop = stints.get(request.stats)?.loop
    if (loop) parent.postMessage({ crawlId: request.stats, stats: statsOf(loop) } satisfies CrawlThreadReply)
  }
}

const parent = parentPort
parent?.on('message', (request: CrawlThreadRequest) => obey(parent, request))
startPulse((workerData as { pulse: SharedArrayBuffer }).pulse)
startLooks(() => [...stints.values()].flatMap(({ loop }) => loop ?? []))
