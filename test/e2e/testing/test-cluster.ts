// Workers as processes on one Postgres, for a test.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { makeTestDatabase } from '../../../src/store/testing/test-database.ts'
import { type Program, type ProgramResult, runProgram, startProgram } from '../../testing/program.ts'
import { openTcpProxy, type TcpProxy } from '../../testing/tcp-proxy.ts'

const POLL_MS = 20

export interface WorkerProgram extends Program {
  /** All it has written to standard error. */
  stderrText(): string
}

export interface TestCluster {
  url: string
  /** Of the store, through which workers go when told so. */
  proxy: TcpProxy
  proxyUrl: string
  /** A new worker; ended after the test. */
  startWorker(flags?: string[], storeUrl?: string, env?: NodeJS.ProcessEnv): WorkerProgram
  /** Runs a command on the store, which must succeed. */
  runCommand(args: string[]): Promise<ProgramResult>
  readWorkerState(workerId: string): Promise<string | undefined>
  /** Asks the database until the statement has a row. */
  waitForRow(statement: string): Promise<void>
}

export async function openTestCluster(t: TestContext): Promise<TestCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-cluster-'))
  const database = await makeTestDatabase()
  const { hostname, port } = new URL(database.url)
  const proxy = await openTcpProxy({ host: hostname, port: Number(port) })
  const db = new pg.Client({ connectionString: database.url })
  await db.connect()
  const workers: WorkerProgram[] = []
  t.after(async () => {
    for (const { child } of workers) child.kill('SIGKILL')
    for (const { ended } of workers) await ended
    await proxy.close()
    await db.end()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })
  const runHere = async (args: string[]) => {
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
      const worker = captureStderr(startProgram(args, { env }))
      workers.push(worker)
      return worker
    },
    runCommand: runHere,
    async readWorkerState(workerId) {
      const lines = (await runHere(['workers', '--json'])).stdout.trim().split('\n')
      const rows = lines.map((line) => JSON.parse(line) as { id: string; state: string })
      return rows.find(({ id }) => id === workerId)?.state
    },
    waitForRow: (statement) => waitForRow(db, statement),
  }
}

/** No program is started for a look, which would take the processor from those that are looked at. */
export async function waitForRow(db: pg.Client, statement: string): Promise<void> {
  while ((await db.query(statement)).rows.length === 0) await sleep(POLL_MS)
}

export function captureStderr(program: Program): WorkerProgram {
  let said = ''
  program.child.stderr?.on('data', (chunk) => {
    said += chunk
  })
  return { ...program, stderrText: () => said }
}

/** Resolves with what the pattern caught once the worker has written it `times` times. */
export async function waitForOutput(worker: WorkerProgram, pattern: RegExp, times = 1): Promise<string> {
  const { child, ended, stderrText } = worker
  for (;;) {
    const found = [...stderrText().matchAll(new RegExp(pattern, 'g'))][times - 1]
    if (found !== undefined) return found[1] ?? found[0]
    if (child.exitCode !== null) throw new Error(`the worker ended without a word of ${pattern}: ${stderrText()}`)
    if (child.stderr !== null) await Promise.race([once(child.stderr, 'data'), ended])
  }
}
