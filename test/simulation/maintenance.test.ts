import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { silentLog } from '../../src/lib/log.ts'
import { IDLE_FIGURES } from '../../src/ports/contracts/testing/idle-figures.ts'
import { foundUrl, TEST_SETTINGS } from '../../src/ports/contracts/testing/store-harness.ts'
import { HEARTBEAT_TIMEOUT_MS, type WorkerFigures } from '../../src/ports/workers.ts'
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

  it('watches closer after a loss, and drains a worker only if it is late for half a minute', async () => {
    await beat('c', HEALTHY)
    store.clock.advance(HEARTBEAT_TIMEOUT_MS + 1)
    const lateSteps = async (steps: number) => {
      for (let i = 0; i < steps; i++) {
        await beat('a', HEALTHY)
        await beat('b', LATE)
        await maintenance.step()
        store.clock.advance(1000)
      }
      return stateOf('b')
    }
    assert.equal(await lateSteps(29), 'working')
    assert.equal(await stateOf('c'), 'lost')
    assert.equal(await lateSteps(1), 'draining')
  })

  it('counts the time in which hosts were due and no worker was there', async () => {
    const settings = TEST_SETTINGS
    const step = async () => {
      store.clock.advance(1000)
      await maintenance.step()
      return { ...maintenance.counts }
    }
    const up = await step()
    assert.deepEqual([up.observedMs, up.availableMs], [1000, 1000])
    store.clock.advance(HEARTBEAT_TIMEOUT_MS)
    const idle = await step()
    assert.deepEqual([idle.observedMs, idle.availableMs], [17_000, 17_000])
    await store.crawls.create({ seeds: [foundUrl('a/1')], settings, keySeed: 1 })
    const alone = await step()
    assert.deepEqual([alone.observedMs, alone.availableMs], [18_000, 17_000])
    await beat('d', HEALTHY)
    const recovered = await step()
    assert.deepEqual([recovered.observedMs, recovered.availableMs], [19_000, 18_000])
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
