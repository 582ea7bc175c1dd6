// A Postgres server for one benchmark, with fsync on, and its CPU time. Its data is deleted in the end unless a folder to
// keep it in is given.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { readLiveTreeCpuMs, readTreeCpuMs } from '../../test/testing/cpu-time.ts'

const script = fileURLToPath(new URL('../../src/store/testing/test-server.ts', import.meta.url))

export interface BenchPostgres {
  /** Creates an empty database and returns its URL. One with the same name is dropped. */
  createDatabase(name?: string): Promise<string>
  /** Selects a database of an earlier run and returns its URL. */
  selectDatabase(name: string): string
  /** Runs on the database that was created or selected last. */
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  /** CPU time of all its processes so far; null without /proc. */
  cpuMs(): number | null
  /** Precise enough for one query, but without processes that have exited; null without /proc. */
  liveCpuMs(): number | null
  stop(): Promise<void>
}

export interface BenchPostgresOptions {
  keepIn?: string | null
  /** Loads pg_stat_statements; a database then creates the extension. */
  hasStatementStatistics?: boolean
}

export async function startBenchPostgres({
  keepIn = null,
  hasStatementStatistics = false,
}: BenchPostgresOptions = {}): Promise<BenchPostgres> {
  const statistics = hasStatementStatistics ? ['--preload', 'pg_stat_statements'] : []
  const flags = ['--durable', ...statistics, ...(keepIn === null ? [] : ['--keep-in', keepIn])]
  const child = spawn(process.execPath, [script, ...flags], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const [line] = await once(createInterface(child.stdout), 'line')
  const server = String(line)
  if (!server.startsWith('postgres://')) throw new Error(`Postgres could not be started: ${server}`)
  let url = server
  let databases = 0
  const selectDatabase = (name: string) => {
    url = Object.assign(new URL(server), { pathname: name }).href
    return url
  }
  return {
    async createDatabase(name) {
      databases += 1
      const created = name ?? `bench${databases}`
      await queryDatabase(server, `drop database if exists ${created}`)
      await queryDatabase(server, `create database ${created}`)
      return selectDatabase(created)
    },
    selectDatabase,
    query: (text, values) => queryDatabase(url, text, values),
    cpuMs: () => readTreeCpuMs(child.pid),
    liveCpuMs: () => readLiveTreeCpuMs(child.pid),
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
