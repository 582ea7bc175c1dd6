import { z } from 'zod'
import { CRAWL_STATUSES, RETRIABLE_STATES, URL_STATES } from '../../lib/states.ts'
import { PHASES } from '../../ports/workers.ts'
import { paginated, paginationQuery } from './pagination.ts'
import { route } from './route.ts'

export const crawlParams = z.object({ crawl_id: z.string().min(1).max(64).describe('The id of a crawl.') })

const count = z.int().min(0)

/** More settings than exist. */
const MAX_SETTINGS = 200

/** Keys are the names of a config file: max_pages, depth, delay. Validated by the config schema. */
export const Settings = z
  .record(z.string(), z.unknown())
  .refine((settings) => Object.keys(settings).length <= MAX_SETTINGS, 'Too many settings.')
  .describe(
    'Settings of the crawl, with the names of a config file such as max_pages. GET /api/v1/settings lists them.',
  )

export const StateCounts = z.object(
  Object.fromEntries(URL_STATES.map((state) => [state, count])) as Record<(typeof URL_STATES)[number], typeof count>,
)

export const Bottleneck = z.object({
  /** Null while no worker is crawling. */
  cause: z.enum(PHASES).nullable(),
  /** Shares of the last minute; their sum is 1. */
  shares: z.partialRecord(z.enum(PHASES), z.number().min(0).max(1)),
  explanation: z.string(),
  /** The setting that affects it. */
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
  max_pages: count.nullable().describe('The page limit of the crawl.'),
  reason: z.string().nullable().describe('Why the crawl ended, if not because the queue was empty.'),
  states: StateCounts,
  pages: count.describe('Visited URLs, not counting sitemaps and requisites.'),
  sitemaps: count,
  requisites: count.describe('Visited images, style sheets, fonts and scripts of pages, with the setting requisites.'),
  bytes: count,
  pages_per_second: z.number().min(0),
  bytes_per_second: z.number().min(0),
  in_flight: count,
  eta_seconds: z.number().min(0).nullable(),
  active_ms: count,
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
  next_visit_at: z.iso
    .datetime()
    .nullable()
    .describe('When the next URL is due again, if the crawl revisits its URLs.'),
  held: z.string().nullable().describe('Why the whole crawl is on hold, such as a full disk.'),
  silent_hosts: z
    .object({ hosts: count, host: z.string() })
    .nullable()
    .describe('How many hosts are not responding, and one of them. They are tried again.'),
  bottleneck: Bottleneck.pick({ cause: true, explanation: true, setting: true }).nullable(),
})

const NextRuns = z.array(z.iso.datetime()).describe('The next times of the schedule; empty without one.')

export const Crawl = CrawlProgress.extend({
  next_runs: NextRuns,
  seeds: z.array(z.string()),
  settings: Settings,
  rejected: z.record(z.string(), count).describe('Rejected links by reason.'),
  late_reports: count,
})

export const NewCrawl = z.strictObject({
  url: z.string().max(2048).optional().describe('A start URL. Use urls for several.'),
  urls: z.array(z.string().max(2048)).min(1).max(10_000).optional(),
  sitemaps: z.array(z.string().max(2048)).max(1000).optional(),
  from: z
    .string()
    .max(64)
    .optional()
    .describe('The id of a crawl whose settings apply where this request does not name them.'),
  settings: Settings.optional(),
})

/** A change of the request that solves a problem. */
const Fix = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('use_url'), given: z.string(), url: z.string() }),
  z.object({ kind: z.literal('allow'), address: z.string() }),
])

/** Less than a request may take. */
const MAX_ROOT_WAIT_MS = 50_000

/** The first URL of a crawl, with the URLs it links to. At most a hundred of them are listed. */
const RootUrl = z.object({
  url_id: count,
  url: z.string(),
  state: z.enum(URL_STATES),
  reason: z.string().nullable(),
  http_status: count.nullable(),
  title: z.string().nullable(),
  redirect_to: z.string().nullable(),
  children: z.object({
    total: count.nullable(),
    items: z.array(z.object({ url_id: count, url: z.string(), state: z.enum(URL_STATES) })),
  }),
})

