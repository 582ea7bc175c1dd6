import assert from 'node:assert/strict'
import { it } from 'node:test'
import pg from 'pg'
import { systemClock } from '../../lib/clock.ts'
import { clientSettings } from './connect.ts'
import { makeTestDatabase } from './test-database.ts'
import { notify, Wake } from './wake.ts'

const LONG_MS = 600_000

it('who waits is woken by a notice, by one that came before, and when the connection is back', async (t) => {
  const { url, drop } = await makeTestDatabase()
  const wake = new Wake(clientSettings(url, { name: 'wake test', isWriting: true, statementMs: 0 }), systemClock)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.after(async () => {
    await wake.close()
    await client.end()
    await drop()
  })
  await wake.listen()

  const before = wake.heard
  const waiting = wake.wait(LONG_MS, before)
  await notify(client, 1)
  await waiting
  assert.equal(wake.heard, before + 1)
  await wake.wait(LONG_MS, before)

  const lost = wake.wait(LONG_MS, wake.heard)
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'wake test'`)
  await lost
})
