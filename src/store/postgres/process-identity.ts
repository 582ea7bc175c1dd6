// Where a process runs, so that another on the same machine can tell for certain that it is gone: its number is nobody's
// any more. Of one that runs elsewhere, or in another container, nothing is ever certain.

import { readFileSync, readlinkSync } from 'node:fs'

export interface ProcessIdentity {
  /** The machine since it was started, and whose numbers of processes these are; null: not known. */
  machine: string | null
  pid: number
}

export function ownIdentity(): ProcessIdentity {
  return { machine: machineId(), pid: process.pid }
}

export function isProcessGone({ machine, pid }: ProcessIdentity): boolean {
  return machine !== null && machine === machineId() && !isRunning(pid)
}

/** Only Linux tells; elsewhere nobody is known to be gone, and leases have to lapse. */
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
    // It may be there and belong to somebody else.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
