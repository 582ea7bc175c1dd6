// Starts bench-server-process.ts and reads its request counts.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type BenchSite, seedsOf } from '../../test/sites/bench-site.ts'
import { readPort } from '../../test/testing/read-port.ts'
import type { ServerOptions } from './bench-server-process.ts'

const script = fileURLToPath(new URL('./bench-server-process.ts', import.meta.url))

export interface RequestCounts {
  requests: number
  distinct: number
}

export interface BenchServer {
  seeds: string[]
  count(): Promise<RequestCounts>
  reset(): Promise<void>
  stop(): Promise<void>
}

export async function startBenchServer(benchSite: BenchSite, { fresh } = { fresh: 0 }): Promise<BenchServer> {
  const options: ServerOptions = { ...benchSite, fresh }
  const child = spawn(process.execPath, [script, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'inherit'] })
  // The server exits when its stdin closes, but it does not notice while it builds its pages.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const exited = once(child, 'exit')
  const port = await Promise.race([
    readPort(child.stdout),
    exited.then(() => Promise.reject(new Error('The benchmark server did not start.'))),
  ])
  const seeds = seedsOf(benchSite, port)
  const request = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } })
    return (await response.json()) as RequestCounts
  }
  return {
    seeds,
    count: () => request('/__count'),
    async reset() {
      await request('/__reset')
    },
    async stop() {
      child.stdin.end()
      await exited
      process.off('exit', kill)
    },
  }
}
