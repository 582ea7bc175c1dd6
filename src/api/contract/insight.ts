import { z } from 'zod'
import { URL_STATES } from '../../lib/states.ts'

import { PATTERN_STATES } from '../../ports/patterns.ts'
import { crawlParams, StateCounts } from './crawls.ts'
import { paginated, paginationQuery } from './pagination.ts'
import { route } from './route.ts'

const count = z.int().min(0)

const CountByKey = z.object({ key: z.string(), count })

export const Stats = z.object({
  crawl_id: z.string(),
  as_of: z.iso.datetime(),
  states: StateCounts,
  status_codes: z.array(CountByKey),
  content_types: z.array(CountByKey),
  reasons: z.array(CountByKey),
  depths: z.array(z.object({ depth: count, count })),
  hosts: z.array(
    z.object({ host: z.string(), urls: count, visited: count, failed: count, bytes: count, mean_fetch_ms: z.number() }),
  ),
  host_count: count,
  fetch_ms: z.object({
    p50: z.number(),
    p90: z.number(),
    p99: z.number(),
    max: z.number(),
    histogram: z.array(z.object({ up_to: z.number().nullable(), count })),
  }),
  content_length: z.object({ p50: z.number(), p90: z.number(), p99: z.number(), max: z.number(), total: count }),
})

export const Host = z.object({
  host: z.string(),
  urls: count,
  queued: count,
  visited: count,
  failed: count,
  excluded: count,
  bytes: count,
  mean_fetch_ms: z.number().nullable(),
  gap_ms: z.number(),
  strikes: count,
  next_at: z.iso.datetime().nullable(),
  is_blocked: z.boolean(),
  robots: z.array(
    z.object({
      origin: z.string(),
      asked_at: z.iso.datetime(),
      status: z.int().nullable(),
      problem: z.string().nullable(),
    }),
  ),
})

export const GraphNode = z.object({
  id: z.string(),
  /** A URL, a host or a path prefix. */
  label: z.string(),
  url_id: z.int().nullable(),
  host: z.string(),
  state: z.enum(URL_STATES).nullable(),
  states: z
    .partialRecord(z.enum(URL_STATES), count)
    .nullable()
    .describe('For a group: the number of its URLs in each state.'),
  left_out: count.describe('Excluded URLs that the crawl did not get to before it ended.'),
  depth: count,
  /** Number of URLs in this node. */
  urls: count,
  inlinks: count,
  rank: z.number(),
  parent: z.string().nullable(),
})

export const GraphEdge = z.object({ from: z.string(), to: z.string(), links: count })

export const Graph = z.object({
  crawl_id: z.string(),
  group: z.enum(['url', 'path', 'host']),
  /** Pass it as `since` to get later changes. */
  version: z.string(),
  nodes: z.array(GraphNode),
  edges: z.array(GraphEdge),
  total_nodes: count,
  total_edges: count,
  is_complete: z.boolean(),
})

const FolderFigures = z.object({
  label: z.string().describe('Host and path: `under` for the next level.'),
  name: z.string(),
  urls: count,
  bytes: count,
  mean_fetch_ms: z.number().nullable(),
  states: z.partialRecord(z.enum(URL_STATES), count),
  left_out: count.describe('Excluded URLs that the crawl did not get to before it ended.'),
  folders: count.describe('Number of subfolders.'),
})

const SMALL = 'Its subfolders, except for very small ones.'
const FolderWithChildren = FolderFigures.extend({ children: z.array(FolderFigures).describe(SMALL) })

export const Folders = z.object({
  crawl_id: z.string(),
  label: z.string().nullable().describe('Null at the top, where the folders are hosts.'),
  urls: count,
  bytes: count,
  folders: z.array(FolderFigures.extend({ children: z.array(FolderWithChildren).describe(SMALL) })),
  total_folders: count,
  own_urls: z
    .array(
      z.object({
        url_id: z.int(),
        url: z.string(),
        state: z.enum(URL_STATES),
        left_out: count,
        bytes: count,
        fetch_ms: z.number().nullable(),
      }),
    )
    .describe('The URLs directly in the folder, largest first.'),
  total_own_urls: count,
  is_complete: z.boolean().describe('False if only the URLs discovered first were counted.'),
})

const hostParams = crawlParams.extend({ host: z.string().min(1).max(300) })

