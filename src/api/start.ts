// The API put together: app, routes, live sockets, and the port.

import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import type { SharedAnswers } from './answers/shared.ts'
import { createApp } from './app.ts'
import type { ApiEnv } from './env.ts'
import type { RequestFigures } from './figures.ts'
import type { ApiParts, Handlers } from './handlers.ts'
import { mountRoutes } from './mount.ts'
import { quickReads } from './quick.ts'
import { Idempotency } from './requests/idempotency.ts'
import { type ApiServer, listen } from './server.ts'
import { mountSystemPaths, type SystemPathParts } from './system-paths.ts'
import { mountWebApp } from './web.ts'

export interface ApiSettings {
  host: string
  port: number
  /** Where the built web app is. */
  webFolder: string
  /** Answers are checked against their schemas: for tests and development. */
  checksAnswers: boolean
}

export interface StartParts extends Pick<SystemPathParts, 'ready' | 'metrics'> {
  parts: ApiParts
  handlers: Handlers
  figures: RequestFigures
  shared: SharedAnswers
  /** More paths on the same app, before the web app takes the rest. */
  mountMore: ((app: Hono<ApiEnv>, parts: ApiParts) => void)[]
}

export function startApi(
  settings: ApiSettings,
  { parts, handlers, figures, shared, mountMore, ...more }: StartParts,
): Promise<ApiServer> {
  const { guard, clock, log, version, access } = parts
  const app = createApp({ clock, log, figures, shared, guard })
  const idempotency = new Idempotency(access.known, clock)
  mountSystemPaths(app, { version, guard, ...more })
  mountRoutes(app, {
    guard,
    handlers,
    idempotency,
    clock,
    shared,
    config: parts.config,
    checksAnswers: settings.checksAnswers,
  })
  for (const mount of mountMore) mount(app, parts)
  mountWebApp(app, { folder: settings.webFolder, guard })
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  return listen(quickReads({ shared, guard, figures, clock, log }, listener), settings)
}
