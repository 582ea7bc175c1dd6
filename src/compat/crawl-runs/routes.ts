// The routes of the crawl-runs API: /crawl-runs and /health.

import type { Hono } from 'hono'
import { z } from 'zod'
import type { ApiDependencies } from '../../api/handlers.ts'
import { PROBLEM_TYPE, toProblem } from '../../api/http/problem.ts'
import type { ApiEnv } from '../../api/http/request-context.ts'
import { checkCrawlRequest, requireNewCrawl } from '../../api/requests/crawl-request.ts'
import { lacksScheme } from '../../engine/crawl/plan/seeds.ts'
import { AppError, ERRORS } from '../../lib/errors.ts'
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
  // Settings may also be top-level fields.
  body: RunSettings.extend({ seedUrl: z.string().trim().min(1).max(2048), settings: RunSettings.optional() }),
  status: 201,
} as const

export function mountCrawlRuns(app: Hono<ApiEnv>, dependencies: CrawlRunDependencies, defaults: RunDefaults): void {
  const runTotalsReader = new RunTotalsReader(dependencies)
  const routes = [...runRoutes(dependencies, defaults, runTotalsReader), ...runUrlRoutes(dependencies, runTotalsReader)]
  mountCompatRoutes(app, dependencies.guard, { routes, toErrorResponse: runErrorResponse })
}

function runRoutes(
  dependencies: CrawlRunDependencies,
  defaults: RunDefaults,
  runTotalsReader: RunTotalsReader,
): CompatRoute[] {
  const { crawls, config, access } = dependencies
  return [
    defineRoute('GET /health', { scope: 'read', isOpen: true }, async () => {
      // A cheap query to check the store.
      await access.tokens.list()
      return { status: 'ok' }
    }),
    defineRoute('POST /crawl-runs', CREATE, async ({ body }, { scope }) => {
      const { seedUrl, settings, ...topLevelSettings } = body
      const merged = mergeRunConfig(settings ?? topLevelSettings, defaults)
      // Unlike our own API, this API requires absolute URLs.
      if (lacksScheme(seedUrl)) throw new AppError('BAD_SEED', `"${seedUrl}" is not an http or https URL.`)
      const request = { url: seedUrl, settings: toNativeSettings(merged, defaults) }
      const newCrawl = requireNewCrawl(checkCrawlRequest(request, config, scope))
      return newRunJson(await crawls.create(newCrawl))
    }),
    defineRoute('GET /crawl-runs', LIST, async ({ query }) => {
      const newest = await crawls.list({ limit: query.limit })
      const runs = newest.map(async (progress) => runListJson(progress.crawl, await runTotalsReader.read(progress)))
      return { runs: await Promise.all(runs) }
    }),
    defineRoute('GET /crawl-runs/:id', READ_RUN, async ({ params }) => {
      await maintainRun(await crawls.progress(params.id), dependencies)
      const progress = await crawls.progress(params.id)
      return runJson(progress.crawl, await runTotalsReader.read(progress))
    }),
    defineRoute('GET /crawl-runs/:id/summary', READ_RUN, async ({ params }) => {
      const progress = await crawls.progress(params.id)
      return summaryJson(progress.crawl, await runTotalsReader.read(progress))
    }),
    defineRoute('POST /crawl-runs/:id/cancel', { scope: 'crawl', params: runParams }, async ({ params }) => {
      return cancelRun(await crawls.progress(params.id), dependencies)
    }),
  ]
}

/** Clients of this API read `error` and expect status 400 for invalid input. */
function runErrorResponse(error: AppError, requestId: string): Response {
  const problem = toProblem(error, requestId)
  const status = problem.status === ERRORS.BAD_SEED.http ? ERRORS.BAD_REQUEST.http : problem.status
  return new Response(JSON.stringify({ ...problem, status, error: problem.detail }), {
    status,
    headers: { 'content-type': PROBLEM_TYPE, 'cache-control': 'no-store' },
  })
}
