// Profiles of browsers in the folder for temporary files. The name has the id of the process that made it, so that a
// later process can remove what a killed one left behind.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const PREFIX = 'orbweaver-browser-'

export function createProfile(folder: string): string {
  removeStaleProfiles(folder)
  return mkdtempSync(join(folder, `${PREFIX}${process.pid}-`))
}

function removeStaleProfiles(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1] ?? 0)
    if (pid !== 0 && !isRunning(pid)) rmSync(join(folder, name), { recursive: true, force: true })
  }
}

/** True too if the process belongs to another user. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
