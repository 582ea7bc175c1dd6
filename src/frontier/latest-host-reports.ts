// A commit can report a host twice: under its active lease, and under a lease that has expired or is released in the
// same commit.

import type { HostReport } from '../ports/frontier.ts'

/** Keeps one report per host: the report with the latest `nextAt`; among equals, the last in the list. */
export function latestHostReports(reports: HostReport[]): HostReport[] {
  const latest = new Map<number, HostReport>()
  for (const report of reports) {
    const known = latest.get(report.hostId)
    if (known === undefined || report.nextAt >= known.nextAt) latest.set(report.hostId, report)
  }
  return [...latest.values()]
}
