// The code of a crawl thread. A thread runs the loops of any number of crawls. Each crawl starts with a port to the
// store and, if anything is archived, one to the archive. The thread reports the progress of its crawls on request.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { assembleLoop, type ThreadLimits } from '../../engine/crawl/assemble-loop.ts'
import type { HostWait } from '../../engine/crawl/hosts/host-waits.ts'
import type { CrawlLoop, LoopEnd } from '../../engine/crawl/loop/crawl-loop.ts'
import type { LoopMonitor } from '../../engine/crawl/loop/loop-monitor.ts'
import { ChunkPool } from '../../engine/crawl/report/response-batch.ts'
import type { HostStat } from '../../engine/crawl/stats/host-stats.ts'
import type { LoopCounts } from '../../engine/crawl/stats/loop-counters.ts'
import type { PhaseTimes } from '../../engine/crawl/stats/phase-recorder.ts'
import type { PageExtractor } from '../../engine/extract/extract-page.ts'
import { CookieJar } from '../../engine/fetch/cookies/cookie-jar.ts'
import { CookieSync } from '../../engine/fetch/cookies/cookie-sync.ts'
import type { ProxyChange } from '../../engine/fetch/http-client.ts'
import { describeProxyFailure } from '../../engine/fetch/proxy/describe-failure.ts'
import { systemClock } from '../../lib/clock.ts'
import { AppError, asAppError, type ErrorCode } from '../../lib/errors.ts'
import { type Log, silentLog } from '../../lib/log.ts'
import { RpcClient } from '../../lib/rpc.ts'
import type { ArchiveWriter } from '../../ports/archive.ts'
import type { Cookies } from '../../ports/cookies.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { Frontier } from '../../ports/frontier.ts'
import type { Contents } from '../../ports/pages.ts'
import type { Renderer } from '../../ports/renderer.ts'
import type { RobotsCopies } from '../../ports/robots.ts'
import type { RenderPort } from '../../render/pool/render-client.ts'
import { DocumentClient } from '../documents/document-client.ts'
import type { DocumentPort } from '../documents/document-pool.ts'
import { HookClient } from '../hooks/hook-client.ts'
import type { HookPort } from '../hooks/serve-hooks.ts'
import { buildFetcher, loadFilterFiles } from './build-fetcher.ts'
import { startPhaseSampler } from './phase-sampler.ts'
import { startPulse } from './stall-detector.ts'
import { StepCell } from './step-cell.ts'
import { type LogLine, ThreadLog } from './thread-log.ts'

export interface CrawlTask {
  crawl: Crawl
  store: MessagePort
  /** Null if nothing is archived. */
  archive: MessagePort | null
  documents: DocumentPort
  /** Null if nothing is rendered. */
  renderer: RenderPort | null
  /** Null if the program has no hooks. */
  hooks: HookPort | null
  /** A crawl fails if its proxies have never worked: they are probably misspelt. A worker keeps trying them. */
  failsWithoutProxy: boolean
  /** The log level, shared with the process; null if there is no log. */
  levelCell: SharedArrayBuffer | null
  limits: ThreadLimits
  isOnHold: boolean
  /** Shows which URL the thread is processing (step-cell.ts). */
  stepCell: SharedArrayBuffer
}

export interface LoopStats {
  inFlight: number
  requests: number
  /** Requests without a response. */
  failures: number
  bytes: number
  hosts: HostStat[]
  waits: HostWait[]
  /** Slot time of the last minute. */
  phases: PhaseTimes
  loopCounts: LoopCounts
  oldestCommitMs: number
}

export type CrawlThreadRequest =
  | { begin: CrawlTask }
  | { stop: string }
  | { stats: string }
  | { isOnHold: boolean; crawlId: string }
  /** The log lines sent last are written. */
  | { linesWritten: string }

