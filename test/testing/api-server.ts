// Starts the real server with an API as a child process on a data directory.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { launcherPath } from './launcher.ts'

export interface ApiServer {
  child: ChildProcess
  address: string
  request(path: string, init?: RequestInit): Promise<Record<string, unknown>>
  stop(): Promise<void>
}

export async function startApiServer(data: string, roles: string, flags: string[] = []): Promise<ApiServer> {
  const ports = ['--port', '0', '--health-port', '0']
  const child = spawn(launcherPath, ['serve', '--data', data, '--roles', roles, ...ports, ...flags], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = once(child, 'exit')
  const address = await Promise.race([
    readAddress(child),
    ended.then(() => Promise.reject(new Error('The server did not start.'))),
  ])
  return {
    child,
    address,
    async request(path, init) {
      const response = await fetch(`${address}${path}`, init)
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      return (await response.json()) as Record<string, unknown>
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
      process.off('exit', kill)
    },
  }
}

async function readAddress(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('The server has no output pipe.')
  for await (const line of createInterface({ input: child.stdout })) {
    const address = / (http:\/\/\S+)/.exec(line)?.[1]
    if (address !== undefined) return address
  }
  throw new Error('The server did not print its address.')
}
