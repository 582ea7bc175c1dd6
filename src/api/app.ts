// The app: what every request passes through, and one place where errors become answers.

import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import type { Clock } from '../lib/clock.ts'
import { asAppError, ERRORS } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { problemResponse } from './answers/problem.ts'
import type { SharedAnswers } from './answers/shared.ts'
import { type ApiContext, type ApiEnv, saneRequestId } from './env.ts'
import type { RequestFigures } from './figures.ts'
import type { Guard } from './guard/guard.ts'
import { addSafeHeaders } from './guard/headers.ts'
import { noSuchPath } from './mount.ts'

/** Answers that a client waits for in one piece. */
const PACKED = /^(?:application\/(?:json|problem\+json|x-ndjson|xml)|text\/(?!event-stream))/

export interface AppParts {
  clock: Clock
  log: Log
  figures: RequestFigures
  shared: SharedAnswers
  guard: Pick<Guard, 'senderOf'>
}

export function createApp({ clock, log, figures, shared, guard }: AppParts): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>({ strict: true })
  app.use(async (c, next) => {
    const requestId = saneRequestId(c.req.header('x-request-id')) ?? randomUUID()
    c.set('requestId', requestId)
    const startedAt = clock.now()
    await next()
    // Whoever has an answer to a change reads what it made of things.
    if (!isRead(c.req.method)) shared.forget()
    addSafeHeaders(c.res.headers)
    c.res.headers.set('x-request-id', requestId)
    const ms = clock.now() - startedAt
    figures.add({ route: routeOf(c), status: c.res.status, ms })
    logRequest(c, { log, guard }, ms)
  })
  app.use(compress({ contentTypeFilter: PACKED }))
  app.onError((thrown, c) => {
    const requestId = c.get('requestId')
    const { code, message } = asAppError(thrown)
    if (ERRORS[code].http >= 500) {
      const stack = code === 'INTERNAL' ? (thrown.stack ?? null) : null
      log.error('request failed', { request_id: requestId, code, message, stack })
    }
    return problemResponse(thrown, requestId)
  })
  app.notFound((c) => noSuchPath(c))
  return app
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

/** Its pattern, without ids. */
function routeOf(c: ApiContext): string {
  return c.get('route') ?? 'other'
}

/** Who was turned away. */
const REFUSED = [401, 403, 421, 429]

/** Reads that went well are many and say little; changes and refusals are the audit trail. */
function logRequest(c: ApiContext, { log, guard }: Pick<AppParts, 'log' | 'guard'>, ms: number): void {
  const { method } = c.req
  const { status } = c.res
  const sender = guard.senderOf(c.env.incoming)
  const isAudited = !isRead(method) || REFUSED.includes(status)
  const write = status >= 500 ? log.error : isAudited ? log.audit : status < 400 ? log.debug : log
  write('request', {
    method,
    path: routeOf(c),
    status,
    ms,
    request_id: c.get('requestId'),
    token_id: c.get('caller')?.tokenId ?? sender.tokenId,
    client: sender.address,
  })
}
