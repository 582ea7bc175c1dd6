// The faults of a chaos run. A fault breaks one worker, or Postgres and with it all workers. It resolves when its cause
// is removed, which is before everything has recovered.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { SeededRandom } from '../../src/lib/seeded-random.ts'
import type { ChaosPostgres } from './chaos-postgres.ts'
import type { ChaosWorker } from './chaos-worker.ts'
import type { SmallDisk } from './small-disk.ts'

export interface ChaosEnvironment {
  random: SeededRandom
  leaseMs: number
  /** Longer than a lease, and long enough for a worker to be seen as lost. */
  longMs: number
  postgres: ChaosPostgres
  workers: ChaosWorker[]
  /** The disk of the first worker, if a small one could be mounted. */
  disk: SmallDisk | null
  /** Whether the memory of a process can be limited. */
  canLimitMemory: boolean
}

export interface ChaosFault {
  /** 'all': breaks workers too, so no other fault may be active at the time. */
  target: 'worker' | 'first worker' | 'postgres' | 'all'
  /** Lasts until the worker is seen as lost or its leases expire. */
  isLong: boolean
  inject(chaosEnvironment: ChaosEnvironment, chaosWorker: ChaosWorker): Promise<void>
}

const SHORT_FAULT_MS = 2000
/** Shares of its time that a worker keeps. */
const DECAY = [0.6, 0.4, 0.2, 0.1, 0.05, 0.02]

/** Faults that end a process for good. */
export const ENDS_PROCESS: readonly string[] = ['kill', 'memory']

export const FAULTS = {
  /** SIGKILL; a new process starts a little later. */
  kill: {
    target: 'worker',
    isLong: true,
    async inject({ random }, chaosWorker) {
      await chaosWorker.kill()
      await sleep(random.below(SHORT_FAULT_MS))
      chaosWorker.start()
      await chaosWorker.workerId
    },
  },
  /** SIGSTOP for longer than the lease. */
  freeze: {
    target: 'worker',
    isLong: true,
    async inject({ longMs }, chaosWorker) {
      chaosWorker.freeze()
      await sleep(longMs)
      chaosWorker.unfreeze()
    },
  },
  /** SIGTERM during work; a new process starts. */
  leave: {
    target: 'worker',
    isLong: false,
    async inject(_, chaosWorker) {
      const code = await chaosWorker.terminate()
      if (code !== 0) chaosWorker.unexpectedExits.push(`${chaosWorker.name} got SIGTERM and exited with ${code}`)
      chaosWorker.start()
      await chaosWorker.workerId
    },
  },
  /** Resets every connection to Postgres once. */
  cut: {
    target: 'worker',
    isLong: false,
    async inject(_, chaosWorker) {
      chaosWorker.proxy.resetConnections()
    },
  },
  /** Resets and refuses connections for longer than the lease. */
  refuse: {
    target: 'worker',
    isLong: true,
    async inject({ longMs }, chaosWorker) {
      chaosWorker.proxy.refuse()
      await sleep(longMs)
      chaosWorker.proxy.restore()
    },
  },
  /** Drops packets for longer than the lease; afterwards the connections recover or turn out to be dead. */
  stall: {
    target: 'worker',
    isLong: true,
    async inject({ longMs, random }, chaosWorker) {
      chaosWorker.proxy.stall()
      await sleep(longMs)
      if (random.chance(0.5)) chaosWorker.proxy.resetConnections()
      chaosWorker.proxy.restore()
    },
  },
  /** A firewall drops the state of all connections: they are dead without notice. New ones work. */
  strand: {
    target: 'worker',
    isLong: true,
    async inject({ longMs }, chaosWorker) {
      chaosWorker.proxy.blackholeConnections()
      await sleep(longMs)
    },
  },
  /** Gets a tenth of its time. */
  starve: {
    target: 'worker',
    isLong: false,
    async inject({ longMs }, chaosWorker) {
      await chaosWorker.slowDown(0.1, longMs)
    },
  },
  /** Becomes slower and slower, until it hardly runs. */
  decay: {
    target: 'worker',
    isLong: false,
    async inject({ longMs }, chaosWorker) {
      for (const share of DECAY) await chaosWorker.slowDown(share, longMs / DECAY.length)
    },
  },
  /** Gets no more memory until it ends of it; a new process starts. */
  memory: {
    target: 'worker',
    isLong: true,
    async inject({ longMs }, chaosWorker) {
      await chaosWorker.exhaustMemory(longMs)
      chaosWorker.start()
      await chaosWorker.workerId
    },
  },
  restart: {
    target: 'postgres',
    isLong: false,
    async inject({ postgres, random }) {
      await postgres.stop()
      await sleep(random.below(SHORT_FAULT_MS))
      await postgres.start()
    },
  },
  /** SIGKILL to Postgres and all its backends. */
  crash: {
    target: 'postgres',
    isLong: false,
    async inject({ postgres, random }) {
      await postgres.kill()
      await sleep(random.below(SHORT_FAULT_MS))
      await postgres.start()
    },
  },
  /** Other clients take every connection just when the workers have lost theirs. */
  crowd: {
    target: 'postgres',
    isLong: false,
    async inject({ postgres, workers }) {
      for (const chaosWorker of workers) chaosWorker.proxy.resetConnections()
      const otherClients = await takeAllConnections(postgres.url)
      await sleep(SHORT_FAULT_MS)
      await Promise.all(otherClients.map((stranger) => stranger.end().catch(() => undefined)))
    },
  },
  /** A new worker finds itself alone: the others are disconnected for less than a lease and still working. */
  isolate: {
    target: 'all',
    isLong: false,
    async inject({ workers, leaseMs }, chaosWorker) {
      await chaosWorker.kill()
      for (const other of workers) if (other !== chaosWorker) other.proxy.refuse()
      chaosWorker.start()
      await chaosWorker.workerId
      await sleep(leaseMs / 3)
      for (const other of workers) if (other !== chaosWorker) other.proxy.restore()
    },
  },
  diskFull: {
    target: 'first worker',
    isLong: false,
    async inject({ disk }) {
      disk?.fill()
      await sleep(2 * SHORT_FAULT_MS)
      disk?.empty()
    },
  },
} as const satisfies Record<string, ChaosFault>

export type FaultName = keyof typeof FAULTS

async function takeAllConnections(connectionString: string): Promise<pg.Client[]> {
  const taken: pg.Client[] = []
  for (;;) {
    const client = new pg.Client({ connectionString })
    client.on('error', () => undefined)
    try {
      await client.connect()
      taken.push(client)
    } catch {
      return taken
    }
  }
}
