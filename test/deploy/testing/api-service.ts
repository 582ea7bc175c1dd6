// The service "api" of compose.yaml as a local process, with a separate database.

import { rmSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { makeTestDatabase } from '../../../src/store/testing/test-database.ts'
import {
  makeTemporaryFolder,
  type Program,
  type ProgramResult,
  runProgram,
  startProgram,
  waitForOutput,
} from '../../testing/program.ts'
import { openTcpProxy, type TcpProxy } from '../../testing/tcp-proxy.ts'
import { listAt, readYaml } from './deploy-files.ts'

export interface ApiService {
  /** Proxy between the service and the database. */
  proxy: TcpProxy
  /** Runs the service with additional flags. */
  start(flags: string[]): Program
  /** Runs a single command, as the service "cli" does. */
  cli(args: string[]): Promise<ProgramResult>
}

export async function openApiService(t: TestContext): Promise<ApiService> {
  const database = await makeTestDatabase()
  const { hostname, port } = new URL(database.url)
  const proxy = await openTcpProxy({ host: hostname, port: Number(port) })
  const data = makeTemporaryFolder(t)
  const programs: Program[] = []
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
      const program = startProgram([...command, ...here, ...flags])
      programs.push(program)
      return program
    },
    cli: (args) => runProgram([...args, '--store', store]),
  }
}

/** The addresses of the API and the health port, once both are open. */
export async function readServiceAddresses(program: Program): Promise<{ api: string; health: string }> {
  const health = await waitForOutput(program, /health port open .*port=(\d+)/)
  const api = await waitForOutput(program, /API listening .*address=(\S+)/)
  return { api, health: `http://127.0.0.1:${health}` }
}
