// Builds the handlers of all routes.

import type { ApiDependencies, Handlers, HandlersFor } from '../handlers.ts'
import { accessHandlers } from './access.ts'
import { auditHandlers } from './audits.ts'
import { changeHandlers } from './changes.ts'
import { compareHandlers } from './compare.ts'
import { controlHandlers } from './control.ts'
import { crawlHandlers } from './crawls.ts'
import { exportHandlers } from './export.ts'
import { historyHandlers } from './history.ts'
import { hitHandlers } from './hits.ts'
import { hostHandlers } from './hosts.ts'
import { insightHandlers } from './insight.ts'
import { monitorHandlers } from './monitors.ts'
import { pageHandlers } from './pages.ts'
import { policyHandlers } from './policies.ts'
import { searchHandlers } from './search.ts'
import { systemHandlers } from './system.ts'
import { urlHandlers } from './urls.ts'

type LiveHandlers = HandlersFor<'streamEvents'>

export function makeHandlers(dependencies: ApiDependencies, liveHandlers: LiveHandlers): Handlers {
  return {
    ...crawlHandlers(dependencies),
    ...controlHandlers(dependencies),
    ...compareHandlers(dependencies),
    ...urlHandlers(dependencies),
    ...exportHandlers(dependencies),
    ...insightHandlers(dependencies),
    ...historyHandlers(dependencies),
    ...hostHandlers(dependencies),
    ...pageHandlers(dependencies),
    ...monitorHandlers(dependencies),
    ...hitHandlers(dependencies),
    ...auditHandlers(dependencies),
    ...changeHandlers(dependencies),
    ...systemHandlers(dependencies),
    ...accessHandlers(dependencies),
    ...policyHandlers(dependencies),
    ...searchHandlers(dependencies),
    ...liveHandlers,
  }
}
