// Starts this program again as a child that ends with its parent.

import { type StdioOptions, spawn } from 'node:child_process'
import { FLEET_SETTINGS } from '../config/command-settings.ts'
import { type Config, envOf } from '../config/schema.ts'
import type { Log } from '../lib/log.ts'
import type { LocalWorker } from '../worker/fleet/fleet.ts'

export interface ChildOptions {
  log: Log
  /** Whether its standard output goes to the standard output of this process. */
  showsOutput: boolean
}

export function startChildProcess(config: Config, args: string[], { log, showsOutput }: ChildOptions): LocalWorker {
  const all = [...process.execArgv, process.argv[1] ?? '', ...args]
  // Settings are passed in the environment: process lists show arguments, and the store's URL may contain a password.
  const settings = FLEET_SETTINGS.map((name) => [envOf(name), String(config[name] ?? '')])
  const env = { ...process.env, ...Object.fromEntries(settings.filter(([, value]) => value !== '')) }
  // Detached, because Ctrl-C signals the whole process group and only the parent may stop its children. The IPC channel
  // closes when the parent dies, so that they notice.
  const stdio: StdioOptions = ['ignore', showsOutput ? 'inherit' : 'ignore', 'inherit', 'ipc']
  const child = spawn(process.execPath, all, { env, stdio, detached: true })
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', resolve)
    child.once('error', ({ message }) => {
      log.error('worker process failed to start', { message })
      resolve(null)
    })
  })
  return { pid: child.pid ?? 0, drain: () => child.kill('SIGTERM'), ended }
}