export const insightRoutes = {
  getStats: route({
    summary: 'Get the statistics of a crawl',
    scope: 'read',
    params: crawlParams,
    response: Stats,
    errors: ['CRAWL_NOT_FOUND'],
  }),
  getGraph: route({
    summary: 'Get the link graph: URLs, or groups of URLs if there are many; or the changes since a version',
    scope: 'read',
    params: crawlParams,
    query: z.object({
      limit: z.coerce.number().int().min(1).max(50_000).default(2000),
      group: z.enum(['auto', 'url', 'path', 'host']).default('auto'),
      by: z
        .enum(['found', 'rank'])
        .default('found')
        .describe('Which URLs are returned if there are more than the limit: the first found, or the highest ranked.'),
      around: z.coerce.number().int().min(1).optional().describe('Id of a URL: only this URL and its neighbours.'),
      under: z
        .string()
        .max(4096)
        .optional()
        .describe(
          'Label of a group: only its members. A label that ends in a slash means the URLs directly in the folder.',
        ),
      since: z.string().max(100).optional(),
      open: z
        .string()
        .max(8192)
        .optional()
        .describe(
          'Labels of groups, separated by spaces: their subfolders are returned instead of them, or their URLs if they have none. Requires group=path.',
        ),
      max_edges: z.coerce
        .number()
        .int()
        .min(0)
        .max(200_000)
        .default(50_000)
        .describe(
          'If there are more, edges with the most links are returned; between URLs, those between the best linked URLs.',
        ),
    }),
    response: Graph,
    errors: ['CRAWL_NOT_FOUND', 'BAD_CURSOR', 'URL_NOT_FOUND'],
  }),
  getFolders: route({
    summary: 'Get one level of the site by path: folders with their URLs, bytes, states and response times',
    scope: 'read',
    params: crawlParams,
    query: z.object({
      under: z.string().max(4096).optional().describe('Label of a folder; without it, the hosts.'),
      limit: z.coerce.number().int().min(1).max(1000).default(200).describe('Maximum number of folders, and of URLs.'),
    }),
    response: Folders,
    errors: ['CRAWL_NOT_FOUND', 'FOLDER_NOT_FOUND'],
  }),
  listErrors: route({
    summary: 'List errors, newest first, with counts by reason',
    scope: 'read',
    params: crawlParams,
    query: z.object({ limit: z.coerce.number().int().min(1).max(1000).default(50) }),
    response: z.object({
      counts: z.array(
        z.object({
          state: z.enum(URL_STATES),
          reason: z.string(),
          count,
          severity: z.enum(['note', 'warning', 'error']),
        }),
      ),
      items: z.array(
        z.object({
          url_id: z.int(),
          url: z.string(),
          state: z.enum(URL_STATES),
          reason: z.string().nullable(),
          http_status: z.int().nullable(),
          severity: z.enum(['note', 'warning', 'error']),
          attempts: count,
          visited_at: z.iso.datetime().nullable(),
          visited_by: z.string().nullable(),
        }),
      ),
    }),
    errors: ['CRAWL_NOT_FOUND'],
  }),
  listBrokenSitemaps: route({
    summary: 'List sitemaps that could not be fetched or read; only some if there are many',
    scope: 'read',
    params: crawlParams,
    response: z.object({
      items: z.array(z.object({ url: z.string(), state: z.enum(URL_STATES), reason: z.string().nullable() })),
    }),
    errors: ['CRAWL_NOT_FOUND'],
  }),
  listHosts: route({
    summary: 'List the hosts of a crawl',
    scope: 'read',
    params: crawlParams,
    query: paginationQuery.extend({ text: z.string().max(300).optional() }),
    response: paginated(Host),
    errors: ['CRAWL_NOT_FOUND', 'BAD_CURSOR'],
  }),
  blockHost: route({
    summary: 'Block a host: no more of its URLs are visited in this crawl',
    scope: 'crawl',
    params: hostParams,
    response: z.object({ host: z.string(), is_blocked: z.boolean(), urls: count }),
    errors: ['CRAWL_NOT_FOUND', 'HOST_NOT_FOUND'],
  }),
  releaseHost: route({
    summary: 'Unblock a host',
    scope: 'crawl',
    params: hostParams,
    response: z.object({ host: z.string(), is_blocked: z.boolean(), urls: count }),
    errors: ['CRAWL_NOT_FOUND', 'HOST_NOT_FOUND', 'CRAWL_CLOSED'],
  }),
  getPoliteness: route({
    summary: 'Get how politely hosts are treated; paginated like the list of hosts',
    scope: 'read',
    params: crawlParams,
    query: paginationQuery.extend({ text: z.string().max(300).optional() }),
    response: paginated(
      z.object({
        host: z.string(),
        requests: count.describe('For URLs and robots.txt, with retries, revisits and every redirect.'),
        subrequests: count.describe('Requests of rendered pages, not counted in requests.'),
        smallest_gap_ms: z.number().nullable(),
        peak: count,
        gap_ms: z.number(),
        concurrency_limit: count
          .nullable()
          .describe('Concurrent requests that the host accepts, learned from its refusals; null if no limit is known.'),
        denied: count,
        crawl_delay_ms: z.number().nullable().describe('What robots.txt asks for.'),
        robots: z.string().describe('What is known of robots.txt: rules, no rules, not read, or a problem.'),
        policy: z.string().nullable().describe('Patterns of the policies that apply to the host.'),
      }),
    ),
    errors: ['CRAWL_NOT_FOUND', 'BAD_CURSOR'],
  }),
  listTraps: route({
    summary: 'List URL patterns that may be spider traps',
    scope: 'read',
    params: crawlParams,
    response: z.object({
      items: z.array(
        z.object({
          pattern: z.string(),
          state: z.enum(PATTERN_STATES),
          visits: count.describe('URLs visited to test the pattern.'),
          fruitless: count.describe('Of those, URLs with neither new text nor new links.'),
          saved: count.describe('URLs that were excluded.'),
          example: z.string().nullable().describe('One of the excluded URLs.'),
        }),
      ),
    }),
    errors: ['CRAWL_NOT_FOUND'],
  }),
  releaseTrap: route({
    summary: 'Release a URL pattern: its excluded URLs are queued again',
    scope: 'crawl',
    params: crawlParams,
    body: z.strictObject({ pattern: z.string().min(1).max(2048) }),
    response: z.object({ queued: count }),
    errors: ['CRAWL_NOT_FOUND', 'PATTERN_NOT_FOUND', 'CRAWL_RUNNING', 'CRAWL_CLOSED'],
  }),
}
