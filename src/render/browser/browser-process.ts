// A browser process with a profile of its own. It is the leader of a process group, so that all its processes can be
// killed at once; the profile is removed when it has exited. If our own process dies, the pipes close and the browser
// exits by itself.

import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { Readable, Writable } from 'node:stream'
import { AppError } from '../../lib/errors.ts'
import { CdpConnection } from '../cdp/connection.ts'
import type { BrowserLocation } from '../find-browser.ts'
import { browserFlags } from './browser-flags.ts'
import type { Containment } from './containment.ts'
import { createProfile } from './profile-folders.ts'

/** The largest message is a serialised DOM or a screenshot. */
const MAX_MESSAGE_BYTES = 64 << 20
const START_MS = 30_000
const OUTPUT_CHARS = 2000

export interface BrowserProcess {
  connection: CdpConnection
  pid: number
  /** For example HeadlessChrome/147.0.7727.0. */
  product: string
  exited: Promise<void>
  /** Kills all its processes and waits until the profile is removed. */
  kill(): Promise<void>
}

/** Throws BROWSER_FAILED if the browser does not answer. The signal kills it, also while it is starting. */
export async function startBrowser(
  location: BrowserLocation,
  containment: Containment,
  signal: AbortSignal | null = null,
): Promise<BrowserProcess> {
  const profile = createProfile(tmpdir())
  const flags = browserFlags({ profile, isSandboxed: containment.isSandboxed })
  const [command = '', ...args] = [...(containment.withoutNetwork ?? []), location.path, ...flags]
  const child = spawn(command, args, {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    env: browserEnvironment(profile, location.env),
  })
  const output = collectOutput(child)
  const { promise: exited, resolve: onExited } = Promise.withResolvers<void>()
  const end = () => {
    // Processes of the group may outlive their leader.
    killGroup(child)
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    onExited()
  }
  child.once('exit', end)
  child.once('error', end)
  const killOnExit = () => killGroup(child)
  process.once('exit', killOnExit)
  void exited.then(() => process.off('exit', killOnExit))
  const kill = () => {
    killGroup(child)
    return exited
  }

  signal?.addEventListener('abort', kill)
  void exited.then(() => signal?.removeEventListener('abort', kill))
  const connection = openConnection(child)
  const timer = setTimeout(() => killGroup(child), START_MS)
  void exited.then(() => connection.close())
  try {
    const { product } = await connection.browser.send('Browser.getVersion')
    return { connection, pid: child.pid ?? 0, product, exited, kill }
  } catch (cause) {
    await kill()
    throw new AppError('BROWSER_FAILED', `${location.path} did not start: ${output().trim() || 'no output'}`, { cause })
  } finally {
    clearTimeout(timer)
  }
}

function openConnection(child: ChildProcess): CdpConnection {
  const [, , , toBrowser, fromBrowser] = child.stdio
  if (!(toBrowser instanceof Writable && fromBrowser instanceof Readable))
    throw new TypeError('the browser has no pipes')
  return new CdpConnection(fromBrowser, toBrowser, MAX_MESSAGE_BYTES)
}

/** Only variables that programs need: our environment may contain secrets. */
function browserEnvironment(profile: string, extra: Record<string, string>): Record<string, string> {
  const { PATH = '', LANG = 'C.UTF-8', LD_LIBRARY_PATH } = process.env
  const libraries = LD_LIBRARY_PATH === undefined ? {} : { LD_LIBRARY_PATH }
  return { PATH, LANG, ...libraries, HOME: profile, TMPDIR: profile, DBUS_SESSION_BUS_ADDRESS: 'disabled:', ...extra }
}

function collectOutput(child: ChildProcess): () => string {
  let text = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString('utf8')).slice(-OUTPUT_CHARS)
  })
  child.once('error', (error) => {
    text += error.message
  })
  return () => text
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is gone.
  }
}
