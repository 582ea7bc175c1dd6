// A commit can report a host twice: under its active lease, and under one that has expired or is released in the same
// commit.

import type { HostReport } from '../ports/frontier.ts'

/** Keeps one report per host: the one with the latest `nextAt`, and of equal ones the last in the list. */
export function latestHostReports(reports: HostReport[]): HostReport[] {
  const latest = new Map<number, HostReport>()
  for (const report of reports) {
    const known = latest.get(report.hostId)
    if (known === undefined || report.nextAt >= known.nextAt) latest.set(report.hostId, report)
  }
  return [...latest.values()]
}
