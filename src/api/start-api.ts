// Assembles the API: app, routes, web app and HTTP server.

import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import type { ApiDependencies, Handlers } from './handlers.ts'
import { createApp } from './http/app.ts'
import { serveCachedReads } from './http/cached-reads.ts'
import { mountRoutes } from './http/mount-routes.ts'
import type { ApiEnv } from './http/request-context.ts'
import type { ResponseCache } from './http/response-cache.ts'
import { type ApiServer, startHttpServer } from './http/server.ts'
import { mountWebApp } from './http/web-app.ts'
import { mountReplay } from './replay/mount-replay.ts'
import { IdempotentRequests } from './requests/idempotency.ts'
import { mountSearchPage } from './search-page/mount-search-page.ts'
import type { PublicCrawls } from './search-page/public-crawls.ts'
import type { RequestMetrics } from './system/request-metrics.ts'
import { mountSystemPaths, type SystemPathDependencies } from './system/system-paths.ts'

export interface ApiSettings {
  host: string
  port: number
  /** The folder of the built web app. */
  webFolder: string
  /** Validates responses against their schemas, for tests and development. */
  checksResponses: boolean
}

export interface StartApiDependencies extends Pick<SystemPathDependencies, 'readiness' | 'metrics'> {
  dependencies: ApiDependencies
  handlers: Handlers
  /** Null if there is no search page for readers. */
  publicCrawls: PublicCrawls | null
  requestMetrics: RequestMetrics
  responseCache: ResponseCache
  /** Further routes, mounted before the web app, which takes all other paths. */
  extraMounts: ((app: Hono<ApiEnv>, dependencies: ApiDependencies) => void)[]
}

export function startApi(
  settings: ApiSettings,
  { dependencies, handlers, publicCrawls, requestMetrics, responseCache, extraMounts, ...more }: StartApiDependencies,
): Promise<ApiServer> {
  const { guard, clock, log, version, access } = dependencies
  const app = createApp({ clock, log, requestMetrics, responseCache, guard })
  const idempotentRequests = new IdempotentRequests(access.idempotencyKeys, clock)
  mountSystemPaths(app, { version, guard, ...more })
  mountRoutes(app, {
    guard,
    handlers,
    idempotency: idempotentRequests,
    clock,
    responseCache,
    config: dependencies.config,
    checksResponses: settings.checksResponses,
  })
  for (const mount of extraMounts) mount(app, dependencies)
  mountReplay(app, dependencies)
  if (publicCrawls !== null) mountSearchPage(app, dependencies, publicCrawls)
  mountWebApp(app, { folder: settings.webFolder, guard })
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  return startHttpServer(serveCachedReads({ responseCache, guard, requestMetrics, clock, log }, listener), settings)
}