/** Each reply is about one crawl. */
export type CrawlThreadReply = { crawlId: string } & (
  | { stats: LoopStats }
  | { lines: LogLine[] }
  /** `hasUrlsInFlight`: some are in flight and must be requeued. */
  | { end: LoopEnd; hasUrlsInFlight: boolean }
  | { failed: { code: ErrorCode; message: string } }
)

const NOTABLE_HOSTS = 5

const NO_ARCHIVE: Pick<ArchiveWriter, 'append'> = {
  append: async () => {
    throw new AppError('INTERNAL', 'This crawl has no archive.')
  },
}

/** A crawl on this thread. Its loop is created when its filter lists are loaded. */
interface ThreadCrawl {
  loop: CrawlLoop | null
  log: ThreadLog | null
  isStopped: boolean
  isOnHold: boolean
}

const threadCrawls = new Map<string, ThreadCrawl>()
const chunkPool = new ChunkPool()

async function beginCrawl(parent: MessagePort, task: CrawlTask): Promise<void> {
  const crawlId = task.crawl.id
  const store = new RpcClient(task.store)
  const archive = task.archive === null ? null : new RpcClient(task.archive)
  const reply = (message: CrawlThreadReply) => parent.postMessage(message)
  const log = openThreadLog(task, (lines) => reply({ crawlId, lines }))
  const threadCrawl: ThreadCrawl = { loop: null, log, isStopped: false, isOnHold: task.isOnHold }
  threadCrawls.set(crawlId, threadCrawl)
  try {
    const end = await runLoop(task, threadCrawl, { store, archive, log: log?.log ?? silentLog })
    log?.flush()
    if (threadCrawl.loop !== null) reply({ crawlId, stats: readStats(threadCrawl.loop.monitor) })
    reply({ crawlId, end, hasUrlsInFlight: threadCrawl.loop?.hasUrlsInFlight ?? false })
  } catch (error) {
    const { code, message } = asAppError(error)
    log?.flush()
    reply({ crawlId, failed: { code, message } })
  } finally {
    threadCrawls.delete(crawlId)
    store.close()
    archive?.close()
  }
}

function openThreadLog({ crawl, limits, levelCell }: CrawlTask, send: (lines: LogLine[]) => void): ThreadLog | null {
  if (levelCell === null) return null
  const context = { crawl: crawl.id, worker: limits.workerId }
  return new ThreadLog({ levelCell, context, send, atEndOfTurn: setImmediate })
}

interface Clients {
  store: RpcClient
  archive: RpcClient | null
  log: Log
}

async function runLoop(task: CrawlTask, threadCrawl: ThreadCrawl, { store, archive, log }: Clients): Promise<LoopEnd> {
  const { crawl, limits, stepCell } = task
  const filters = await loadFilterFiles(crawl.settings.filterLists)
  const { archive: archiveMode, archiveRequests } = crawl.settings
  const jar = openJar(crawl.settings)
  const sync = jar === null ? null : openCookieSync(crawl.id, jar, { store, threadCrawl })
  await sync?.start()
  const fetcher = buildFetcher(crawl.settings, crawl.seeds, {
    requestHeads: archiveMode === 'none' ? 'off' : archiveRequests,
    jar,
    onProxyChange(proxyChange) {
      logProxy(proxyChange, log)
      if (proxyChange.isHopeless && task.failsWithoutProxy) threadCrawl.loop?.fail(proxyError(proxyChange))
    },
  })
  const documents = new DocumentClient(task.documents)
  const renderer = task.renderer === null ? null : await openRenderClient(task.renderer)
  const hooks = task.hooks === null ? null : new HookClient(task.hooks)
  const extractor = await openExtractor(crawl.settings)
  const loop = assembleLoop(crawl, limits, {
    frontier: store.service<Frontier>('frontier'),
    robots: store.service<RobotsCopies>('robots'),
    contents: store.service<Contents>('contents'),
    archive: archive?.service<ArchiveWriter>('archive') ?? NO_ARCHIVE,
    chunkPool,
    fetcher,
    documents,
    renderer,
    extractor,
    hooks,
    filters,
    clock: systemClock,
    random: Math.random,
    log,
    stepRecorder: new StepCell(stepCell),
  })
  threadCrawl.loop = loop
  if (threadCrawl.isOnHold) loop.setOnHold(true)
  if (threadCrawl.isStopped) loop.stop()
  try {
    return await loop.run()
  } finally {
    documents.close()
    hooks?.close()
    await renderer?.close()
    await fetcher.close()
    await sync?.close()
  }
}

