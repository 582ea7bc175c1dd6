// Paths beside the routes of the contract: health, metrics, and the API described.

import type { Hono } from 'hono'
import { type Metric, renderMetrics } from '../../lib/metrics.ts'
import type { RequestGuard } from '../auth/request-guard.ts'
import { type ApiEnv, requireAccess } from '../http/request-context.ts'
import { jsonResponse } from '../http/responses.ts'
import { DOCS_CSP, DOCS_STYLE, docsPage } from './docs-page.ts'
import { openApiDocument } from './openapi.ts'
import { checkReadiness, type ReadinessDependencies } from './readiness.ts'

export interface SystemPathDependencies {
  version: string
  guard: RequestGuard
  readiness: ReadinessDependencies
  metrics(): Promise<Metric[]>
}

const PROMETHEUS = 'text/plain; version=0.0.4; charset=utf-8'
const PUBLIC_ACCESS = { scope: 'read', isOpen: true } as const
const READ_ACCESS = { scope: 'read', isOpen: false } as const

export function mountSystemPaths(app: Hono<ApiEnv>, parts: SystemPathDependencies): void {
  const { version, guard } = parts
  // They say the same for as long as the process lives, and take some 30 ms to make.
  const document = lazy(() => openApiDocument(version))
  const docs = lazy(() => docsPage(version))
  const asked = { method: 'GET', ifNoneMatch: null }
  app.get('/healthz', (c) => c.text('ok\n'))
  // Anybody may ask, and as often: the store hears of one at a time.
  const ready = shareConcurrentCalls(() => checkReadiness(parts.readiness))
  app.get('/readyz', async () => {
    const state = await ready()
    return jsonResponse(state, state.ready ? 200 : 503, asked)
  })
  app.get('/metrics', requireAccess(guard, READ_ACCESS, 'GET /metrics'), async (c) => {
    return c.body(renderMetrics(await parts.metrics()), 200, { 'content-type': PROMETHEUS })
  })
  app.get('/api/v1/openapi.json', requireAccess(guard, PUBLIC_ACCESS), (c) =>
    jsonResponse(document(), 200, { ...asked, ifNoneMatch: c.req.header('if-none-match') ?? null }),
  )
  app.get('/api/docs', requireAccess(guard, PUBLIC_ACCESS), (c) => {
    return c.html(docs(), 200, { 'content-security-policy': DOCS_CSP })
  })
  app.get('/api/docs.css', (c) => c.body(DOCS_STYLE, 200, { 'content-type': 'text/css; charset=utf-8' }))
}

function shareConcurrentCalls<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null
  return () => {
    asked ??= ask().finally(() => {
      asked = null
    })
    return asked
  }
}

function lazy<T>(make: () => T): () => T {
  let made: T | null = null
  return () => (made ??= make())
}
