// Paths beside the routes of the contract: health, metrics, and the API described.

import type { Hono } from 'hono'
import { type Metric, renderMetrics } from '../lib/metrics.ts'
import { jsonResponse } from './answers/answer.ts'
import { DOCS_POLICY, DOCS_STYLE, docsPage } from './docs.ts'
import { type ApiEnv, needs } from './env.ts'
import type { Guard } from './guard/guard.ts'
import { openApiDocument } from './openapi.ts'
import { type ReadyParts, readiness } from './ready.ts'

export interface SystemPathParts {
  version: string
  guard: Guard
  ready: ReadyParts
  metrics(): Promise<Metric[]>
}

const PROMETHEUS = 'text/plain; version=0.0.4; charset=utf-8'
const OPEN = { scope: 'read', isOpen: true } as const
const CLOSED = { scope: 'read', isOpen: false } as const

export function mountSystemPaths(app: Hono<ApiEnv>, parts: SystemPathParts): void {
  const { version, guard } = parts
  // They say the same for as long as the process lives, and take some 30 ms to make.
  const document = madeOnce(() => openApiDocument(version))
  const docs = madeOnce(() => docsPage(version))
  const asked = { method: 'GET', ifNoneMatch: null }
  app.get('/healthz', (c) => c.text('ok\n'))
  // Anybody may ask, and as often: the store hears of one at a time.
  const ready = whileUnderWay(() => readiness(parts.ready))
  app.get('/readyz', async () => {
    const state = await ready()
    return jsonResponse(state, state.ready ? 200 : 503, asked)
  })
  app.get('/metrics', needs(guard, CLOSED, 'GET /metrics'), async (c) => {
    return c.body(renderMetrics(await parts.metrics()), 200, { 'content-type': PROMETHEUS })
  })
  app.get('/api/v1/openapi.json', needs(guard, OPEN), (c) =>
    jsonResponse(document(), 200, { ...asked, ifNoneMatch: c.req.header('if-none-match') ?? null }),
  )
  app.get('/api/docs', needs(guard, OPEN), (c) => {
    return c.html(docs(), 200, { 'content-security-policy': DOCS_POLICY })
  })
  app.get('/api/docs.css', (c) => c.body(DOCS_STYLE, 200, { 'content-type': 'text/css; charset=utf-8' }))
}

function whileUnderWay<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null
  return () => {
    asked ??= ask().finally(() => {
      asked = null
    })
    return asked
  }
}

function madeOnce<T>(make: () => T): () => T {
  let made: T | null = null
  return () => (made ??= make())
}
