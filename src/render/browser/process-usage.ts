// Memory and CPU of processes, and the tree below a process, read from /proc. Linux only; elsewhere there is nothing to
// read, and limits of memory and CPU are not enforced.

import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessUsage {
  /** Unshared memory: anonymous and shared memory, without mapped files, which all processes of a browser share. */
  ownBytes: number
  residentBytes: number
}

const KILOBYTE = 1024
/** USER_HZ is 100 on every Linux that Node supports. */
const MS_PER_TICK = 10

/** Null if the process is gone, or the system has no /proc. */
export function readUsage(pid: number): ProcessUsage | null {
  const status = read(`/proc/${pid}/status`)
  if (status === null) return null
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) * KILOBYTE
  return { ownBytes: field('RssAnon') + field('RssShmem'), residentBytes: field('VmRSS') }
}

/** User and system time, or null. */
export function readCpuMs(pid: number): number | null {
  const stat = read(`/proc/${pid}/stat`)
  if (stat === null) return null
  // The name in parentheses may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
}

/** All descendants of this process. */
export function descendants(pid: number): number[] {
  const children = childrenOf(pid)
  return [...children, ...children.flatMap(descendants)]
}

export function renderersOf(browserPid: number): number[] {
  return descendants(browserPid).filter((pid) => read(`/proc/${pid}/cmdline`)?.includes('--type=renderer') === true)
}

function childrenOf(pid: number): number[] {
  return list(`/proc/${pid}/task`).flatMap((thread) =>
    (read(`/proc/${pid}/task/${thread}/children`) ?? '').split(' ').filter(Boolean).map(Number),
  )
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
