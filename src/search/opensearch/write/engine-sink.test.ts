import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ManualClock } from '../../../lib/testing/manual-clock.ts'
import { openStore } from '../../../store/postgres/store.ts'
import { testOptions } from '../../../store/testing/postgres-test-store.ts'
import { makeTestDatabase } from '../../../store/testing/test-database.ts'
import { openFeed } from '../../postgres/open.ts'
import { Indices } from '../indices.ts'
import { startScriptedEngine } from '../testing/scripted-engine.ts'
import { EngineSink } from './engine-sink.ts'
import { openState, startOver } from './engine-state.ts'

it('the index does not start over while another process looks for unused indices', async (t) => {
  const clock = new ManualClock(1_800_000_000_000)
  const database = await makeTestDatabase()
  const store = await openStore(database.url, testOptions(clock, { leaseMs: 60_000, random: () => 0.5 }))
  const timing = { clock, isClockVirtual: true, random: () => 0.5, onOutage: () => undefined }
  const { db, close } = openFeed(database.url, timing)
  t.after(async () => {
    await close()
    await store.close()
    await database.drop()
  })
  let startingOver: Promise<string> = Promise.resolve('not yet')
  let whileServing = ''
  const { client, location } = await startScriptedEngine(t, async ({ path }) => {
    if (!path.endsWith('/_alias')) return {}
    startingOver = db.transaction((tx) => startOver(tx, false)).then(() => 'started over')
    whileServing = await Promise.race([startingOver, sleep(300, 'waiting')])
    return {}
  })
  await openState(db.pool)
  await new EngineSink({ client, indices: new Indices(client, location), db }).removeUnused()
  assert.equal(whileServing, 'waiting')
  assert.equal(await startingOver, 'started over')
})
