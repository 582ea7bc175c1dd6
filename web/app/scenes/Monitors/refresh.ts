import { refetchQueries } from '../../server/api.ts'

export const REFRESH_MS = 5000

const ROUTES = new Set<unknown>(['listMonitors', 'getMonitor', 'listHits', 'getHit', 'listMonitorDocuments'])

/** Refetches everything about monitors after a change. */
export function refreshMonitors(): Promise<void> {
  return refetchQueries({ predicate: ({ queryKey }) => ROUTES.has(queryKey[0]) })
}
