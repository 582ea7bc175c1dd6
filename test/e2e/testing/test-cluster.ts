// A cluster for a test: worker processes on one Postgres database.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { makeTestDatabase } from '../../../src/store/testing/test-database.ts'
import { type Program, type ProgramResult, runProgram, startProgram } from '../../testing/program.ts'
import { openTcpProxy, type TcpProxy } from '../../testing/tcp-proxy.ts'
import { waitUntil } from '../../testing/wait-until.ts'

export interface TestCluster {
  url: string
  /** Proxy between the store and workers that are started with `proxyUrl`. */
  proxy: TcpProxy
  proxyUrl: string
  /** Starts another worker, which is killed after the test. */
  startWorker(flags?: string[], storeUrl?: string, env?: NodeJS.ProcessEnv): Program
  /** Runs a command on the store and asserts that it succeeds. */
  runCommand(args: string[]): Promise<ProgramResult>
  readWorkerState(workerId: string): Promise<string | undefined>
  /** Repeats the statement until it returns a row. */
  waitForRow(statement: string): Promise<void>
}

export async function openTestCluster(t: TestContext): Promise<TestCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-cluster-'))
  const database = await makeTestDatabase()
  const { hostname, port } = new URL(database.url)
  const proxy = await openTcpProxy({ host: hostname, port: Number(port) })
  const db = new pg.Client({ connectionString: database.url })
  await db.connect()
  const workers: Program[] = []
  t.after(async () => {
    for (const { child } of workers) child.kill('SIGKILL')
    for (const { ended } of workers) await ended
    await proxy.close()
    await db.end()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })
  const runCommand = async (args: string[]) => {
    const programResult = await runProgram([...args, '--store', database.url])
    assert.equal(programResult.code, 0, `${args[0]}: ${programResult.stderr}`)
    return programResult
  }
  return {
    url: database.url,
    proxy,
    proxyUrl: database.url.replace(`:${port}/`, `:${proxy.port}/`),
    startWorker(flags = [], storeUrl = database.url, env = {}) {
      const data = join(folder, String(workers.length))
      const args = ['worker', '--store', storeUrl, '--data', data, '--health-port', '0', ...flags]
      const worker = startProgram(args, { env })
      workers.push(worker)
      return worker
    },
    runCommand,
    async readWorkerState(workerId) {
      const lines = (await runCommand(['workers', '--json'])).stdout.trim().split('\n')
      const rows = lines.map((line) => JSON.parse(line) as { id: string; state: string })
      return rows.find(({ id }) => id === workerId)?.state
    },
    waitForRow: (statement) => waitForRow(db, statement),
  }
}

/** Polls with one connection: starting a program per poll would take CPU time from the programs under test. */
export async function waitForRow(db: pg.Client, statement: string): Promise<void> {
  await waitUntil(async () => (await db.query(statement)).rows.length > 0)
}
