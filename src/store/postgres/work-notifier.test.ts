import assert from 'node:assert/strict'
import { it } from 'node:test'
import pg from 'pg'
import { systemClock } from '../../lib/clock.ts'
import { makeTestDatabase } from '../testing/test-database.ts'
import { connectClient } from './connect.ts'
import type { Queryable } from './query.ts'
import { Servers } from './servers.ts'
import { notifyWork, WorkNotifier } from './work-notifier.ts'

const LONG_MS = 600_000

it('a waiting worker is woken by a notification, by an earlier one, and when the connection is back', async (t) => {
  const { url, drop } = await makeTestDatabase()
  const servers = new Servers(url)
  const options = { name: 'wake test', isWriting: true, statementMs: 0 }
  const connections = {
    connect: () => connectClient(servers, options),
    probe: (connection: Queryable) => servers.refreshState(connection),
  }
  const workNotifier = new WorkNotifier(connections, systemClock)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.after(async () => {
    await workNotifier.close()
    await client.end()
    await drop()
  })
  await workNotifier.listen()

  const before = workNotifier.wakeCount
  const waiting = workNotifier.wait(LONG_MS, before)
  await notifyWork(client, 1)
  await waiting
  assert.equal(workNotifier.wakeCount, before + 1)
  await workNotifier.wait(LONG_MS, before)

  const lost = workNotifier.wait(LONG_MS, workNotifier.wakeCount)
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'wake test'`)
  await lost
})
