// A Postgres server for one benchmark, with fsync on, and its CPU time.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { readTreeCpuMs } from '../../test/testing/cpu-time.ts'

const script = fileURLToPath(new URL('../../src/store/testing/test-server.ts', import.meta.url))

export interface BenchPostgres {
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  /** CPU time of all its processes so far; null without /proc. */
  cpuMs(): number | null
  stop(): Promise<void>
}

export async function startBenchPostgres(): Promise<BenchPostgres> {
  const child = spawn(process.execPath, [script, '--durable'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const [line] = await once(createInterface(child.stdout), 'line')
  const server = String(line)
  if (!server.startsWith('postgres://')) throw new Error(`Postgres could not be started: ${server}`)
  let url = server
  let databases = 0
  return {
    async createDatabase() {
      databases += 1
      const name = `bench${databases}`
      await queryDatabase(server, `create database ${name}`)
      url = Object.assign(new URL(server), { pathname: name }).href
      return url
    },
    query: (text, values) => queryDatabase(url, text, values),
    cpuMs: () => readTreeCpuMs(child.pid),
    async stop() {
      child.stdin.end()
      await exited
    },
  }
}

async function queryDatabase(url: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows
  } finally {
    await client.end()
  }
}
