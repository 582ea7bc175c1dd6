import { z } from 'zod'
import { EXPORT_FORMATS } from '../../config/values/export-formats.ts'
import { URL_STATES } from '../../lib/states.ts'
import { URL_ORDERS } from '../../ports/browse.ts'
import { URL_KINDS } from '../../ports/visits.ts'
import { crawlParams } from './crawls.ts'
import { paginated, paginationQuery } from './pagination.ts'
import { route } from './route.ts'

const count = z.int().min(0)
const time = z.iso.datetime().nullable()

export const Url = z.object({
  url_id: z.int(),
  url: z.string(),
  host: z.string(),
  /** The host name and the scheme of the URL, in capitals. */
  name: z.string(),
  http_type: z.string(),
  state: z.enum(URL_STATES),
  reason: z.string().nullable(),
  kind: z.enum(URL_KINDS),
  depth: count,
  priority: z.int(),
  http_status: z.int().nullable(),
  content_type: z.string().nullable(),
  content_length: count.nullable(),
  content_hash: z.string().nullable(),
  title: z.string().nullable(),
  discovered_from: z.int().nullable(),
  redirect_to: z.string().nullable(),
  canonical: z.string().nullable(),
  noindex: z.boolean(),
  attempts: count,
  fetch_ms: z.number().nullable(),
  ip: z.string().nullable(),
  proxy: z.string().nullable().describe('The proxy of the last visit, without user and password.'),
  first_seen_at: z.iso.datetime(),
  visited_at: time,
})

const LinkedUrl = z.object({
  url_id: z.int(),
  url: z.string(),
  state: z.enum(URL_STATES),
  title: z.string().nullable(),
})

export const Visit = z.object({
  attempt: count,
  state: z.string(),
  reason: z.string().nullable(),
  http_status: z.int().nullable(),
  content_type: z.string().nullable(),
  content_length: count.nullable(),
  fetch_ms: z.number().nullable(),
  processing_ms: z.number().nullable(),
  visited_by: z.string().nullable(),
  visited_at: z.iso.datetime(),
  ip: z.string().nullable(),
  proxy: z.string().nullable(),
  redirect_to: z.string().nullable(),
})

export const PageSummary = z.object({
  page_id: z.int(),
  crawl_id: z.string(),
  version: z.int(),
  visited_at: z.iso.datetime(),
  http_status: z.int().nullable(),
  content_type: z.string().nullable(),
  content_length: count.nullable(),
  content_hash: z.string().nullable(),
  title: z.string().nullable(),
  changes: count,
  is_kept: z.boolean(),
  has_screenshot: z.boolean(),
  note: z.string().nullable(),
})

/** One check of a URL. Steps are listed in the order in which they are made. */
const ExplanationStep = z.object({
  step: z.enum([
    'address',
    'scope',
    'shape',
    'filter',
    'depth',
    'trap',
    'robots',
    'host',
    'policy',
    'limit',
    'priority',
    'proxy',
    'render',
    'revisit',
  ]),
  outcome: z.enum(['passed', 'refused', 'unknown']),
  detail: z.string(),
})

export const Explanation = z.object({
  url: z.string(),
  /** The result in one sentence. */
  answer: z.string(),
  is_known: z.boolean(),
  url_id: z.int().nullable(),
  steps: z.array(ExplanationStep),
})

export const UrlDetails = z.object({
  url: Url,
  explanation: Explanation,
  /** The path from a start URL to this one. */
  lineage: z.array(LinkedUrl),
  inlinks: z.object({ total: count.nullable(), items: z.array(LinkedUrl) }),
  outlinks: z.object({ total: count.nullable(), items: z.array(LinkedUrl) }),
  robots: z.object({ line: z.string().nullable(), is_allowed: z.boolean().nullable(), detail: z.string() }),
  visits: z.array(Visit),
  pages: z.array(PageSummary),
  index: z.object({ is_indexed: z.boolean(), detail: z.string() }),
})

