// The routes of runs: /crawl-runs and /health.

import type { Hono } from 'hono'
import { z } from 'zod'
import { type AppError, ERRORS } from '../../../lib/errors.ts'
import type { Frontier } from '../../../ports/frontier.ts'
import { PROBLEM_TYPE, toProblem } from '../../answers/problem.ts'
import type { ApiEnv } from '../../env.ts'
import type { ApiParts } from '../../handlers.ts'
import { findProgress } from '../../requests/find.ts'
import { checkRequest, planOf } from '../../requests/new-crawl.ts'
import { type DialectRoute, mountDialect, on } from '../mount.ts'
import { mergeConfig, type RunDefaults, RunSettings, toNative } from './config.ts'
import { listedJson, newRunJson, runJson, summaryJson } from './json.ts'
import { bounded, runParams } from './query.ts'
import { cancelRun, maintainRun } from './steer.ts'
import { Totals } from './totals.ts'
import { runUrlRoutes } from './url-routes.ts'

export interface RunParts extends ApiParts {
  frontier: Frontier
}

const READ_ONE = { scope: 'read', params: runParams } as const
const LIST = { scope: 'read', query: z.object({ limit: bounded(20, 1, 100) }) } as const
const CREATE = {
  scope: 'crawl',
  // Settings may also stand beside the url.
  body: RunSettings.extend({ seedUrl: z.string().trim().min(1).max(2048), settings: RunSettings.optional() }),
  status: 201,
} as const

export function mountRuns(app: Hono<ApiEnv>, parts: RunParts, defaults: RunDefaults): void {
  const totals = new Totals(parts)
  const routes = [...runRoutes(parts, defaults, totals), ...runUrlRoutes(parts, totals)]
  mountDialect(app, parts.guard, { routes, tellError })
}

function runRoutes(parts: RunParts, defaults: RunDefaults, totals: Totals): DialectRoute[] {
  const { crawls, config, access } = parts
  return [
    on('GET /health', { scope: 'read', isOpen: true }, async () => {
      // A question that the store answers at once.
      await access.tokens.list()
      return { status: 'ok' }
    }),
    on('POST /crawl-runs', CREATE, async ({ body }, { scope }) => {
      const { seedUrl, settings, ...beside } = body
      const merged = mergeConfig(settings ?? beside, defaults)
      const plan = planOf(checkRequest({ url: seedUrl, settings: toNative(merged, defaults) }, config, scope))
      return newRunJson(await crawls.create(plan), seedUrl)
    }),
    on('GET /crawl-runs', LIST, async ({ query }) => {
      const newest = await crawls.list({ limit: query.limit })
      const told = newest.map(async (progress) => listedJson(progress.crawl, await totals.of(progress)))
      return { runs: await Promise.all(told) }
    }),
    on('GET /crawl-runs/:id', READ_ONE, async ({ params }) => {
      await maintainRun(await findProgress(crawls, params.id), parts)
      const progress = await findProgress(crawls, params.id)
      return runJson(progress.crawl, await totals.of(progress))
    }),
    on('GET /crawl-runs/:id/summary', READ_ONE, async ({ params }) => {
      const progress = await findProgress(crawls, params.id)
      return summaryJson(progress.crawl, await totals.of(progress))
    }),
    on('POST /crawl-runs/:id/cancel', { scope: 'crawl', params: runParams }, async ({ params }) => {
      return cancelRun(await findProgress(crawls, params.id), parts)
    }),
  ]
}

/** Its clients read `error`, and know bad input by 400. The rest is as everywhere. */
function tellError(error: AppError, requestId: string): Response {
  const problem = toProblem(error, requestId)
  const status = problem.status === ERRORS.BAD_SEED.http ? ERRORS.BAD_REQUEST.http : problem.status
  return new Response(JSON.stringify({ ...problem, status, error: problem.detail }), {
    status,
    headers: { 'content-type': PROBLEM_TYPE, 'cache-control': 'no-store' },
  })
}
