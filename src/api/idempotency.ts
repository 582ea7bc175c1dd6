// Requests that may be sent twice: the same key gives the same answer and does the work once. Repeats that come while
// the first is under way wait for it; two that reach two processes in the same moment may both be done.

import { hash } from 'node:crypto'
import type { Clock } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'
import type { KnownRequests } from '../ports/access.ts'
import type { RouteName } from './contract/paths.ts'

/** Routes that make something new each time. */
export const REPEATABLE: readonly RouteName[] = ['createCrawl', 'rerunCrawl']

const KEEP_MS = 86_400_000
const FORGET_EVERY_MS = 3_600_000
export const MAX_KEY = 200

export interface Repeatable {
  /** Of one caller and route. */
  key: string
  /** Everything that says what is asked for. */
  request: unknown
}

export class Idempotency {
  readonly #known: KnownRequests
  readonly #clock: Clock
  readonly #underWay = new Map<string, Promise<unknown>>()
  #forgotAt = 0

  constructor(known: KnownRequests, clock: Clock) {
    this.#known = known
    this.#clock = clock
  }

  async once(
    { key, request }: Repeatable,
    run: () => Promise<unknown>,
  ): Promise<{ value: unknown; isRepeated: boolean }> {
    const fingerprint = hash('sha256', JSON.stringify(request), 'hex')
    // Its failure is its own: this one is then the first.
    await this.#underWay.get(key)?.catch(() => undefined)
    const known = await this.#known.find(key)
    if (known !== null) {
      if (known.fingerprint === fingerprint) return { value: JSON.parse(known.answer), isRepeated: true }
      throw new AppError('IDEMPOTENCY_CONFLICT', 'This Idempotency-Key was used for another request; take a new one.')
    }
    const first = this.#underWay.get(key)
    if (first !== undefined) return this.once({ key, request }, run)
    const work = this.#runAndSave(key, fingerprint, run)
    this.#underWay.set(key, work)
    try {
      return { value: await work, isRepeated: false }
    } finally {
      this.#underWay.delete(key)
    }
  }

  async #runAndSave(key: string, fingerprint: string, run: () => Promise<unknown>): Promise<unknown> {
    const value = await run()
    const at = this.#clock.now()
    await this.#known.save(key, { fingerprint, answer: JSON.stringify(value), at })
    if (at - this.#forgotAt >= FORGET_EVERY_MS) {
      this.#forgotAt = at
      await this.#known.forget(at - KEEP_MS)
    }
    return value
  }
}
