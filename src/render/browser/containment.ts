// Detects what the system provides to contain a browser: an empty network namespace, and the browser's own sandbox.

import { spawnSync } from 'node:child_process'
import { userInfo } from 'node:os'

export interface Containment {
  /** Runs a program without network, or null if the system does not allow it: arguments before the program. */
  withoutNetwork: string[] | null
  isSandboxed: boolean
}

/** Commands in order of preference. The second keeps the user's id, as the browser's sandbox requires. */
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

/** Used by `orbweaver doctor`: one sentence per layer, and what to do about a missing one. */
export function describeContainment({ withoutNetwork, isSandboxed }: Containment): { isUp: boolean; text: string }[] {
  const network = 'The browser runs in an empty network namespace.'
  const noNetwork =
    'The browser has no network namespace of its own: interception, a dead proxy and disabled name resolution keep it off the network. Allow user namespaces to add one.'
  const sandbox = "The browser's own sandbox is on."
  const noSandbox =
    "The browser's own sandbox is off: run Orbweaver as a user other than root, and allow user namespaces."
  return [
    { isUp: withoutNetwork !== null, text: withoutNetwork === null ? noNetwork : network },
    { isUp: isSandboxed, text: isSandboxed ? sandbox : noSandbox },
  ]
}
