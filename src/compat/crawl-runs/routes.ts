// The routes of runs: /crawl-runs and /health.

import type { Hono } from 'hono'
import { z } from 'zod'
import type { ApiDependencies } from '../../api/handlers.ts'
import { PROBLEM_TYPE, toProblem } from '../../api/http/problem.ts'
import type { ApiEnv } from '../../api/http/request-context.ts'
import { checkCrawlRequest, requirePlan } from '../../api/requests/crawl-request.ts'
import { findProgress } from '../../api/requests/find-crawl.ts'
import { type AppError, ERRORS } from '../../lib/errors.ts'
import type { Frontier } from '../../ports/frontier.ts'
import { type CompatRoute, defineRoute, mountCompatRoutes } from '../mount-compat-routes.ts'
import { cancelRun, maintainRun } from './control-run.ts'
import { clampedNumber, runParams } from './query-params.ts'
import { mergeRunConfig, type RunDefaults, RunSettings, toNativeSettings } from './run-config.ts'
import { newRunJson, runJson, runListJson, summaryJson } from './run-json.ts'
import { RunTotalsReader } from './run-totals.ts'
import { runUrlRoutes } from './url-routes.ts'

export interface CrawlRunDependencies extends ApiDependencies {
  frontier: Frontier
}

const READ_RUN = { scope: 'read', params: runParams } as const
const LIST = { scope: 'read', query: z.object({ limit: clampedNumber(20, 1, 100) }) } as const
const CREATE = {
  scope: 'crawl',
  // Settings may also stand beside the url.
  body: RunSettings.extend({ seedUrl: z.string().trim().min(1).max(2048), settings: RunSettings.optional() }),
  status: 201,
} as const

export function mountCrawlRuns(app: Hono<ApiEnv>, parts: CrawlRunDependencies, defaults: RunDefaults): void {
  const runTotalsReader = new RunTotalsReader(parts)
  const routes = [...runRoutes(parts, defaults, runTotalsReader), ...runUrlRoutes(parts, runTotalsReader)]
  mountCompatRoutes(app, parts.guard, { routes, tellError: runErrorResponse })
}

function runRoutes(
  parts: CrawlRunDependencies,
  defaults: RunDefaults,
  runTotalsReader: RunTotalsReader,
): CompatRoute[] {
  const { crawls, config, access } = parts
  return [
    defineRoute('GET /health', { scope: 'read', isOpen: true }, async () => {
      // A question that the store answers at once.
      await access.tokens.list()
      return { status: 'ok' }
    }),
    defineRoute('POST /crawl-runs', CREATE, async ({ body }, { scope }) => {
      const { seedUrl, settings, ...beside } = body
      const merged = mergeRunConfig(settings ?? beside, defaults)
      const plan = requirePlan(
        checkCrawlRequest({ url: seedUrl, settings: toNativeSettings(merged, defaults) }, config, scope),
      )
      return newRunJson(await crawls.create(plan), seedUrl)
    }),
    defineRoute('GET /crawl-runs', LIST, async ({ query }) => {
      const newest = await crawls.list({ limit: query.limit })
      const told = newest.map(async (progress) => runListJson(progress.crawl, await runTotalsReader.read(progress)))
      return { runs: await Promise.all(told) }
    }),
    defineRoute('GET /crawl-runs/:id', READ_RUN, async ({ params }) => {
      await maintainRun(await findProgress(crawls, params.id), parts)
      const progress = await findProgress(crawls, params.id)
      return runJson(progress.crawl, await runTotalsReader.read(progress))
    }),
    defineRoute('GET /crawl-runs/:id/summary', READ_RUN, async ({ params }) => {
      const progress = await findProgress(crawls, params.id)
      return summaryJson(progress.crawl, await runTotalsReader.read(progress))
    }),
    defineRoute('POST /crawl-runs/:id/cancel', { scope: 'crawl', params: runParams }, async ({ params }) => {
      return cancelRun(await findProgress(crawls, params.id), parts)
    }),
  ]
}

/** Its clients read `error`, and know bad input by 400. The rest is as everywhere. */
function runErrorResponse(error: AppError, requestId: string): Response {
  const problem = toProblem(error, requestId)
  const status = problem.status === ERRORS.BAD_SEED.http ? ERRORS.BAD_REQUEST.http : problem.status
  return new Response(JSON.stringify({ ...problem, status, error: problem.detail }), {
    status,
    headers: { 'content-type': PROBLEM_TYPE, 'cache-control': 'no-store' },
  })
}
