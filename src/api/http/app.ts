// The Hono app: the middleware of every request, and the only place where errors become responses.

import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import type { Clock } from '../../lib/clock.ts'
import { asAppError, bugStack, ERRORS } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { RequestGuard } from '../auth/request-guard.ts'
import { addSecurityHeaders } from '../auth/security-headers.ts'
import type { RequestMetrics } from '../system/request-metrics.ts'
import { compressJson } from './compression.ts'
import { throwRouteNotFound } from './mount-routes.ts'
import { problemResponse } from './problem.ts'
import { type ApiContext, type ApiEnv, validRequestId } from './request-context.ts'
import type { ResponseCache } from './response-cache.ts'

/** Types worth compressing. Event streams are excluded, because compression would delay events. */
const COMPRESSED_TYPES = /^(?:application\/(?:json|problem\+json|x-ndjson|xml)|text\/(?!event-stream))/

export interface AppDependencies {
  clock: Clock
  log: Log
  requestMetrics: RequestMetrics
  responseCache: ResponseCache
  guard: Pick<RequestGuard, 'clientIdentityOf'>
}

export function createApp({ clock, log, requestMetrics, responseCache, guard }: AppDependencies): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>({ strict: true })
  app.use(async (c, next) => {
    const requestId = validRequestId(c.req.header('x-request-id')) ?? randomUUID()
    c.set('requestId', requestId)
    const startedAt = clock.now()
    await next()
    // A client that has the response to a change must read the changed state.
    if (!isReadMethod(c.req.method)) responseCache.invalidate()
    addSecurityHeaders(c.res.headers, c.get('isReplay') === true)
    c.res.headers.set('x-request-id', requestId)
    const ms = clock.now() - startedAt
    requestMetrics.add({ route: routePatternOf(c), status: c.res.status, ms })
    logRequest(c, { log, guard }, ms)
  })
  app.use(compress({ contentTypeFilter: COMPRESSED_TYPES }))
  app.use(compressJson)
  app.onError((thrown, c) => {
    const requestId = c.get('requestId')
    const { code, message } = asAppError(thrown)
    if (ERRORS[code].http >= 500)
      log.error('request failed', { request_id: requestId, code, message, stack: bugStack(thrown) })
    return problemResponse(thrown, requestId)
  })
  app.notFound((c) => throwRouteNotFound(c))
  return app
}

function isReadMethod(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

/** The path pattern, without ids. */
function routePatternOf(c: ApiContext): string {
  return c.get('route') ?? 'other'
}

const REJECTED_STATUSES = [401, 403, 421, 429]

/** Successful reads are logged at debug level only; changes and rejected requests are the audit trail. */
function logRequest(c: ApiContext, { log, guard }: Pick<AppDependencies, 'log' | 'guard'>, ms: number): void {
  const { method } = c.req
  const { status } = c.res
  const clientIdentity = guard.clientIdentityOf(c.env.incoming)
  const isAudited = !isReadMethod(method) || REJECTED_STATUSES.includes(status)
  const logWrite = status >= 500 ? log.error : isAudited ? log.audit : status < 400 ? log.debug : log
  logWrite('request', {
    method,
    path: routePatternOf(c).replace(`${method} `, ''),
    status,
    ms,
    request_id: c.get('requestId'),
    token_id: c.get('caller')?.tokenId ?? clientIdentity.tokenId,
    client: clientIdentity.address,
  })
}
