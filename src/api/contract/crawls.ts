import { z } from 'zod'
import { CRAWL_STATUSES, RETRIABLE_STATES, URL_STATES } from '../../ports/state.ts'
import { PHASES } from '../../ports/workers.ts'
import { paginated, paginationQuery } from './pagination.ts'
import { route } from './route.ts'

export const crawlParams = z.object({ crawl_id: z.string().min(1).max(64).describe('The id of a crawl.') })

const count = z.int().min(0)

/** More than there are. */
const MAX_SETTINGS = 200

/** By the names of the command line, as in a config file: max_pages, depth, delay. Checked by the program's own schema. */
export const Settings = z
  .record(z.string(), z.unknown())
  .refine((settings) => Object.keys(settings).length <= MAX_SETTINGS, 'There are not so many settings.')
  .describe('Settings of the crawl by the names of a config file, such as max_pages; GET /api/v1/settings lists them.')

export const StateCounts = z.object(
  Object.fromEntries(URL_STATES.map((state) => [state, count])) as Record<(typeof URL_STATES)[number], typeof count>,
)

export const Bottleneck = z.object({
  /** Null while nobody crawls it. */
  cause: z.enum(PHASES).nullable(),
  /** Of the last minute, adding up to 1. */
  shares: z.partialRecord(z.enum(PHASES), z.number().min(0).max(1)),
  explanation: z.string(),
  /** The setting that would change it. */
  setting: z.string().nullable(),
  window_ms: count,
})

export const CrawlProgress = z.object({
  crawl_id: z.string(),
  status: z.enum(CRAWL_STATUSES),
  total: count,
  completed: count,
  pending: count,
  in_progress: count,
  failed: count,
  root_url: z.string(),
  requested_depth: count.nullable(),
  reason: z.string().nullable().describe('Why it ended, when it did not run out of urls.'),
  states: StateCounts,
  pages: count.describe('Visited urls that are no sitemaps.'),
  sitemaps: count,
  bytes: count,
  pages_per_second: z.number().min(0),
  bytes_per_second: z.number().min(0),
  in_flight: count,
  eta_seconds: z.number().min(0).nullable(),
  active_ms: count,
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
  held: z.string().nullable().describe('Why the whole crawl waits, such as a full disk.'),
  bottleneck: Bottleneck.pick({ cause: true, explanation: true, setting: true }).nullable(),
})

export const Crawl = CrawlProgress.extend({
  seeds: z.array(z.string()),
  settings: Settings,
  rejected: z.record(z.string(), count).describe('Links that were not admitted, by reason.'),
  late_reports: count,
})

export const NewCrawl = z.strictObject({
  url: z.string().max(2048).optional().describe('A start url; or name several in urls.'),
  urls: z.array(z.string().max(2048)).min(1).max(10_000).optional(),
  sitemaps: z.array(z.string().max(2048)).max(1000).optional(),
  settings: Settings.optional(),
})

export const crawlRoutes = {
  listCrawls: route({
    summary: 'Crawls with their progress, newest first',
    scope: 'read',
    query: paginationQuery.extend({
      status: z.enum(CRAWL_STATUSES).optional(),
      text: z.string().max(200).optional().describe('Part of a start url or an id.'),
    }),
    response: paginated(CrawlProgress),
    errors: ['BAD_CURSOR'],
  }),
  createCrawl: route({
    summary: 'Start a crawl',
    scope: 'crawl',
    body: NewCrawl,
    response: Crawl,
    status: 201,
    errors: ['BAD_SEED', 'BAD_CONFIG', 'FORBIDDEN_SETTING', 'IDEMPOTENCY_CONFLICT'],
  }),
  checkCrawl: route({
    summary: 'Check what would start a crawl, and start nothing',
    scope: 'read',
    body: NewCrawl.extend({ estimate: z.boolean().default(false).describe('Ask the site how large it is.') }),
    response: z.object({
      problems: z.array(z.object({ field: z.string(), message: z.string() })),
      seeds: z.array(z.string()),
      estimate: z.object({ urls: count, sitemaps: count, is_complete: z.boolean() }).nullable(),
    }),
  }),
  getCrawl: route({
    summary: 'A crawl',
    scope: 'read',
    params: crawlParams,
    response: Crawl,
    errors: ['CRAWL_NOT_FOUND'],
  }),
  changeCrawl: route({
    summary: 'Change limits, exclusions and pace of a crawl, also while it runs',
    scope: 'crawl',
    params: crawlParams,
    body: z.strictObject({ settings: Settings }),
    response: Crawl,
    errors: ['CRAWL_NOT_FOUND', 'CRAWL_CLOSED', 'BAD_CONFIG', 'SETTING_FIXED', 'FORBIDDEN_SETTING'],
  }),
  deleteCrawl: route({
    summary: 'Forget a crawl that is not at work, with everything known of it; a large one goes in the background',
    scope: 'crawl',
    params: crawlParams,
    response: null,
    status: 204,
    mayContinueAfterResponse: true,
    errors: ['CRAWL_NOT_FOUND', 'CRAWL_RUNNING'],
  }),
  pauseCrawl: route({
    summary: 'Pause',
    scope: 'crawl',
    params: crawlParams,
    response: Crawl,
    errors: ['CRAWL_NOT_FOUND', 'CRAWL_CLOSED'],
  }),
  resumeCrawl: route({
    summary: 'Go on with a paused crawl',
    scope: 'crawl',
    params: crawlParams,
    response: Crawl,
    errors: ['CRAWL_NOT_FOUND', 'NOTHING_TO_RESUME', 'BAD_CONFIG'],
  }),
  cancelCrawl: route({
    summary: 'End a crawl',
    scope: 'crawl',
    params: crawlParams,
    response: Crawl,
    errors: ['CRAWL_NOT_FOUND', 'CRAWL_CLOSED'],
  }),
  rerunCrawl: route({
    summary: 'Start a new crawl with the start urls and settings of this one',
    scope: 'crawl',
    params: crawlParams,
    response: Crawl,
    status: 201,
    errors: ['CRAWL_NOT_FOUND', 'BAD_CONFIG', 'FORBIDDEN_SETTING', 'IDEMPOTENCY_CONFLICT'],
  }),
  retryUrls: route({
    summary: 'Queue urls that ended in this state once more',
    scope: 'crawl',
    params: crawlParams,
    body: z.strictObject({ state: z.enum(RETRIABLE_STATES) }),
    response: z.object({ queued: count }),
    errors: ['CRAWL_NOT_FOUND', 'CRAWL_RUNNING', 'CRAWL_CLOSED'],
  }),
  getBottleneck: route({
    summary: 'What the crawl spends its time on',
    scope: 'read',
    params: crawlParams,
    response: Bottleneck,
    errors: ['CRAWL_NOT_FOUND'],
  }),
  compareCrawls: route({
    summary: 'What two crawls of a site found differently',
    scope: 'read',
    query: paginationQuery.extend({ a: z.string().max(64), b: z.string().max(64) }),
    response: paginated(
      z.object({
        url: z.string(),
        change: z.enum(['added', 'removed', 'changed']),
        /** Which fields differ, of a changed url. */
        fields: z.array(z.string()),
        before: z.record(z.string(), z.unknown()).nullable(),
        after: z.record(z.string(), z.unknown()).nullable(),
      }),
    ).extend({ added: count, removed: count, changed: count, same: count }),
    errors: ['CRAWL_NOT_FOUND', 'TOO_LARGE'],
  }),
}
