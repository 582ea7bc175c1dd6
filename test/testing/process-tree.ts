// A process and its descendants, read from /proc.

import { readdirSync, readFileSync } from 'node:fs'

/** Lists a process and its descendants; without /proc, only the process itself. */
export function listProcessTree(root: number | undefined): number[] {
  if (root === undefined) return []
  const pids = [root]
  for (const pid of pids) {
    for (const thread of listThreads(pid)) {
      const children = readProc(`${pid}/task/${thread}/children`)
      if (children !== null) pids.push(...children.split(' ').filter(Boolean).map(Number))
    }
  }
  return pids
}

/** Lists threads, since any of them may start a process. */
function listThreads(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

export function readProc(path: string): string | null {
  try {
    return readFileSync(`/proc/${path}`, 'latin1')
  } catch {
    return null
  }
}
