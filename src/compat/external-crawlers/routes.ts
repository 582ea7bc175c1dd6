// The routes of the external-crawlers API: clients start crawls, crawlers claim and report tasks, indexers submit
// documents and report progress.

import type { Hono } from 'hono'
import { z } from 'zod'
import type { ApiEnv } from '../../api/http/request-context.ts'
import {
  type CrawlRequest,
  checkCrawlRequest,
  planWithSchemes,
  requireNewCrawl,
} from '../../api/requests/crawl-request.ts'
import { findCrawl } from '../../api/requests/find-crawl.ts'
import { invalidFieldsError } from '../../api/requests/request-error.ts'
import { AdaptiveCache } from '../../lib/adaptive-cache.ts'
import type { UrlInFlight } from '../../ports/crawls.ts'
import type { Frontier } from '../../ports/frontier.ts'
import { type CompatRoute, defineRoute, mountCompatRoutes } from '../mount-compat-routes.ts'
import { readRowsById } from '../read-rows.ts'
import { claimTasks, type TaskDependencies } from './claim-tasks.ts'
import { listTasks } from './list-tasks.ts'
import { recordRoutes } from './page-records.ts'
import {
  ClaimTasksBody,
  crawlParams,
  IndexerReportBody,
  ListTasksQuery,
  StartCrawlBody,
  SubmitDocumentBody,
  TaskReportBody,
} from './schemas.ts'
import { crawlStatusJson, indexerReportJson, toErrorText } from './status-json.ts'
import { type SubmitDocumentDependencies, submitDocument } from './submit-document.ts'
import { type TaskClaim, TaskIdCodec } from './task-id.ts'
import { applyTaskReport, renewTask } from './task-report.ts'

export interface ExternalCrawlerDependencies extends SubmitDocumentDependencies {
  frontier: Frontier
}

/** Errors in the status of a crawl. */
const MAX_ERRORS = 50
const MAX_ERROR_LENGTH = 1000
const LIST_TASKS = { scope: 'read', params: crawlParams, query: ListTasksQuery } as const

export function mountExternalCrawlers(app: Hono<ApiEnv>, dependencies: ExternalCrawlerDependencies): void {
  const allDependencies = {
    ...dependencies,
    taskIds: new TaskIdCodec(dependencies.access.external),
    random: Math.random,
  }
  const routes = [crawlRoutes, crawlerRoutes, indexerRoutes, recordRoutes].flatMap((of) => of(allDependencies))
  mountCompatRoutes(app, dependencies.guard, { routes, toErrorResponse: null })
}

function crawlRoutes(dependencies: ExternalCrawlerDependencies): CompatRoute[] {
  const { crawls, browse, config, access, clock } = dependencies
  const requeuedCounts = new AdaptiveCache<number>(() => clock.now())
  return [
    defineRoute(
      'POST /api/v1/crawl/start',
      { scope: 'crawl', body: StartCrawlBody, status: 201 },
      async ({ body }, { scope }) => {
        const { seed_urls: urls, depth_limit, domain_restriction } = body
        const settings = {
          scope: domain_restriction ? 'domain' : 'any',
          ...(depth_limit === undefined ? {} : { depth: depth_limit }),
        }
        const check = (request: CrawlRequest) => requireNewCrawl(checkCrawlRequest(request, config, scope))
        const newCrawl = await planWithSchemes({ urls, settings }, check, dependencies)
        const { id } = await crawls.create(newCrawl)
        return { crawl_id: id, status: 'started' }
      },
    ),
    defineRoute('GET /api/v1/crawl/status/:crawl_id', { scope: 'read', params: crawlParams }, async ({ params }) => {
      const progress = await crawls.progress(params.crawl_id)
      const inFlight = await crawls.urlsInFlight(progress.crawl.id)
      return crawlStatusJson(progress, {
        problems: (await browse.problems(progress.crawl.id, MAX_ERRORS)).rows,
        taskErrors: await access.external.listTaskErrors(progress.crawl.id),
        inFlight,
        requeued: await requeuedCounts.get(progress.crawl.id, () =>
          countRequeued(progress.crawl.id, inFlight, dependencies),
        ),
      })
    }),
    defineRoute('GET /api/v1/crawl/tasks/:crawl_id', LIST_TASKS, async ({ params, query }) => {
      const crawl = await findCrawl(crawls, params.crawl_id)
      return { crawl_id: crawl.id, ...(await listTasks(crawl, query, dependencies)) }
    }),
  ]
}

/** SQLite stores a URL in flight as queued. */
async function countRequeued(
  crawlId: string,
  inFlight: UrlInFlight[],
  { browse, urls }: ExternalCrawlerDependencies,
): Promise<number> {
  const ids = inFlight.map(({ urlId }) => urlId)
  const [total, rows] = [await browse.requeuedCount(crawlId), await Array.fromAsync(readRowsById(urls, crawlId, ids))]
  return Math.max(0, total - rows.filter(({ state, attempts }) => state === 'queued' && attempts > 0).length)
}

