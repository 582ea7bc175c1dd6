// A process and its descendants, read from /proc.

import { readFileSync } from 'node:fs'

/** Lists a process and its descendants; without /proc, only the process itself. */
export function listProcessTree(root: number | undefined): number[] {
  if (root === undefined) return []
  const pids = [root]
  for (const pid of pids) {
    const children = readProc(`${pid}/task/${pid}/children`)
    if (children !== null) pids.push(...children.split(' ').filter(Boolean).map(Number))
  }
  return pids
}

export function readProc(path: string): string | null {
  try {
    return readFileSync(`/proc/${path}`, 'latin1')
  } catch {
    return null
  }
}
