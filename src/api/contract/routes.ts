// All routes, by name.

import { crawlRoutes } from './crawls.ts'
import { historyRoutes } from './history.ts'
import { insightRoutes } from './insight.ts'
import { pageRoutes } from './pages.ts'
import type { RouteName } from './paths.ts'
import type { Answer, Given, Input, Route } from './route.ts'
import { searchRoutes } from './search.ts'
import { systemRoutes } from './system.ts'
import { urlRoutes } from './urls.ts'

export const ROUTES = {
  ...crawlRoutes,
  ...urlRoutes,
  ...insightRoutes,
  ...historyRoutes,
  ...pageRoutes,
  ...searchRoutes,
  ...systemRoutes,
} as const satisfies Record<RouteName, Route>

export type RouteInput<N extends RouteName> = Input<(typeof ROUTES)[N]>
export type RouteGiven<N extends RouteName> = Given<(typeof ROUTES)[N]>
export type RouteAnswer<N extends RouteName> = Answer<(typeof ROUTES)[N]>
