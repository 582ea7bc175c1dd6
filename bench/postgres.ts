// A Postgres of its own for the benchmark, as safe as it comes, and what it costs.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { cpuMsOfTree } from './measure.ts'

const script = fileURLToPath(new URL('../src/store/postgres/test-server.ts', import.meta.url))

export interface BenchPostgres {
  /** Empties the store and answers its url. */
  fresh(): Promise<string>
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  /** CPU time of all its processes so far; null where there is no /proc. */
  cpuMs(): number | null
  stop(): Promise<void>
}

export async function startPostgres(): Promise<BenchPostgres> {
  const keeper = spawn(process.execPath, [script, '--durable'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(keeper, 'exit')
  const [line] = await once(createInterface(keeper.stdout), 'line')
  const server = String(line)
  if (!server.startsWith('postgres://')) throw new Error(`no Postgres for the benchmark: ${server}`)
  let url = server
  let databases = 0
  return {
    async fresh() {
      databases += 1
      const name = `bench${databases}`
      await ask(server, `create database ${name}`)
      url = Object.assign(new URL(server), { pathname: name }).href
      return url
    },
    query: (text, values) => ask(url, text, values),
    cpuMs: () => cpuMsOfTree(keeper.pid),
    async stop() {
      keeper.stdin.end()
      await exited
    },
  }
}

async function ask(url: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows
  } finally {
    await client.end()
  }
}
