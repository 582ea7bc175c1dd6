// CPU time of threads and processes. Unlike wall time, it does not depend on what else the machine is doing.

import { listProcessTree, readProc } from './process-tree.ts'

/** USER_HZ, the unit of CPU time in /proc: 100 on every Linux that Node runs on. */
const TICKS_PER_MS = 0.1

/** CPU time of the calling thread only, without garbage collection and compilation on other threads. */
export function threadCpuMs(): number {
  // Without this call the time of a running thread lags by a few milliseconds (Linux, 2026-11).
  process.cpuUsage()
  return toMs(process.threadCpuUsage())
}

/** CPU time of all threads of this process. */
export function processCpuMs(): number {
  return toMs(process.cpuUsage())
}

/** CPU time of a running process and its descendants, including those that have exited; null without /proc. */
export function readTreeCpuMs(root: number | undefined): number | null {
  let ticks = 0
  for (const pid of listProcessTree(root)) {
    const fields = readStat(String(pid))
    if (fields === null) continue
    for (const field of [11, 12, 13, 14]) ticks += Number(fields[field])
  }
  return ticks === 0 ? null : ticks / TICKS_PER_MS
}

/**
 * CPU time of a running process and its descendants in nanosecond resolution, but only of their main threads and
 * without processes that have exited; null without /proc.
 */
export function readLiveTreeCpuMs(root: number | undefined): number | null {
  const times = listProcessTree(root).map((pid) => Number(readProc(`${pid}/schedstat`)?.split(' ')[0] ?? 0))
  const total = times.reduce((sum, ns) => sum + ns, 0)
  return total === 0 ? null : total / 1e6
}

/** CPU time of all children of this process that have exited and been waited for; null without /proc. */
export function readExitedChildrenCpuMs(): number | null {
  const fields = readStat('self')
  return fields === null ? null : (Number(fields[13]) + Number(fields[14])) / TICKS_PER_MS
}

/**
 * The fields of /proc/PID/stat from the third on: utime, stime, cutime and cstime have the indexes 11 to 14. Field 2 is
 * the name in parentheses, which may contain spaces.
 */
function readStat(pid: string): string[] | null {
  const stat = readProc(`${pid}/stat`)
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function toMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000
}