export const urlFilters = z.object({
  state: z
    .enum(URL_STATES)
    .or(z.array(z.enum(URL_STATES)))
    .optional(),
  reason: z.string().max(300).optional(),
  host: z.string().max(300).optional(),
  depth: z.coerce.number().int().min(0).max(65_000).optional(),
  status: z
    .string()
    .regex(/^([1-5]xx|[1-5]\d\d)$/)
    .optional()
    .describe('For example 404 or 5xx.'),
  type: z.string().max(200).optional().describe('Prefix of the content type.'),
  text: z.string().max(500).optional().describe('Part of the URL or title.'),
})

export const urlRoutes = {
  listUrls: route({
    summary: 'List the URLs of a crawl',
    scope: 'read',
    params: crawlParams,
    query: paginationQuery.extend({
      ...urlFilters.shape,
      sort: z.enum(URL_ORDERS).default('found'),
      order: z.enum(['asc', 'desc']).default('asc'),
    }),
    response: paginated(Url),
    errors: ['CRAWL_NOT_FOUND', 'BAD_CURSOR', 'TOO_LARGE'],
  }),
  countUrls: route({
    summary: 'Count the URLs that match a filter, by state',
    scope: 'read',
    params: crawlParams,
    query: urlFilters.omit({ state: true }),
    response: z.object({
      states: z.partialRecord(z.enum(URL_STATES), count),
      is_complete: z.boolean().describe('False if the crawl is so large that only a part of it was counted.'),
    }),
    errors: ['CRAWL_NOT_FOUND'],
  }),
  addUrls: route({
    summary: 'Add URLs to a crawl that has not ended; a critical URL is visited before all others',
    scope: 'crawl',
    params: crawlParams,
    body: z.strictObject({
      urls: z.array(z.string().max(2048)).min(1).max(10_000),
      priority: z
        .union([z.int().min(1).max(10), z.literal('critical')])
        .optional()
        .describe(
          '1 to 10, or critical. Raises the priority of a URL that is already queued, but never lowers it. Default: the priority of a start URL.',
        ),
    }),
    response: z.object({
      added: count.describe('URLs that are new to the crawl.'),
      raised: count.describe('URLs that were queued already and got a higher priority.'),
    }),
    errors: ['CRAWL_NOT_FOUND', 'CRAWL_CLOSED', 'BAD_SEED'],
  }),
  getUrl: route({
    summary: 'Get the details of a URL: links, decisions, visits and archived versions',
    scope: 'read',
    params: crawlParams.extend({ url_id: z.coerce.number().int().min(1) }),
    response: UrlDetails,
    errors: ['CRAWL_NOT_FOUND', 'URL_NOT_FOUND'],
  }),
  explainUrl: route({
    summary: 'Explain why a URL was or was not visited, even if the crawl has not found it',
    scope: 'read',
    params: crawlParams,
    query: z.object({ url: z.string().min(1).max(4096) }),
    response: Explanation,
    errors: ['CRAWL_NOT_FOUND', 'BAD_SEED'],
  }),
  exportCrawl: route({
    summary: 'Export the results of a crawl as a file',
    scope: 'read',
    params: crawlParams,
    query: urlFilters.extend({
      format: z.enum(EXPORT_FORMATS).default('jsonl'),
      after: z.coerce.number().int().min(0).default(0).describe('Continue after this url_id; only for jsonl and csv.'),
    }),
    response: {
      stream: [
        'application/x-ndjson',
        'application/json',
        'text/csv; charset=utf-8',
        'application/xml',
        'application/warc',
        'application/wacz+zip',
        'application/zip',
        'application/vnd.sqlite3',
        'text/plain; charset=utf-8',
        'text/tab-separated-values; charset=utf-8',
        'application/octet-stream',
      ],
    },
    errors: ['CRAWL_NOT_FOUND'],
  }),
}