/** Null if the crawl has no cookies. */
function openJar({ cookies, startCookies }: Crawl['settings']): CookieJar | null {
  return cookies === 'on' || startCookies.length > 0 ? new CookieJar(startCookies, systemClock) : null
}

function openCookieSync(
  crawlId: string,
  jar: CookieJar,
  { store, threadCrawl }: { store: RpcClient; threadCrawl: ThreadCrawl },
): CookieSync {
  return new CookieSync(crawlId, jar, {
    cookies: store.service<Cookies>('cookies'),
    clock: systemClock,
    onFailed: (error) => threadCrawl.loop?.fail(error),
  })
}

function logProxy({ proxy, detail, pauseMs }: ProxyChange, log: Log): void {
  if (detail === null) log('proxy works again', { proxy })
  else log.warn('proxy failed', { proxy, detail, again_in_ms: pauseMs })
}

function proxyError({ proxy, detail }: ProxyChange): AppError {
  const why = detail === null ? '' : `: ${describeProxyFailure(detail)}`
  return new AppError(
    'PROXY_FAILED',
    `The proxy ${proxy} does not work${why}. Check --proxy. The crawl can be resumed.`,
  )
}

/** Loaded only for crawls that extract. */
async function openExtractor({ extract, structuredData }: Crawl['settings']): Promise<PageExtractor | null> {
  if (extract.length === 0 && !structuredData) return null
  const { makePageExtractor } = await import('../../engine/extract/extract-page.ts')
  return makePageExtractor(extract, structuredData)
}

/** Loaded only for crawls that render. */
async function openRenderClient(renderPort: RenderPort): Promise<Renderer> {
  const { RenderClient } = await import('../../render/pool/render-client.ts')
  return new RenderClient(renderPort)
}

function readStats({ stats, inFlight, waits, phases, loopCounts, oldestCommitMs }: LoopMonitor): LoopStats {
  const { requests, failures, bytes } = stats
  const hosts = stats.notable(NOTABLE_HOSTS)
  return { inFlight, requests, failures, bytes, hosts, waits, phases, loopCounts, oldestCommitMs }
}

function handleRequest(parent: MessagePort, request: CrawlThreadRequest): void {
  if ('begin' in request) return void beginCrawl(parent, request.begin)
  if ('stop' in request) {
    const threadCrawl = threadCrawls.get(request.stop)
    if (threadCrawl !== undefined) threadCrawl.isStopped = true
    threadCrawl?.loop?.stop()
  } else if ('isOnHold' in request) {
    const threadCrawl = threadCrawls.get(request.crawlId)
    if (threadCrawl !== undefined) threadCrawl.isOnHold = request.isOnHold
    threadCrawl?.loop?.setOnHold(request.isOnHold)
  } else if ('linesWritten' in request) threadCrawls.get(request.linesWritten)?.log?.acknowledge()
  else {
    const loop = threadCrawls.get(request.stats)?.loop
    if (loop) parent.postMessage({ crawlId: request.stats, stats: readStats(loop.monitor) } satisfies CrawlThreadReply)
  }
}

const parent = parentPort
parent?.on('message', (request: CrawlThreadRequest) => handleRequest(parent, request))
startPulse((workerData as { pulse: SharedArrayBuffer }).pulse)
startPhaseSampler(() => [...threadCrawls.values()].flatMap(({ loop }) => loop?.monitor ?? []))