export const crawlRoutes = {
  listCrawls: route({
    summary: 'List crawls with their progress, newest first',
    scope: 'read',
    query: paginationQuery.extend({
      status: z.enum(CRAWL_STATUSES).optional(),
      text: z.string().max(200).optional().describe('Part of a start URL or an id.'),
    }),
    response: paginated(CrawlProgress),
    errors: ['BAD_CURSOR'],
  }),
  createCrawl: route({
    summary: 'Start a crawl',
    scope: 'crawl',
    query: z.object({
      root_wait_ms: z.coerce
        .number()
        .int()
        .min(0)
        .max(MAX_ROOT_WAIT_MS)
        .default(0)
        .describe('Waits up to this long for the visit of the first start URL, and returns it with its links.'),
    }),
    body: NewCrawl,
    response: Crawl.extend({
      root: RootUrl.nullable().describe('Null if it was not asked for, or not visited in time.'),
    }),
    status: 201,
    errors: ['BAD_SEED', 'BAD_CONFIG', 'CRAWL_NOT_FOUND', 'FORBIDDEN_SETTING', 'IDEMPOTENCY_CONFLICT'],
  }),
  checkCrawl: route({
    summary: 'Validate a crawl request without starting a crawl',
    scope: 'read',
    body: NewCrawl.extend({
      estimate: z.boolean().default(false).describe('Estimate the size of the site from its sitemaps.'),
    }),
    response: z.object({
      problems: z.array(z.object({ field: z.string(), message: z.string(), fixes: z.array(Fix) })),
      seeds: z.array(z.string()),
      next_runs: NextRuns,
      estimate: z
        .object({
          urls: count.describe('URLs in sitemaps that are in scope, at most max_pages.'),
          sitemaps: count,
          is_complete: z.boolean(),
          seconds: count
            .nullable()
            .describe('How long visiting them takes, at the response time of the sitemaps; null without any.'),
        })
        .nullable(),
    }),
    errors: ['BAD_CONFIG', 'CRAWL_NOT_FOUND'],
  }),
  getCrawl: route({
    summary: 'Get a crawl',
    scope: 'read',
    params: crawlParams,
    response: Crawl,
    errors: ['CRAWL_NOT_FOUND'],
  }),
  changeCrawl: route({
    summary: 'Change the settings of a crawl, even while it is running',
    scope: 'crawl',
    params: crawlParams,
    body: z.strictObject({ settings: Settings }),
    response: Crawl,
    errors: ['CRAWL_NOT_FOUND', 'CRAWL_CLOSED', 'BAD_CONFIG', 'SETTING_FIXED', 'FORBIDDEN_SETTING'],
  }),
  deleteCrawl: route({
    summary: 'Delete a crawl that is not running, with all its data; a large one is deleted in the background',
    scope: 'crawl',
    params: crawlParams,
    response: null,
    status: 204,
    mayContinueAfterResponse: true,
    errors: ['CRAWL_NOT_FOUND', 'CRAWL_RUNNING'],
  }),
  pauseCrawl: route({
    summary: 'Pause a crawl',
    scope: 'crawl',
    params: crawlParams,
    response: Crawl,
    errors: ['CRAWL_NOT_FOUND', 'CRAWL_CLOSED'],
  }),
  resumeCrawl: route({
    summary: 'Resume a paused crawl',
    scope: 'crawl',
    params: crawlParams,
    response: Crawl,
    errors: ['CRAWL_NOT_FOUND', 'NOTHING_TO_RESUME', 'BAD_CONFIG'],
  }),
  cancelCrawl: route({
    summary: 'Cancel a crawl',
    scope: 'crawl',
    params: crawlParams,
    response: Crawl,
    errors: ['CRAWL_NOT_FOUND', 'CRAWL_CLOSED'],
  }),
  completeCrawl: route({
    summary: 'Complete a crawl that visits its URLs again',
    scope: 'crawl',
    params: crawlParams,
    response: Crawl,
    errors: ['CRAWL_NOT_FOUND', 'CRAWL_CLOSED'],
  }),
  rerunCrawl: route({
    summary: 'Start a new crawl with the start URLs and settings of this one',
    scope: 'crawl',
    params: crawlParams,
    response: Crawl,
    status: 201,
    errors: ['CRAWL_NOT_FOUND', 'BAD_CONFIG', 'FORBIDDEN_SETTING', 'IDEMPOTENCY_CONFLICT'],
  }),
  retryUrls: route({
    summary: 'Queue the URLs that ended in a state again',
    scope: 'crawl',
    params: crawlParams,
    body: z.strictObject({ state: z.enum(RETRIABLE_STATES) }),
    response: z.object({ queued: count }),
    errors: ['CRAWL_NOT_FOUND', 'CRAWL_RUNNING', 'CRAWL_CLOSED'],
  }),
  verifyCrawl: route({
    summary: 'Recount the URLs of a crawl and check that none is lost or duplicated',
    scope: 'read',
    params: crawlParams,
    response: z.object({
      crawl_id: z.string(),
      status: z.enum(CRAWL_STATUSES),
      sound: z.boolean(),
      ledger: StateCounts,
      findings: z.array(z.object({ rule: z.string(), detail: z.string() })),
    }),
    errors: ['CRAWL_NOT_FOUND'],
  }),
  getBottleneck: route({
    summary: 'Explain what limits the speed of a crawl',
    scope: 'read',
    params: crawlParams,
    response: Bottleneck,
    errors: ['CRAWL_NOT_FOUND'],
  }),
  compareCrawls: route({
    summary: 'Compare the results of two crawls',
    scope: 'read',
    query: paginationQuery.extend({ a: z.string().max(64), b: z.string().max(64) }),
    response: paginated(
      z.object({
        url: z.string(),
        change: z.enum(['added', 'removed', 'changed']),
        /** The fields that differ, if both crawls know the URL. */
        fields: z.array(z.string()),
        before: z.record(z.string(), z.unknown()).nullable(),
        after: z.record(z.string(), z.unknown()).nullable(),
        /** The last version in each crawl. */
        before_page_id: z.int().nullable(),
        after_page_id: z.int().nullable(),
      }),
    ).extend({ added: count, removed: count, changed: count, same: count }),
    errors: ['CRAWL_NOT_FOUND', 'TOO_LARGE'],
  }),
}
