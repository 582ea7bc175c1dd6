// Paths outside the contract: health, metrics and the API documentation.

import type { Hono } from 'hono'
import { lazy } from '../../lib/lazy.ts'
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

export function mountSystemPaths(app: Hono<ApiEnv>, dependencies: SystemPathDependencies): void {
  const { version, guard } = dependencies
  // Generated on demand, once: they never change and take about 30 ms.
  const document = lazy(() => openApiDocument(version))
  const docs = lazy(() => docsPage(version))
  const unconditionalGet = { method: 'GET', ifNoneMatch: null }
  app.get('/healthz', (c) => c.text('ok\n'))
  // Public, so concurrent requests share one check of the store.
  const ready = shareConcurrentCalls(() => checkReadiness(dependencies.readiness))
  app.get('/readyz', async () => {
    const state = await ready()
    return jsonResponse(state, state.ready ? 200 : 503, unconditionalGet)
  })
  app.get('/metrics', requireAccess(guard, READ_ACCESS, 'GET /metrics'), async (c) => {
    return c.body(renderMetrics(await dependencies.metrics()), 200, { 'content-type': PROMETHEUS })
  })
  app.get('/api/v1/openapi.json', requireAccess(guard, PUBLIC_ACCESS), (c) =>
    jsonResponse(document(), 200, { ...unconditionalGet, ifNoneMatch: c.req.header('if-none-match') ?? null }),
  )
  app.get('/api/docs', requireAccess(guard, PUBLIC_ACCESS), (c) => {
    return c.html(docs(), 200, { 'content-security-policy': DOCS_CSP })
  })
  app.get('/api/docs.css', (c) => c.body(DOCS_STYLE, 200, { 'content-type': 'text/css; charset=utf-8' }))
}

function shareConcurrentCalls<T>(call: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | null = null
  return () => {
    pending ??= call().finally(() => {
      pending = null
    })
    return pending
  }
}
