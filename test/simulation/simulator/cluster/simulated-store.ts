// The stores that a simulation can use, on a virtual clock.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../../../src/lib/clock.ts'
import type { Store } from '../../../../src/ports/store.ts'
import { openStore } from '../../../../src/store/sqlite/store.ts'

export interface SimulatedStoreOptions {
  clock: Clock
  random: () => number
  leaseMs: number
}

type SimulatedPorts = Pick<
  Store,
  'frontier' | 'crawls' | 'urls' | 'robots' | 'control' | 'workers' | 'revisits' | 'policies'
>

export interface SimulatedStore extends SimulatedPorts {
  /** Kills the process of the store, and opens the data in another one. */
  reopen(): Promise<SimulatedStore>
  /** Closes it and removes all data. */
  remove(): Promise<void>
}

export type MakeStore = (terms: SimulatedStoreOptions) => Promise<SimulatedStore>

export const STORES = ['sqlite', 'postgres'] as const
export type StoreName = (typeof STORES)[number]

export async function storeFactory(name: StoreName): Promise<MakeStore> {
  return name === 'sqlite' ? makeSqlite : makePostgres
}

const makeSqlite: MakeStore = async (terms) => {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-simulation-'))
  const open = async () => openStore(dir, { ...terms, create: true })
  return toSimulatedStore(await open(), open, async () => rmSync(dir, { recursive: true }))
}

const makePostgres: MakeStore = async (terms) => {
  const { openStore: openPostgres } = await import('../../../../src/store/postgres/store.ts')
  const { makeTestDatabase } = await import('../../../../src/store/testing/test-database.ts')
  const database = await makeTestDatabase()
  const options = {
    ...terms,
    isClockVirtual: true,
    connections: 4,
    statementMs: 20_000,
    create: true,
    onOutage: () => undefined,
  }
  const open = async () => {
    const { frontier, ...store } = await openPostgres(database.url, options)
    // Notifications of Postgres arrive in real time, so no run would be reproducible; here workers poll after a while
    // instead.
    const waitForWork = (timeoutMs: number) =>
      new Promise<void>((resolve) => void terms.clock.after(timeoutMs, resolve))
    return {
      ...store,
      frontier: {
        lease: frontier.lease.bind(frontier),
        commit: frontier.commit.bind(frontier),
        renew: frontier.renew.bind(frontier),
        requeueThread: frontier.requeueThread.bind(frontier),
        waitForWork,
      },
    }
  }
  return toSimulatedStore(await open(), open, () => database.drop())
}

function toSimulatedStore(
  store: SimulatedPorts & Pick<Store, 'close'>,
  open: () => Promise<SimulatedPorts & Pick<Store, 'close'>>,
  drop: () => Promise<void>,
): SimulatedStore {
  const { frontier, crawls, urls, robots, control, workers, revisits, policies } = store
  return {
    frontier,
    crawls,
    urls,
    robots,
    control,
    workers,
    revisits,
    policies,
    async reopen() {
      await store.close()
      return toSimulatedStore(await open(), open, drop)
    },
    async remove() {
      await store.close()
      await drop()
    },
  }
}
