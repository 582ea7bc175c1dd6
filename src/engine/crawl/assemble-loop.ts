// Assembles a crawl loop from the settings of its crawl. Everything that touches the outside (store, network, clock,
// randomness) is passed in.

import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { ArchiveWriter } from '../../ports/archive.ts'
import type { Crawl, CrawlSettings } from '../../ports/crawls.ts'
import type { LoopFrontier } from '../../ports/frontier.ts'
import type { Hooks } from '../../ports/hooks.ts'
import type { Contents } from '../../ports/pages.ts'
import type { Renderer } from '../../ports/renderer.ts'
import { isRecrawled } from '../../ports/revisits.ts'
import type { RobotsCopies } from '../../ports/robots.ts'
import type { PageExtractor } from '../extract/extract-page.ts'
import { PageLimitsCache, SITEMAP_LIMITS } from '../fetch/fetch-limits.ts'
import type { Fetcher } from '../fetch/fetch-result.ts'
import type { SharedRate } from '../politeness/throttle.ts'
import { productToken } from '../robots/product-token.ts'
import { RobotsChecker } from '../robots/robots-checker.ts'
import { TextProfiler } from '../text/text-profiler.ts'
import { TrapDetector } from '../traps/trap-detector.ts'
import type { FilterList } from '../url/filter-list.ts'
import { Scope } from '../url/scope.ts'
import { SeenUrls } from '../url/seen-urls.ts'
import { UrlPatterns } from '../url/url-patterns.ts'
import { DEFAULT_URL_SHAPE_LIMITS } from '../url/url-shape.ts'
import { LinkAdmission } from './links/link-admission.ts'
import { CrawlLoop } from './loop/crawl-loop.ts'
import { RequestHook } from './loop/request-hook.ts'
import { PageRenderer } from './render/page-renderer.ts'
import { CrawlLog } from './report/crawl-log.ts'
import { RequestCounts } from './report/request-counts.ts'
import { ResponseArchiver } from './report/response-archiver.ts'
import type { ChunkPool } from './report/response-batch.ts'
import { DocumentQueue, type DocumentReaders } from './visit/document-queue.ts'
import type { StepRecorder } from './visit/visit-processor.ts'

/** A thread's share of the limits of its crawl. */
export interface ThreadLimits {
  /** Id of the thread: the id of its worker with a number. Leases and reports carry it. */
  threadId: string
  /** Id of the thread's process, for the log. */
  workerId: string
  concurrency: number
  slotsPerHost: number
  perIp: number
  /** Rate limits of the crawl and of the process, shared by all threads. */
  rates: readonly SharedRate[]
  seenUrls: number
  leaseMs: number
  /** Shortest and longest wait of an idle thread before it polls for leases. */
  pollMinMs: number
  pollMaxMs: number
}

/** External dependencies of the loop. */
export interface LoopEnvironment {
  frontier: LoopFrontier
  robots: RobotsCopies
  contents: Pick<Contents, 'find'>
  archive: Pick<ArchiveWriter, 'append'>
  /** Shared by all crawls of the thread. */
  chunkPool: ChunkPool
  fetcher: Fetcher
  documents: DocumentReaders
  /** Null if the crawl does not render. */
  renderer: Renderer | null
  /** Null if nothing is extracted from pages. */
  extractor: PageExtractor | null
  filters: FilterList | null
  /** Null if the program that runs the crawl has no hooks. */
  hooks: Hooks | null
  clock: Clock
  random: () => number
  log: Log
  stepRecorder: StepRecorder
}

export function assembleLoop(crawl: Crawl, threadLimits: ThreadLimits, loopEnvironment: LoopEnvironment): CrawlLoop {
  const { settings } = crawl
  const { retries, retryDelayMs, retryMaxDelayMs, userAgent, ignoreRobots, followRedirects } = settings
  const { frontier, robots, fetcher, clock, random, stepRecorder, extractor, hooks } = loopEnvironment
  const crawlLog = new CrawlLog(loopEnvironment.log, { crawl: crawl.id, worker: threadLimits.workerId })
  const shape = { ...DEFAULT_URL_SHAPE_LIMITS, ...settings }
  const trapDetector = settings.traps ? new TrapDetector(shape) : null
  const pages = new Scope(settings, crawl.seeds)
  const hasPatterns = settings.include.length + settings.exclude.length > 0
  const scope = hasPatterns ? { pages, seeds: new Scope({ ...settings, include: [] }, crawl.seeds) } : null
  const linkAdmission = new LinkAdmission({
    ...settings,
    scope: pages,
    seen: new SeenUrls(threadLimits.seenUrls),
    keySeed: crawl.keySeed,
    shape,
    filters: loopEnvironment.filters,
    trapDetector,
    onRejected: (link) => crawlLog.logRejectedLink(link),
  })
  const failureMs = robotsRetryMs(retryDelayMs)
  const requestCounts = new RequestCounts()
  const robotsChecker = new RobotsChecker(
    { userAgent, ignoreRobots, failureMs },
    { fetcher: requestCounts.count(fetcher), copies: robots, clock },
  )
  const textProfiler = settings.archive === 'none' ? null : new TextProfiler()
  const documentQueue = new DocumentQueue(loopEnvironment.documents, clock)
  const pageRenderer = createPageRenderer(settings, loopEnvironment.renderer, crawlLog)
  const product = productToken(userAgent)
  const pageReading = {
    ...settings,
    product,
    documentQueue,
    textProfiler,
    trapDetector,
    pageRenderer,
    extractor,
    hooks,
  }
  const limits = { pages: new PageLimitsCache(settings), sitemap: SITEMAP_LIMITS }
  const archiveRules = {
    archive: settings.archive,
    maxBytes: settings.archiveMaxBytes,
    maxBytesByType: new Map(Object.entries(settings.archiveMaxByType)),
    include: UrlPatterns.compile(settings.archiveInclude, 'archive_include'),
    exclude: UrlPatterns.compile(settings.archiveExclude, 'archive_exclude'),
  }
  const archiver = new ResponseArchiver(loopEnvironment, settings.skipNearDuplicates)
  return new CrawlLoop(
    { ...settings, ...threadLimits, crawlId: crawl.id },
    {
      frontier,
      fetcher,
      requestCounts,
      robotsChecker,
      filters: loopEnvironment.filters,
      requestHook: hooks?.has.onRequest === true ? new RequestHook(hooks) : null,
      scope,
      clock,
      random,
      crawlLog,
      stepRecorder,
      linkAdmission,
      pageReading,
      archiveRules,
      archiver,
      limits,
      followRedirects,
      tracksChanges: isRecrawled(settings),
      retryPolicy: { retries, retryDelayMs, retryMaxDelayMs },
    },
  )
}

function createPageRenderer(settings: CrawlSettings, renderer: Renderer | null, crawlLog: CrawlLog) {
  const { render, renderInclude } = settings
  if (render === 'off' || renderer === null) return null
  const include = UrlPatterns.compile(renderInclude, 'render_include')
  return new PageRenderer({ ...settings, render, include }, { renderer, crawlLog })
}

/** An unreachable robots.txt is fetched again after three times the delay of a URL's first retry. */
function robotsRetryMs(retryDelayMs: number): number {
  return Math.max(100, retryDelayMs * 3)
}
