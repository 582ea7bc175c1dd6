// Puts a crawl loop together from the settings of its crawl. What touches the world comes as an argument.

import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { ArchiveWriter } from '../../ports/archive.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { LoopFrontier } from '../../ports/frontier.ts'
import type { Contents } from '../../ports/pages.ts'
import type { RobotsCopies } from '../../ports/robots.ts'
import { PageLimits, SITEMAP_LIMITS } from '../fetch/limits.ts'
import type { Fetcher } from '../fetch/result.ts'
import type { Rate } from '../politeness/throttle.ts'
import { RobotsGate } from '../robots/gate.ts'
import { productToken } from '../robots/product.ts'
import { TextSurvey } from '../text/survey.ts'
import { TrapWatch } from '../traps/watch.ts'
import type { FilterList } from '../url/filter-list.ts'
import { UrlPatterns } from '../url/patterns.ts'
import { Scope } from '../url/scope.ts'
import { SeenSet } from '../url/seen.ts'
import { DEFAULT_SHAPE_LIMITS } from '../url/shape.ts'
import { Admit } from './admit.ts'
import { DocumentQueue, type DocumentReaders } from './document-queue.ts'
import { Journal } from './journal.ts'
import { Keeper } from './keeper.ts'
import { CrawlLoop } from './loop.ts'
import type { StepNote } from './reading.ts'

/** A thread's part of what the crawl may do. */
export interface Share {
  workerId: string
  /** The process that the thread is of, as the log names it. */
  worker: string
  concurrency: number
  slotsPerHost: number
  perIp: number
  /** Of the crawl and of the process; all threads share them. */
  rates: readonly Rate[]
  seenUrls: number
  leaseMs: number
}

export interface World {
  frontier: LoopFrontier
  robots: RobotsCopies
  contents: Pick<Contents, 'find'>
  archive: Pick<ArchiveWriter, 'append'>
  fetcher: Fetcher
  documents: DocumentReaders
  filters: FilterList | null
  clock: Clock
  random: () => number
  log: Log
  stepNote: StepNote
}

export function assembleLoop(crawl: Crawl, share: Share, world: World): CrawlLoop {
  const { settings } = crawl
  const { retries, retryDelayMs, userAgent, ignoreRobots, followRedirects } = settings
  const { frontier, robots, fetcher, clock, random, stepNote } = world
  const journal = new Journal(world.log, { crawl: crawl.id, worker: share.worker })
  const traps = settings.traps ? new TrapWatch() : null
  const pages = new Scope(settings, crawl.seeds)
  const hasPatterns = settings.include.length + settings.exclude.length > 0
  const scope = hasPatterns ? { pages, seeds: new Scope({ ...settings, include: [] }, crawl.seeds) } : null
  const admit = new Admit({
    ...settings,
    scope: pages,
    seen: new SeenSet(share.seenUrls),
    keySeed: crawl.keySeed,
    shape: { ...DEFAULT_SHAPE_LIMITS, ...settings },
    filters: world.filters,
    traps,
    onDropped: (link) => journal.linkDropped(link),
  })
  const failureMs = robotsPatience(retryDelayMs)
  const gate = new RobotsGate({ userAgent, ignoreRobots, failureMs }, { fetcher, copies: robots, clock })
  const survey = settings.archive === 'none' ? null : new TextSurvey()
  const documentQueue = new DocumentQueue(world.documents, clock)
  const page = { ...settings, product: productToken(userAgent), documentQueue, survey, traps }
  const limits = { pages: new PageLimits(settings), sitemap: SITEMAP_LIMITS }
  const keep = {
    archive: settings.archive,
    maxBytes: settings.archiveMaxBytes,
    maxBytesByType: new Map(Object.entries(settings.archiveMaxByType)),
    include: UrlPatterns.of(settings.archiveInclude, 'archive_include'),
    exclude: UrlPatterns.of(settings.archiveExclude, 'archive_exclude'),
  }
  const keeper = new Keeper(world, settings.skipNearDuplicates)
  const policy = { retries, retryDelayMs }
  return new CrawlLoop(
    { ...settings, ...share, crawlId: crawl.id },
    {
      ...{ frontier, fetcher, gate, scope, clock, random, journal, stepNote },
      ...{ admit, page, keep, keeper, limits, followRedirects, policy },
    },
  )
}

/** A host that does not give its rules is asked again after three times the wait of a url's first retry. */
function robotsPatience(retryDelayMs: number): number {
  return Math.max(100, retryDelayMs * 3)
}
