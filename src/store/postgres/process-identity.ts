// Where a process runs, so that another one on the same machine can tell for certain that it is gone: its pid is
// unused. Nothing is certain about a process on another machine or in another container.

import { readFileSync, readlinkSync } from 'node:fs'

export interface ProcessIdentity {
  /** Identifies the boot of the machine and the pid namespace; null: unknown. */
  machine: string | null
  pid: number
}

export function ownIdentity(): ProcessIdentity {
  return { machine: machineId(), pid: process.pid }
}

export function isProcessGone({ machine, pid }: ProcessIdentity): boolean {
  return machine !== null && machine === machineId() && !isRunning(pid)
}

/** Only Linux provides this. Elsewhere no process is known to be gone, and leases have to expire. */
function machineId(): string | null {
  if (process.platform !== 'linux') return null
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return null
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The pid may exist and belong to another user.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
