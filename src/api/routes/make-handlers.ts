// The handlers of all routes.

import type { ApiDependencies, Handlers, HandlersFor } from '../handlers.ts'
import { accessHandlers } from './access.ts'
import { compareHandlers } from './compare.ts'
import { controlHandlers } from './control.ts'
import { crawlHandlers } from './crawls.ts'
import { exportHandlers } from './export.ts'
import { historyHandlers } from './history.ts'
import { hostHandlers } from './hosts.ts'
import { insightHandlers } from './insight.ts'
import { pageHandlers } from './pages.ts'
import { searchHandlers } from './search.ts'
import { systemHandlers } from './system.ts'
import { urlHandlers } from './urls.ts'

type LiveHandlers = HandlersFor<'streamEvents'>

export function makeHandlers(parts: ApiDependencies, liveHandlers: LiveHandlers): Handlers {
  return {
    ...crawlHandlers(parts),
    ...controlHandlers(parts),
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
    ...liveHandlers,
  }
}