function crawlerRoutes(dependencies: ExternalCrawlerDependencies & TaskDependencies): CompatRoute[] {
  const { taskIds, config, clock } = dependencies
  return [
    defineRoute('POST /api/v1/crawler/tasks', { scope: 'crawl', body: ClaimTasksBody }, async ({ body }) => {
      const request = { crawlerId: body.crawler_id, limit: body.limit, crawlId: body.crawl_id ?? null }
      const { tasks, nextDueAt } = await claimTasks(request, dependencies)
      const waitMs = nextDueAt === null ? null : Math.max(0, Math.ceil(nextDueAt - clock.now()))
      return { tasks, lease_ms: config.lease, retry_after_ms: waitMs }
    }),
    defineRoute('POST /api/v1/crawler/report', { scope: 'crawl', body: TaskReportBody }, async ({ body }) => {
      const { task_id, crawler_id, status, errors } = body
      const claim = requireClaim(await taskIds.decode(task_id), crawler_id)
      if (status === 'in-progress') {
        await renewTask(claim, dependencies)
        await recordTaskErrors(claim, errors, dependencies)
        return { task_id, status: 'in-progress' }
      }
      const { state, added } = await applyTaskReport(
        claim,
        {
          isCompleted: status === 'completed',
          extractedUrls: body.extracted_urls,
          httpStatus: body.http_status ?? null,
          contentType: body.content_type ?? null,
          contentBytes: body.content_size_bytes ?? null,
          fetchMs: body.fetch_time_ms ?? 0,
          processingMs: body.processing_time_ms ?? null,
          finalUrl: body.final_url ?? null,
        },
        dependencies,
      )
      await recordTaskErrors(claim, errors, dependencies)
      return { task_id, status: 'recorded', state, new_urls: added }
    }),
  ]
}

/** Only for accepted reports: a late one changes nothing. */
async function recordTaskErrors(
  { crawlId, crawlerId, url: { url } }: TaskClaim,
  errors: readonly unknown[],
  { access, log, clock }: ExternalCrawlerDependencies,
): Promise<void> {
  if (errors.length === 0) return
  const texts = JSON.stringify(errors.map((error) => toErrorText(error).slice(0, MAX_ERROR_LENGTH)))
  const logged = texts.slice(0, MAX_ERROR_LENGTH)
  log.warn('external crawler reported errors', { crawl: crawlId, crawler: crawlerId, url, errors: logged })
  await access.external.addTaskErrors({ crawlId, crawlerId, url, errors: texts, reportedAt: clock.now() })
}

function requireClaim(claim: TaskClaim | null, crawlerId: string): TaskClaim {
  if (claim === null) {
    throw invalidFieldsError('BAD_REQUEST', [{ field: 'body.task_id', message: 'Was not issued by this server.' }])
  }
  if (claim.crawlerId === crawlerId) return claim
  throw invalidFieldsError('BAD_REQUEST', [
    { field: 'body.crawler_id', message: 'The task belongs to another crawler.' },
  ])
}

function indexerRoutes(dependencies: ExternalCrawlerDependencies): CompatRoute[] {
  const { crawls, clock, log } = dependencies
  const { external } = dependencies.access
  const readReports = { scope: 'read', query: z.object({ crawl_id: crawlParams.shape.crawl_id }) } as const
  return [
    defineRoute(
      'POST /api/v1/indexer/submit',
      { scope: 'crawl', body: SubmitDocumentBody, status: 202 },
      async ({ body }) => {
        const { crawl_id, content, text, metadata } = body
        if (content === '' && text === '') {
          throw invalidFieldsError('BAD_REQUEST', [
            { field: 'body.content', message: 'Either content or text is required.' },
          ])
        }
        const url = await submitDocument({ crawlId: crawl_id, url: body.url, content, text, ...metadata }, dependencies)
        return { crawl_id, url, status: 'queued' }
      },
    ),
    defineRoute('POST /api/v1/indexer/report', { scope: 'crawl', body: IndexerReportBody }, async ({ body }) => {
      const { crawl_id: crawlId, indexer_id: indexerId, status, processed_pages: processedPages } = body
      await findCrawl(crawls, crawlId)
      log('external indexer reported', { crawl: crawlId, indexer: indexerId, status, pages: processedPages })
      await external.saveIndexerReport({ crawlId, indexerId, status, processedPages, reportedAt: clock.now() })
      return { crawl_id: crawlId, indexer_id: indexerId, status: 'recorded' }
    }),
    defineRoute('GET /api/v1/indexer/report', readReports, async ({ query }) => {
      const { id } = await findCrawl(crawls, query.crawl_id)
      return { crawl_id: id, indexers: (await external.listIndexerReports(id)).map(indexerReportJson) }
    }),
  ]
}
