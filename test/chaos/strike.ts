// Strikes and takes the time: how long until the worker is seen as lost, and until others have what it held.

import { FAULTS, type Fault, type FaultName, type Stage } from './faults.ts'
import type { Hand } from './hand.ts'
import type { Held, Witness } from './witness.ts'

export interface Strike {
  fault: FaultName
  worker: string | null
  /** On the clock of the request log. */
  at: number
  mendedAt: number
  /** Urls in the hands of the worker when it was struck. */
  held: number
  /** Null: it was not seen as lost while that lasted. */
  lostMs: number | null
  /** Null: nothing was held, or it was never taken up again. */
  takenMs: number | null
}

/** Beyond this a killed worker counts as never found, and urls as never taken up again. */
const PATIENCE_MS = 180_000

export class Striker {
  readonly #stage: Stage
  readonly #witness: Witness
  readonly strikes: Strike[] = []
  /** What a fault is at work on: nothing is struck twice at a time. */
  readonly #struck = new Set<Hand | 'postgres' | 'all'>()
  readonly #underWay = new Set<Promise<void>>()
  readonly #measuring: Promise<void>[] = []

  constructor(stage: Stage, witness: Witness) {
    this.#stage = stage
    this.#witness = witness
  }

  /** The worker to strike (any, where it is not about one); null when it cannot be done just now, or on this machine. */
  async choose(name: FaultName): Promise<Hand | null> {
    const { hands, disk, random } = this.#stage
    const { strikes }: Fault = FAULTS[name]
    const struck = this.#struck
    if (struck.has('all') || (strikes === 'all' && struck.size > 0)) return null
    if (strikes === 'all') return random.pick(hands)
    if (strikes === 'postgres') return struck.has('postgres') ? null : (hands[0] ?? null)
    if (name === 'diskFull' && disk === null) return null
    // The others have to do its work, so there must be some.
    if (struck.size * 2 >= hands.length) return null
    const free = (strikes === 'first worker' ? hands.slice(0, 1) : hands).filter((hand) => !struck.has(hand))
    if (free.length === 0) return null
    return (await this.#busiest(free)) ?? random.pick(free)
  }

  /** A fault shows most where most is in hand; null when nothing is. */
  async #busiest(hands: Hand[]): Promise<Hand | null> {
    let [busiest, most]: [Hand | null, number] = [null, 0]
    for (const hand of hands) {
      const { length } = await this.#witness.held([await hand.id])
      if (length > most) [busiest, most] = [hand, length]
    }
    return busiest
  }

  strike(name: FaultName, hand: Hand): void {
    const { strikes }: Fault = FAULTS[name]
    const struck = isAboutOne(name) ? hand : strikes === 'all' ? 'all' : 'postgres'
    this.#struck.add(struck)
    const done = this.#run(name, hand).finally(() => {
      this.#struck.delete(struck)
      this.#underWay.delete(done)
    })
    this.#underWay.add(done)
  }

  /** Resolves when nothing is broken any more. */
  async mended(): Promise<void> {
    await Promise.all(this.#underWay)
  }

  async measured(): Promise<void> {
    await Promise.all(this.#measuring)
  }

  async #run(name: FaultName, hand: Hand): Promise<void> {
    const fault: Fault = FAULTS[name]
    const isOne = isAboutOne(name)
    const id = await hand.id
    const held = isOne ? await this.#witness.held([id]) : []
    const at = performance.now()
    const about = { fault: name, worker: isOne ? hand.name : null, at, mendedAt: at, held: held.length }
    const strike: Strike = { ...about, lostMs: null, takenMs: null }
    this.strikes.push(strike)
    const over = new AbortController()
    // A killed worker does not come back; one that is mended makes itself heard again.
    const lostBy = name === 'kill' ? AbortSignal.timeout(PATIENCE_MS) : over.signal
    if (fault.isLong) this.#measuring.push(this.#measureLost(strike, id, lostBy), this.#measureTaken(strike, held))
    await fault.strike(this.#stage, hand)
    over.abort()
    strike.mendedAt = performance.now()
  }

  async #measureLost(strike: Strike, id: string, limit: AbortSignal): Promise<void> {
    strike.lostMs = await since(strike.at, this.#witness.untilState(id, 'lost', limit), limit)
  }

  async #measureTaken(strike: Strike, held: Held[]): Promise<void> {
    if (held.length === 0) return
    const limit = AbortSignal.timeout(PATIENCE_MS)
    strike.takenMs = await since(strike.at, this.#witness.untilTaken(held, limit), limit)
  }
}

/** One worker, and not all at a time. */
export function isAboutOne(name: FaultName): boolean {
  const { strikes }: Fault = FAULTS[name]
  return strikes === 'worker' || strikes === 'first worker'
}

/** Null when it did not happen in time. */
async function since(at: number, event: Promise<void>, limit: AbortSignal): Promise<number | null> {
  try {
    await event
    return performance.now() - at
  } catch (error) {
    if (limit.aborted) return null
    throw error
  }
}
