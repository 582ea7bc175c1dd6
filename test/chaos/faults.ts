// What goes wrong in a chaos run. A fault strikes one worker, or Postgres and with it all of them; it resolves when what
// was broken is mended, which is before all has recovered.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { SeededRandom } from '../../src/lib/seeded-random.ts'
import type { ChaosPostgres } from './chaos-postgres.ts'
import type { ChaosWorker } from './chaos-worker.ts'
import type { SmallDisk } from './small-disk.ts'

export interface ChaosEnvironment {
  random: SeededRandom
  leaseMs: number
  /** Longer than a lease, and long enough to be seen as lost. */
  longMs: number
  postgres: ChaosPostgres
  hands: ChaosWorker[]
  /** That of the first worker, if it could be made small. */
  disk: SmallDisk | null
}

export interface ChaosFault {
  /** 'all': workers too, so that nothing else may be broken at the time. */
  target: 'worker' | 'first worker' | 'postgres' | 'all'
  /** It lasts until the worker is seen as lost, or its leases run out. */
  isLong: boolean
  inject(chaosEnvironment: ChaosEnvironment, chaosWorker: ChaosWorker): Promise<void>
}

const SHORT_FAULT_MS = 2000

export const FAULTS = {
  /** SIGKILL; a new process takes the place a little later. */
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
  /** SIGSTOP, longer than the lease. */
  freeze: {
    target: 'worker',
    isLong: true,
    async inject({ longMs }, chaosWorker) {
      chaosWorker.freeze()
      await sleep(longMs)
      chaosWorker.unfreeze()
    },
  },
  /** SIGTERM in mid-work; a new process takes the place. */
  leave: {
    target: 'worker',
    isLong: false,
    async inject(_, chaosWorker) {
      const code = await chaosWorker.terminate()
      if (code !== 0) chaosWorker.unexpectedExits.push(`${chaosWorker.name} was told to leave and ended with ${code}`)
      chaosWorker.start()
      await chaosWorker.workerId
    },
  },
  /** Every connection to Postgres is reset once. */
  cut: {
    target: 'worker',
    isLong: false,
    async inject(_, chaosWorker) {
      chaosWorker.proxy.resetConnections()
    },
  },
  /** Connections are reset and refused, longer than the lease. */
  refuse: {
    target: 'worker',
    isLong: true,
    async inject({ longMs }, chaosWorker) {
      chaosWorker.proxy.refuse()
      await sleep(longMs)
      chaosWorker.proxy.restore()
    },
  },
  /** Packets are lost for longer than the lease; then those connections live on, or turn out to be dead. */
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
  /** A firewall forgets the connections: they are dead, and nobody is told. New ones are made. */
  strand: {
    target: 'worker',
    isLong: true,
    async inject({ longMs }, chaosWorker) {
      chaosWorker.proxy.blackholeConnections()
      await sleep(longMs)
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
  /** Strangers take every connection there is, just when the workers have lost theirs. */
  crowd: {
    target: 'postgres',
    isLong: false,
    async inject({ postgres, hands }) {
      for (const chaosWorker of hands) chaosWorker.proxy.resetConnections()
      const strangers = await takeAllConnections(postgres.url)
      await sleep(SHORT_FAULT_MS)
      await Promise.all(strangers.map((stranger) => stranger.end().catch(() => undefined)))
    },
  },
  /** A new worker finds itself alone: the others are cut off, for less than a lease, and still at work. */
  isolate: {
    target: 'all',
    isLong: false,
    async inject({ hands, leaseMs }, chaosWorker) {
      await chaosWorker.kill()
      for (const other of hands) if (other !== chaosWorker) other.proxy.refuse()
      chaosWorker.start()
      await chaosWorker.workerId
      await sleep(leaseMs / 3)
      for (const other of hands) if (other !== chaosWorker) other.proxy.restore()
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
