// A commit can report a host twice: under a lease that is held, and under one that lapsed or is handed back with it.

import type { HostReport } from '../ports/frontier.ts'

/** One report per host: the one with the later `nextAt`, and the later in the list if both name the same time. */
export function latestHostReports(reports: HostReport[]): HostReport[] {
  const latest = new Map<number, HostReport>()
  for (const report of reports) {
    const known = latest.get(report.hostId)
    if (known === undefined || report.nextAt >= known.nextAt) latest.set(report.hostId, report)
  }
  return [...latest.values()]
}
