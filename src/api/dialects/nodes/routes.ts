// The routes of nodes: a client starts crawls, crawlers take tasks and report them, indexers submit and report.

import type { Hono } from 'hono'
import { z } from 'zod'
import type { Frontier } from '../../../ports/frontier.ts'
import { pageCount } from '../../../ports/state.ts'
import { isoTimeOrNull } from '../../answers/progress.ts'
import type { ApiEnv } from '../../env.ts'
import { findCrawl, findProgress } from '../../requests/find.ts'
import { checkRequest, planOf } from '../../requests/new-crawl.ts'
import { refuseFields } from '../../requests/refusal.ts'
import { type DialectRoute, mountDialect, on } from '../mount.ts'
import { type DocumentParts, submitDocument } from './documents.ts'
import { Indexers } from './indexers.ts'
import { applyReport, renewTask } from './report.ts'
import { AskTasks, CrawlerReport, crawlParams, IndexerReport, StartCrawl, SubmitDocument } from './schemas.ts'
import { type TaskClaim, TaskIds } from './task-id.ts'
import { giveTasks, type TaskParts } from './tasks.ts'

export interface NodeParts extends DocumentParts {
  frontier: Frontier
}

/** Errors that are told with the status of a crawl. */
const MAX_ERRORS = 50

export function mountNodes(app: Hono<ApiEnv>, parts: NodeParts): void {
  const all = { ...parts, taskIds: new TaskIds(parts.access.outside), random: Math.random }
  const routes = [...crawlRoutes(all), ...crawlerRoutes(all), ...indexerRoutes(all)]
  mountDialect(app, parts.guard, { routes, tellError: null })
}

function crawlRoutes(parts: NodeParts): DialectRoute[] {
  const { crawls, browse, config } = parts
  return [
    on('POST /api/v1/crawl/start', { scope: 'crawl', body: StartCrawl, status: 201 }, async ({ body }, { scope }) => {
      const { seed_urls: urls, depth_limit, domain_restriction } = body
      const settings = {
        scope: domain_restriction ? 'domain' : 'any',
        ...(depth_limit === undefined ? {} : { depth: depth_limit }),
      }
      const plan = planOf(checkRequest({ urls, settings }, config, scope))
      const { id } = await crawls.create(plan)
      return { crawl_id: id, status: 'started' }
    }),
    on('GET /api/v1/crawl/status/:crawl_id', { scope: 'read', params: crawlParams }, async ({ params }) => {
      const progress = await findProgress(crawls, params.crawl_id)
      const { rows } = await browse.trouble(progress.crawl.id, MAX_ERRORS)
      return {
        crawl_id: progress.crawl.id,
        status: progress.crawl.status,
        pages_crawled: pageCount(progress),
        errors: rows.map(({ url, reason, httpStatus, attempts, visitedAt }) => ({
          url,
          status: 'failed',
          error: reason ?? `http_${httpStatus}`,
          retries: Math.max(0, attempts - 1),
          last_attempt: isoTimeOrNull(visitedAt),
        })),
      }
    }),
  ]
}

function crawlerRoutes(parts: NodeParts & TaskParts): DialectRoute[] {
  const { taskIds, log, config, clock } = parts
  return [
    on('POST /api/v1/crawler/tasks', { scope: 'crawl', body: AskTasks }, async ({ body }) => {
      const request = { crawlerId: body.crawler_id, limit: body.limit, crawlId: body.crawl_id ?? null }
      const { tasks, nextDueAt } = await giveTasks(request, parts)
      const waitMs = nextDueAt === null ? null : Math.max(0, Math.ceil(nextDueAt - clock.now()))
      return { tasks, lease_ms: config.lease, retry_after_ms: waitMs }
    }),
    on('POST /api/v1/crawler/report', { scope: 'crawl', body: CrawlerReport }, async ({ body }) => {
      const { task_id, crawler_id, status, errors } = body
      const claim = claimOf(await taskIds.read(task_id), crawler_id)
      if (errors.length > 0) {
        const told = JSON.stringify(errors).slice(0, 1000)
        log.warn('crawler reported errors', { crawl: claim.crawlId, crawler: crawler_id, url: claim.url.url, told })
      }
      if (status === 'in-progress') {
        await renewTask(claim, parts)
        return { task_id, status: 'in-progress' }
      }
      const { state, added } = await applyReport(
        claim,
        {
          isCompleted: status === 'completed',
          extractedUrls: body.extracted_urls,
          httpStatus: body.http_status ?? null,
          contentType: body.content_type ?? null,
          contentBytes: body.content_size_bytes ?? null,
          fetchMs: body.fetch_time_ms ?? 0,
          finalUrl: body.final_url ?? null,
        },
        parts,
      )
      return { task_id, status: 'recorded', state, new_urls: added }
    }),
  ]
}

function claimOf(claim: TaskClaim | null, crawlerId: string): TaskClaim {
  if (claim === null) {
    throw refuseFields('BAD_REQUEST', [{ field: 'body.task_id', message: 'It was not given out by this server.' }])
  }
  if (claim.crawlerId === crawlerId) return claim
  throw refuseFields('BAD_REQUEST', [{ field: 'body.crawler_id', message: 'The task was given to another crawler.' }])
}

function indexerRoutes(parts: NodeParts): DialectRoute[] {
  const indexers = new Indexers(parts)
  const ofCrawl = { scope: 'read', query: z.object({ crawl_id: crawlParams.shape.crawl_id }) } as const
  return [
    on('POST /api/v1/indexer/submit', { scope: 'crawl', body: SubmitDocument, status: 202 }, async ({ body }) => {
      const { crawl_id, content, text, metadata } = body
      if (content === '' && text === '') {
        throw refuseFields('BAD_REQUEST', [{ field: 'body.content', message: 'There is neither content nor text.' }])
      }
      const url = await submitDocument({ crawlId: crawl_id, url: body.url, content, text, ...metadata }, parts)
      return { crawl_id, url, status: 'queued' }
    }),
    on('POST /api/v1/indexer/report', { scope: 'crawl', body: IndexerReport }, async ({ body }) => {
      await findCrawl(parts.crawls, body.crawl_id)
      indexers.record(body)
      return { crawl_id: body.crawl_id, indexer_id: body.indexer_id, status: 'recorded' }
    }),
    on('GET /api/v1/indexer/report', ofCrawl, async ({ query }) => {
      const { id } = await findCrawl(parts.crawls, query.crawl_id)
      return { crawl_id: id, indexers: indexers.of(id) }
    }),
  ]
}
