// What goes wrong in a chaos run. A fault strikes one worker, or Postgres and with it all of them; it resolves when what
// was broken is mended, which is before all has recovered.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Random } from '../../src/demo/random.ts'
import type { Hand } from './hand.ts'
import type { ChaosPostgres } from './postgres.ts'
import type { SmallDisk } from './small-disk.ts'

export interface Stage {
  random: Random
  leaseMs: number
  /** Longer than a lease, and long enough to be seen as lost. */
  longMs: number
  postgres: ChaosPostgres
  hands: Hand[]
  /** That of the first worker, if it could be made small. */
  disk: SmallDisk | null
}

export interface Fault {
  /** 'all': workers too, so that nothing else may be broken at the time. */
  strikes: 'worker' | 'first worker' | 'postgres' | 'all'
  /** It lasts until the worker is seen as lost, or its leases run out. */
  isLong: boolean
  strike(stage: Stage, hand: Hand): Promise<void>
}

const SHORT_MS = 2000

export const FAULTS = {
  /** SIGKILL; a new process takes the place a little later. */
  kill: {
    strikes: 'worker',
    isLong: true,
    async strike({ random }, hand) {
      await hand.kill()
      await sleep(random.below(SHORT_MS))
      hand.start()
      await hand.id
    },
  },
  /** SIGSTOP, longer than the lease. */
  freeze: {
    strikes: 'worker',
    isLong: true,
    async strike({ longMs }, hand) {
      hand.freeze()
      await sleep(longMs)
      hand.thaw()
    },
  },
  /** SIGTERM in mid-work; a new process takes the place. */
  leave: {
    strikes: 'worker',
    isLong: false,
    async strike(_, hand) {
      const code = await hand.leave()
      if (code !== 0) hand.surprises.push(`${hand.name} was told to leave and ended with ${code}`)
      hand.start()
      await hand.id
    },
  },
  /** Every connection to Postgres is reset once. */
  cut: {
    strikes: 'worker',
    isLong: false,
    async strike(_, hand) {
      hand.proxy.cut()
    },
  },
  /** Connections are reset and refused, longer than the lease. */
  refuse: {
    strikes: 'worker',
    isLong: true,
    async strike({ longMs }, hand) {
      hand.proxy.refuse()
      await sleep(longMs)
      hand.proxy.mend()
    },
  },
  /** Packets are lost for longer than the lease; then those connections live on, or turn out to be dead. */
  stall: {
    strikes: 'worker',
    isLong: true,
    async strike({ longMs, random }, hand) {
      hand.proxy.stall()
      await sleep(longMs)
      if (random.chance(0.5)) hand.proxy.cut()
      hand.proxy.mend()
    },
  },
  /** A firewall forgets the connections: they are dead, and nobody is told. New ones are made. */
  strand: {
    strikes: 'worker',
    isLong: true,
    async strike({ longMs }, hand) {
      hand.proxy.strand()
      await sleep(longMs)
    },
  },
  restart: {
    strikes: 'postgres',
    isLong: false,
    async strike({ postgres, random }) {
      await postgres.stop()
      await sleep(random.below(SHORT_MS))
      await postgres.start()
    },
  },
  /** SIGKILL to Postgres and all its backends. */
  crash: {
    strikes: 'postgres',
    isLong: false,
    async strike({ postgres, random }) {
      await postgres.kill()
      await sleep(random.below(SHORT_MS))
      await postgres.start()
    },
  },
  /** Strangers take every connection there is, just when the workers have lost theirs. */
  crowd: {
    strikes: 'postgres',
    isLong: false,
    async strike({ postgres, hands }) {
      for (const hand of hands) hand.proxy.cut()
      const strangers = await takeAllConnections(postgres.url)
      await sleep(SHORT_MS)
      await Promise.all(strangers.map((stranger) => stranger.end().catch(() => undefined)))
    },
  },
  /** A new worker finds itself alone: the others are cut off, for less than a lease, and still at work. */
  isolate: {
    strikes: 'all',
    isLong: false,
    async strike({ hands, leaseMs }, hand) {
      await hand.kill()
      for (const other of hands) if (other !== hand) other.proxy.refuse()
      hand.start()
      await hand.id
      await sleep(leaseMs / 3)
      for (const other of hands) if (other !== hand) other.proxy.mend()
    },
  },
  diskFull: {
    strikes: 'first worker',
    isLong: false,
    async strike({ disk }) {
      disk?.fill()
      await sleep(2 * SHORT_MS)
      disk?.empty()
    },
  },
} as const satisfies Record<string, Fault>

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
