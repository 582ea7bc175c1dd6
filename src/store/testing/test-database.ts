// Databases for tests: on the server in TEST_DATABASE_URL, or on a server that lives as long as the test process.
// Each test gets its own database, copied from a migrated template.

import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { migrationFiles } from '../migrations.ts'
import { migrate } from '../postgres/migrate.ts'

export interface TestDatabase {
  url: string
  /** Ends every connection to it. */
  drop(): Promise<void>
}

/** The first caller starts the server, and templates are made once. */
const started: { server?: Promise<string>; template?: Promise<string> } = {}

/** A database with our tables. */
export async function makeTestDatabase(): Promise<TestDatabase> {
  const server = await testServer()
  started.template ??= makeTemplate(server)
  return create(server, await started.template)
}

/** An empty database. */
export async function makeEmptyDatabase(): Promise<TestDatabase> {
  return create(await testServer(), 'template1')
}

/** The URL of a server on which databases may be created. */
export function testServer(): Promise<string> {
  started.server ??= startServer()
  return started.server
}

async function startServer(): Promise<string> {
  const url = process.env['TEST_DATABASE_URL']
  if (url !== undefined && url !== '') return url
  // The server has its own process group, so that an interrupt in the terminal does not end it before the test.
  const server = spawn(process.execPath, [join(import.meta.dirname, 'test-server.ts')], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const [line] = await once(createInterface(server.stdout), 'line')
  if (!String(line).startsWith('postgres://')) {
    throw new Error(`No Postgres for the tests (set TEST_DATABASE_URL to use another): ${line}`)
  }
  // The server does not keep this process alive, and ends with it.
  server.unref()
  server.stdout.destroy()
  if ('unref' in server.stdin && typeof server.stdin.unref === 'function') server.stdin.unref()
  return String(line)
}

/**
 * Named after its migrations, so that a permanent server needs it once. Built under another name and renamed, so that
 * it is never incomplete.
 */
async function makeTemplate(server: string): Promise<string> {
  const name = `orbweaver_template_${hashOfMigrations()}`
  const making = `${name}_${randomBytes(4).toString('hex')}`
  await onServer(server, async (client) => {
    await client.query(`select pg_advisory_lock(hashtext('orbweaver_template'))`)
    const found = await client.query('select 1 from pg_database where datname = $1', [name])
    if (found.rowCount !== 0) return
    await client.query(`create database ${making} template template1`)
    await onServer(withDatabase(server, making), (own) => migrate(own, { create: true, isForMove: false }))
    await client.query(`alter database ${making} rename to ${name}`)
  })
  return name
}

function hashOfMigrations(): string {
  const hash = createHash('sha1')
  for (const file of migrationFiles(join(import.meta.dirname, '../postgres'))) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

async function create(server: string, template: string): Promise<TestDatabase> {
  const name = `orbweaver_test_${randomBytes(6).toString('hex')}`
  // Copying files takes half as long as the default, which logs every block; the server syncs nothing.
  await onServer(server, (client) => client.query(`create database ${name} template ${template} strategy file_copy`))
  return {
    url: withDatabase(server, name),
    async drop() {
      await onServer(server, (client) => client.query(`drop database if exists ${name} with (force)`))
    },
  }
}

function withDatabase(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

async function onServer(url: string, run: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await run(client)
  } finally {
    await client.end()
  }
}
