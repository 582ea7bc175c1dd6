// The service "api" of compose.yaml as a process of this machine, on a database of its own.

import { rmSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { makeTestDatabase } from '../../src/store/postgres/test-database.ts'
import { openProxy, type TcpProxy } from '../chaos/proxy.ts'
import { hearing, type WorkerProgram, writes } from '../e2e/cluster.ts'
import { type Ended, run, start, temporaryFolder } from '../e2e/program.ts'
import { listAt, readYaml } from './files.ts'

export interface Service {
  /** Between it and the database. */
  proxy: TcpProxy
  /** Runs the service, with these flags over its own. */
  start(flags: string[]): WorkerProgram
  /** Runs a single command, as the service "cli" does. */
  cli(args: string[]): Promise<Ended>
}

export async function openService(t: TestContext): Promise<Service> {
  const database = await makeTestDatabase()
  const { hostname, port } = new URL(database.url)
  const proxy = await openProxy({ host: hostname, port: Number(port) })
  const data = temporaryFolder(t)
  const programs: WorkerProgram[] = []
  t.after(async () => {
    for (const { child } of programs) child.kill('SIGKILL')
    for (const { ended } of programs) await ended
    await proxy.close()
    await database.drop()
    rmSync(data, { recursive: true, force: true })
  })
  const store = database.url.replace(`:${port}/`, `:${proxy.port}/`)
  const command = listAt(readYaml('compose.yaml'), 'services.api.command').map(String)
  return {
    proxy,
    start(flags) {
      const here = ['--store', store, '--data', data, '--port', '0', '--health-port', '0']
      const program = hearing(start([...command, ...here, ...flags]))
      programs.push(program)
      return program
    },
    cli: (args) => run([...args, '--store', store]),
  }
}

/** Where the API and the health port of a service are, once both are open. */
export async function placesOf(program: WorkerProgram): Promise<{ api: string; health: string }> {
  const health = await writes(program, /health port open .*port=(\d+)/)
  const api = await writes(program, /api open .*address=(\S+)/)
  return { api, health: `http://127.0.0.1:${health}` }
}
