// All routes, by name.

import { auditRoutes } from './audits.ts'
import { changeRoutes } from './changes.ts'
import { crawlRoutes } from './crawls.ts'
import { historyRoutes } from './history.ts'
import { insightRoutes } from './insight.ts'
import { monitorRoutes } from './monitors.ts'
import { pageRoutes } from './pages.ts'
import type { RouteName } from './paths.ts'
import { policyRoutes } from './policies.ts'
import type { InputOf, RequestOf, ResponseOf, Route } from './route.ts'
import { searchRoutes } from './search.ts'
import { systemRoutes } from './system.ts'
import { urlRoutes } from './urls.ts'

export const ROUTES = {
  ...crawlRoutes,
  ...urlRoutes,
  ...insightRoutes,
  ...historyRoutes,
  ...pageRoutes,
  ...monitorRoutes,
  ...auditRoutes,
  ...changeRoutes,
  ...searchRoutes,
  ...systemRoutes,
  ...policyRoutes,
} as const satisfies Record<RouteName, Route>

export type RouteInput<N extends RouteName> = InputOf<(typeof ROUTES)[N]>
export type RouteRequest<N extends RouteName> = RequestOf<(typeof ROUTES)[N]>
export type RouteResponse<N extends RouteName> = ResponseOf<(typeof ROUTES)[N]>
