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
import { ignoredChangeHandlers } from './ignored-changes.ts'
import { insightHandlers } from './insight.ts'
import { monitorHandlers } from './monitors.ts'
import { pageHandlers } from './pages.ts'
import { policyHandlers } from './policies.ts'
import { politenessHandlers } from './politeness.ts'
import { replayHandlers } from './replay.ts'
import { searchHandlers } from './search.ts'
import { systemHandlers } from './system.ts'
import { tokenHandlers } from './tokens.ts'
import { urlHandlers } from './urls.ts'
import { verifyHandlers } from './verify.ts'
import { workerHandlers } from './workers.ts'

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
    ...politenessHandlers(dependencies),
    ...pageHandlers(dependencies),
    ...replayHandlers(dependencies),
    ...monitorHandlers(dependencies),
    ...hitHandlers(dependencies),
    ...auditHandlers(dependencies),
    ...changeHandlers(dependencies),
    ...ignoredChangeHandlers(dependencies),
    ...systemHandlers(dependencies),
    ...workerHandlers(dependencies),
    ...verifyHandlers(dependencies),
    ...accessHandlers(dependencies),
    ...tokenHandlers(dependencies),
    ...policyHandlers(dependencies),
    ...searchHandlers(dependencies),
    ...liveHandlers,
  }
}
