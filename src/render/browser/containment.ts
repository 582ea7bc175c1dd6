// What the system allows to contain a browser: an empty network namespace, and the browser's own sandbox.

import { spawnSync } from 'node:child_process'
import { userInfo } from 'node:os'

export interface Containment {
  /** Runs a program without network, or null if the system does not allow it: arguments before the program. */
  withoutNetwork: string[] | null
  isSandboxed: boolean
}

/** In order of preference. The second keeps the user's id, as the browser's sandbox needs. */
const NETWORK_NAMESPACES = [
  ['unshare', '--net', '--'],
  ['unshare', '--map-current-user', '--net', '--'],
]

export function detectContainment(): Containment {
  if (process.platform !== 'linux') return { withoutNetwork: null, isSandboxed: true }
  return {
    withoutNetwork: NETWORK_NAMESPACES.find(canRun) ?? null,
    // Chromium refuses its sandbox to root, and needs user namespaces otherwise.
    isSandboxed: userInfo().uid !== 0 && canRun(['unshare', '--map-current-user', '--user', '--']),
  }
}

function canRun([command = '', ...args]: string[]): boolean {
  return spawnSync(command, [...args, 'true'], { stdio: 'ignore' }).status === 0
}
