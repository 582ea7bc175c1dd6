// What a handler is, and what handlers are made from.

import type { Config } from '../config/schema.ts'
import type { ReadingParts } from '../engine/pages/read.ts'
import type { Clock } from '../lib/clock.ts'
import type { Access } from '../ports/access.ts'
import type { Browse } from '../ports/browse.ts'
import type { Crawls } from '../ports/crawls.ts'
import type { Manners } from '../ports/manners.ts'
import type { RobotsCopies } from '../ports/robots.ts'
import type { Steering } from '../ports/steering.ts'
import type { Urls } from '../ports/urls.ts'
import type { Workers } from '../ports/workers.ts'
import type { RouteName } from './contract/paths.ts'
import type { Scope } from './contract/route.ts'
import type { RouteAnswer, RouteInput } from './contract/routes.ts'

/** Who calls, and under which conditions. */
export interface Caller {
  scope: Scope
  /** For the log; null when no token is needed. */
  tokenId: string | null
  /** Ends when the caller has gone. */
  signal: AbortSignal
  requestId: string
}

export type Handler<N extends RouteName> = (input: RouteInput<N>, caller: Caller) => Promise<RouteAnswer<N>>
export type Handlers = { [N in RouteName]: Handler<N> }
/** The handlers of one file of routes/. */
export type Some<N extends RouteName> = { [K in N]: Handler<K> }

export interface ApiParts {
  version: string
  config: Config
  clock: Clock
  crawls: Crawls
  steering: Steering
  workers: Workers
  browse: Browse
  urls: Urls
  manners: Manners
  robots: RobotsCopies
  reading: ReadingParts
  access: Access
}
