// How the hosts of a crawl are shared by the workers of several processes.

import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { ManualClock } from '../../../../lib/testing/manual-clock.ts'
import { IDLE_FIGURES } from '../../../../ports/contracts/testing/idle-figures.ts'
import { StoreHarness } from '../../../../ports/contracts/testing/store-harness.ts'
import { HEALTHY_HOST, type Lease } from '../../../../ports/leases.ts'
import { openStore } from '../../../postgres/store.ts'
import { testOptions } from '../../../testing/postgres-test-store.ts'
import { makeTestDatabase } from '../../../testing/test-database.ts'
import { UNCLAIMED_AFTER_MS } from './fair-share.ts'

const LEASE_MS = 60_000
const GAP_MS = 1000
const HOSTS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

class WorkerHarness extends StoreHarness {
  readonly #id: string

  constructor(id: string, store: StoreHarness['store']) {
    super(store)
    this.#id = id
  }

  async beat(held: string | null = null): Promise<void> {
    const about = { id: this.#id, name: this.#id, version: '1', address: null, startedAt: this.store.clock.now() }
    await this.store.workers.heartbeat({ ...about, figures: { ...IDLE_FIGURES, held } })
  }

  /** Takes all hosts that are available now. */
  async take(): Promise<Lease[]> {
    return (await this.lease({ threadId: `${this.#id}-0` })).leases
  }

  /** Reports a visit of each lease and releases it. */
  async release(leases: Lease[]): Promise<void> {
    const nextAt = this.store.clock.now() + GAP_MS
    await this.commit(
      leases.flatMap((lease) => lease.urls.slice(0, 1).map((url) => this.visitedReport(lease, url))),
      {
        threadId: `${this.#id}-0`,
        release: leases.map(({ token }) => token),
        hosts: leases.map(({ hostId }) => ({
          hostId,
          nextAt,
          responseMs: 5,
          gapMs: GAP_MS,
          concurrencyLimit: null,
          health: HEALTHY_HOST,
        })),
      },
    )
  }
}

/** Workers in separate processes, on a crawl of eight hosts that are all due. */
async function openWorkers(t: TestContext, count: number) {
  const database = await makeTestDatabase()
  const clock = new ManualClock(1_800_000_000_000)
  const options = testOptions(clock, { leaseMs: LEASE_MS, random: () => 0.5 })
  const workers: WorkerHarness[] = []
  t.after(async () => {
    for (const { store } of workers) await store.close()
    await database.drop()
  })
  for (let i = 0; i < count; i++) {
    const store = await openStore(database.url, options)
    const reopen = () => Promise.reject(new Error('not here'))
    workers.push(new WorkerHarness(`w${i}`, { ...store, clock, leaseMs: LEASE_MS, reopen }))
  }
  const [first] = workers
  assert.ok(first)
  await first.start(
    HOSTS.flatMap((host) => [`${host}/1`, `${host}/2`, `${host}/3`]),
    { delayMs: GAP_MS },
  )
  for (const worker of workers) worker.crawl = first.crawl
  return { workers, clock }
}

async function takeAll(workers: WorkerHarness[]): Promise<number[]> {
  const counts: number[] = []
  for (const worker of workers) counts.push((await worker.take()).length)
  return counts
}

it('three workers that ask one after the other get a third of the hosts each', async (t) => {
  const { workers } = await openWorkers(t, 3)
  for (const worker of workers) await worker.beat()
  assert.deepEqual(await takeAll(workers), [3, 3, 2])
})

it('hosts that nobody takes are left over after a while, and any worker gets them', async (t) => {
  const { workers, clock } = await openWorkers(t, 3)
  for (const worker of workers) await worker.beat()
  const asking = workers.slice(0, 2)
  assert.deepEqual(await takeAll(asking), [3, 3])
  assert.deepEqual(await takeAll(asking), [0, 0])
  clock.advance(UNCLAIMED_AFTER_MS)
  assert.deepEqual(await takeAll(asking), [2, 0])
})

it('a worker on hold has no share', async (t) => {
  const { workers } = await openWorkers(t, 3)
  for (const [i, worker] of workers.entries()) await worker.beat(i === 2 ? 'low_disk' : null)
  assert.deepEqual(await takeAll(workers.slice(0, 2)), [4, 4])
})

it('a worker that joins late gets its share when hosts are released', async (t) => {
  const { workers, clock } = await openWorkers(t, 2)
  const [one, two] = workers
  assert.ok(one && two)
  await one.beat()
  const all = await one.take()
  assert.equal(all.length, 8)
  await two.beat()
  await one.release(all)
  clock.advance(GAP_MS)
  assert.deepEqual(await takeAll([one, two]), [4, 0])
  // Released hosts are reserved until then for the thread that had them.
  clock.advance(500)
  assert.deepEqual(await takeAll([one, two]), [0, 4])
})
