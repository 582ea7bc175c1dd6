import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import pg from 'pg'
import { makeEmptyDatabase, makeTestDatabase } from './test-database.ts'

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

test('each test database has the tables and is independent', async () => {
  const [one, other] = await Promise.all([makeTestDatabase(), makeTestDatabase()])
  await query(one.url, `insert into hosts (id, name) values (1, 'a.example')`)
  assert.deepEqual(await query(one.url, 'select name from hosts'), [{ name: 'a.example' }])
  assert.deepEqual(await query(other.url, 'select name from hosts'), [])
  await Promise.all([one.drop(), other.drop()])
  await assert.rejects(query(one.url, 'select 1'), { code: '3D000' })
})

test('an empty database has no tables', async () => {
  const database = await makeEmptyDatabase()
  const tables = await query(database.url, `select 1 from pg_tables where schemaname = 'public'`)
  assert.deepEqual(tables, [])
  await database.drop()
})

test('a server ends when the test that started it is killed', async () => {
  const starter = `import { spawn } from 'node:child_process'
    spawn(process.execPath, [process.argv[1]], { stdio: ['pipe', 'inherit', 'ignore'], detached: true })
    setInterval(() => {}, 1e6)`
  const script = join(import.meta.dirname, 'test-server.ts')
  const parent = spawn(process.execPath, ['--input-type=module', '-e', starter, script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = await once(createInterface(parent.stdout), 'line')
  const port = Number(new URL(String(line)).port)
  assert.equal(await answers(port), true)
  parent.kill('SIGKILL')
  // The server process holds the other end of this pipe until it has cleaned up.
  await once(parent, 'close')
  assert.equal(await answers(port), false)
})

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}
