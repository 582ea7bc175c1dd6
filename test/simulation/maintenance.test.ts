import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { silentLog } from '../../src/lib/log.ts'
import { IDLE_FIGURES } from '../../src/ports/contracts/testing/idle-figures.ts'
import type { WorkerFigures } from '../../src/ports/workers.ts'
import { makeTestStore } from '../../src/store/testing/sqlite-test-store.ts'
import { Maintenance } from '../../src/worker/fleet/maintenance.ts'

const HEALTHY: WorkerFigures = { ...IDLE_FIGURES, cpuPercent: 10, rssBytes: 1, loopDelayMs: 5 }
const LATE: WorkerFigures = { ...HEALTHY, loopDelayMs: 20_000 }

describe('Maintenance', () => {
  let store: ReturnType<typeof makeTestStore>
  let maintenance: Maintenance

  beforeEach(async () => {
    store = makeTestStore({ leaseMs: 30_000, random: () => 0.5 })
    maintenance = new Maintenance({ workers: store.workers, clock: store.clock, log: silentLog })
    await beat('a', HEALTHY)
  })
  afterEach(() => store.close())

  const beat = (id: string, figures: WorkerFigures) =>
    store.workers.heartbeat({ id, name: id, version: '1', address: null, startedAt: store.clock.now(), figures })
  const stateOf = async (id: string) => (await store.workers.list()).find((row) => row.id === id)?.state

  it('drains a worker that is late at every check, while others are not', async () => {
    await beat('b', LATE)
    await maintenance.cleanUp()
    await beat('b', LATE)
    await maintenance.cleanUp()
    assert.equal(await stateOf('b'), 'draining')
    assert.equal(await stateOf('a'), 'working')
  })

  it('does not drain a worker that was late once because its machine slept', async () => {
    await beat('b', LATE)
    await maintenance.cleanUp()
    await beat('b', HEALTHY)
    await maintenance.cleanUp()
    await beat('b', LATE)
    await maintenance.cleanUp()
    assert.equal(await stateOf('b'), 'working')
  })
})
