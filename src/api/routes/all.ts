// The handlers of all routes.

import type { ApiParts, Handlers, Some } from '../handlers.ts'
import { accessHandlers } from './access.ts'
import { compareHandlers } from './compare.ts'
import { crawlHandlers } from './crawls.ts'
import { exportHandlers } from './export.ts'
import { historyHandlers } from './history.ts'
import { hostHandlers } from './hosts.ts'
import { insightHandlers } from './insight.ts'
import { pageHandlers } from './pages.ts'
import { searchHandlers } from './search.ts'
import { steerHandlers } from './steer.ts'
import { systemHandlers } from './system.ts'
import { urlHandlers } from './urls.ts'

type Live = Some<'streamEvents'>

export function makeHandlers(parts: ApiParts, live: Live): Handlers {
  return {
    ...crawlHandlers(parts),
    ...steerHandlers(parts),
    ...compareHandlers(parts),
    ...urlHandlers(parts),
    ...exportHandlers(parts),
    ...insightHandlers(parts),
    ...historyHandlers(parts),
    ...hostHandlers(parts),
    ...pageHandlers(parts),
    ...systemHandlers(parts),
    ...accessHandlers(parts),
    ...searchHandlers(parts),
    ...live,
  }
}
