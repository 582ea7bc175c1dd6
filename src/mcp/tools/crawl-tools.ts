import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Clock } from '../../lib/clock.ts'
import { CRAWL_STATUSES } from '../../lib/states.ts'
import { type CrawlState, describeCrawl, followCrawl, withWait } from '../follow-crawl.ts'
import type { McpAccess } from '../mcp-client.ts'
import { quoteWeb, textResult, withErrors } from '../tool-result.ts'
import { READ_ONLY } from './search-tools.ts'

const crawlId = z.string().min(1).max(64)
/** Clients give up on a call after a minute, unless they reset that time when progress is reported. */
const waitSeconds = z.number().int().min(0).max(300).default(20).describe('How long to wait for it to finish.')

export function addCrawlTools(server: McpServer, access: McpAccess, clock: Clock): void {
  const { client } = access
  server.registerTool(
    'list_crawls',
    {
      title: 'List crawls',
      description: 'Crawls with their ids, start URLs, states and page counts, newest first.',
      inputSchema: z.object({
        status: z.enum(CRAWL_STATUSES).optional(),
        text: z.string().max(300).optional().describe('Part of the start URL or id.'),
        limit: z.number().int().min(1).max(100).default(20),
      }),
      annotations: READ_ONLY,
    },
    (args) =>
      withErrors(async () => {
        const { items } = await client.listCrawls({ query: args })
        const lines = items.map(
          ({ crawl_id, root_url, status, pages, created_at }) =>
            `${crawl_id}: ${root_url}, ${status}, ${pages} pages, created ${created_at}`,
        )
        return textResult(lines.length === 0 ? 'There are no crawls.' : lines.join('\n'))
      }),
  )
  server.registerTool(
    'follow_crawl',
    {
      title: 'Follow a crawl',
      description:
        'State and counts of a crawl. Waits until it has finished or wait_seconds have passed, and reports progress in between. Set wait_seconds to 0 to get the current state.',
      inputSchema: z.object({ crawl_id: crawlId, wait_seconds: waitSeconds }),
      annotations: READ_ONLY,
    },
    ({ crawl_id, wait_seconds }, context) =>
      withErrors(() =>
        withWait(access, async () =>
          crawlResult(await followCrawl(crawl_id, wait_seconds * 1000, { client, clock, context })),
        ),
      ),
  )
  server.registerTool(
    'explain_url',
    {
      title: 'Explain a URL',
      description:
        'Why a crawl visited a URL or not: scope, patterns, depth, robots.txt, traps, host and limits, each with its outcome. Works for URLs that the crawl has not found.',
      inputSchema: z.object({ crawl_id: crawlId, url: z.string().min(1).max(4096) }),
      annotations: READ_ONLY,
    },
    ({ crawl_id, url }) =>
      withErrors(async () => {
        const { answer, steps } = await client.explainUrl({ params: { crawl_id }, query: { url } })
        const lines = steps.map(({ step, outcome, detail }) => `- ${step}: ${outcome}. ${detail}`)
        return textResult(quoteWeb([answer, ...lines].join('\n'), url))
      }),
  )
}

/** Offered only to clients that may crawl. */
export function addCrawlControlTools(server: McpServer, access: McpAccess, clock: Clock): void {
  const { client, maxPages } = access
  server.registerTool(
    'start_crawl',
    {
      title: 'Start a crawl',
      description: `Crawl a site politely, within limits: at most ${maxPages} pages, on the host of the start URL unless scope says otherwise. Waits up to wait_seconds and returns the crawl id; continue with follow_crawl. Pages can be searched shortly after their visit.`,
      inputSchema: z.object({
        urls: z.array(z.string().min(1).max(2048)).min(1).max(20).describe('Start URLs.'),
        max_pages: z.number().int().min(1).max(maxPages).default(Math.min(50, maxPages)),
        depth: z
          .number()
          .int()
          .min(0)
          .max(100)
          .default(3)
          .describe('Maximum number of links from a start URL; 0: only the start URL.'),
        scope: z
          .enum(['host', 'domain', 'prefix'])
          .default('host')
          .describe('prefix: below the path of the start URL.'),
        wait_seconds: waitSeconds,
      }),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    },
    ({ urls, max_pages, depth, scope, wait_seconds }, context) =>
      withErrors(() =>
        withWait(access, async () => {
          const { crawl_id } = await client.createCrawl({ body: { urls, settings: { max_pages, depth, scope } } })
          return crawlResult(await followCrawl(crawl_id, wait_seconds * 1000, { client, clock, context }))
        }),
      ),
  )
  server.registerTool(
    'cancel_crawl',
    {
      title: 'Cancel a crawl',
      description: 'Stop a crawl for good. Its pages stay.',
      inputSchema: z.object({ crawl_id: crawlId }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ crawl_id }) =>
      withErrors(async () => {
        await client.cancelCrawl({ params: { crawl_id } })
        return crawlResult(await client.getCrawl({ params: { crawl_id } }))
      }),
  )
}

function crawlResult(crawl: CrawlState) {
  const { crawl_id, root_url, status, reason, pages, pending, failed, total } = crawl
  const lines = [
    `crawl_id: ${crawl_id}`,
    `start URL: ${root_url}`,
    describeCrawl(crawl),
    ...(reason === null ? [] : [`reason: ${reason}`]),
    ...(crawl.bottleneck === null ? [] : [crawl.bottleneck.explanation]),
  ]
  return textResult(lines.join('\n'), {
    crawl_id,
    root_url,
    status,
    reason,
    pages,
    queued: pending,
    failed,
    urls: total,
  })
}
