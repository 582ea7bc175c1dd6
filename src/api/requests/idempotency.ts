// Requests that may be sent twice: the same key gives the same answer and does the work once, however many processes are
// asked. Whoever claims the key first does it; the others wait for the answer. Should the first die in between, nobody
// knows whether it was done: a while later the next one does it.

import { hash } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { KnownRequests } from '../../ports/access.ts'
import type { RouteName } from '../contract/paths.ts'
import { PATIENCE_MS } from './patience.ts'

/** Routes that make something new each time. */
export const REPEATABLE: readonly RouteName[] = ['createCrawl', 'rerunCrawl']

const KEEP_MS = 86_400_000
const FORGET_EVERY_MS = 3_600_000
/** Longer than anybody is kept waiting for the work. */
const HOLD_MS = 2 * PATIENCE_MS
const LOOK_MS = 100
const WAIT_MS = PATIENCE_MS / 2
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
    const until = this.#clock.now() + WAIT_MS
    for (;;) {
      const state = await this.#known.claim(key, { fingerprint, at: this.#clock.now(), holdMs: HOLD_MS })
      if (state.kind === 'yours') return { value: await this.#runAndSave(key, fingerprint, run), isRepeated: false }
      if (state.fingerprint !== fingerprint) {
        throw new AppError('IDEMPOTENCY_CONFLICT', 'This Idempotency-Key was used for another request; take a new one.')
      }
      if (state.kind === 'answered') return { value: JSON.parse(state.answer), isRepeated: true }
      if (this.#clock.now() >= until) {
        const sentence = 'A request with this Idempotency-Key is under way; send it again in some minutes.'
        throw new AppError('IDEMPOTENCY_CONFLICT', sentence)
      }
      await new Promise<void>((resolve) => void this.#clock.after(LOOK_MS, resolve))
    }
  }

  async #runAndSave(key: string, fingerprint: string, run: () => Promise<unknown>): Promise<unknown> {
    const value = await run().catch(async (error: unknown) => {
      await this.#known.release(key)
      throw error
    })
    const at = this.#clock.now()
    await this.#known.save(key, { fingerprint, answer: JSON.stringify(value), at })
    if (at - this.#forgotAt >= FORGET_EVERY_MS) {
      this.#forgotAt = at
      await this.#known.forget(at - KEEP_MS)
    }
    return value
  }
}
