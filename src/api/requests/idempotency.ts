// Requests that may be sent twice: the same key gives the same answer and does the work once, however many processes are
// asked. Whoever claims the key first does it; the others wait for the answer. Should the first die in between, nobody
// knows whether it was done: a while later the next one does it.

import { hash } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { IdempotencyKeys } from '../../ports/access.ts'
import type { RouteName } from '../contract/paths.ts'
import { HANDLER_TIMEOUT_MS } from './handler-timeout.ts'

/** Routes that make something new each time. */
export const IDEMPOTENT_ROUTES: readonly RouteName[] = ['createCrawl', 'rerunCrawl']

const KEY_RETENTION_MS = 86_400_000
const CLEANUP_INTERVAL_MS = 3_600_000
/** Longer than anybody is kept waiting for the work. */
const CLAIM_MS = 2 * HANDLER_TIMEOUT_MS
const POLL_INTERVAL_MS = 100
const WAIT_MS = HANDLER_TIMEOUT_MS / 2
export const MAX_KEY_LENGTH = 200

export interface IdempotentRequest {
  /** Of one caller and route. */
  key: string
  /** Everything that says what is asked for. */
  request: unknown
}

export class IdempotentRequests {
  readonly #requests: IdempotencyKeys
  readonly #clock: Clock
  #cleanedAt = 0

  constructor(known: IdempotencyKeys, clock: Clock) {
    this.#requests = known
    this.#clock = clock
  }

  async runOnce(
    { key, request }: IdempotentRequest,
    run: () => Promise<unknown>,
  ): Promise<{ value: unknown; isRepeated: boolean }> {
    const fingerprint = hash('sha256', JSON.stringify(request), 'hex')
    const until = this.#clock.now() + WAIT_MS
    for (;;) {
      const state = await this.#requests.claim(key, { fingerprint, at: this.#clock.now(), holdMs: CLAIM_MS })
      if (state.kind === 'yours') return { value: await this.#runAndSave(key, fingerprint, run), isRepeated: false }
      if (state.fingerprint !== fingerprint) {
        throw new AppError('IDEMPOTENCY_CONFLICT', 'This Idempotency-Key was used for another request; take a new one.')
      }
      if (state.kind === 'answered') return { value: JSON.parse(state.answer), isRepeated: true }
      if (this.#clock.now() >= until) {
        const sentence = 'A request with this Idempotency-Key is under way; send it again in some minutes.'
        throw new AppError('IDEMPOTENCY_CONFLICT', sentence)
      }
      await new Promise<void>((resolve) => void this.#clock.after(POLL_INTERVAL_MS, resolve))
    }
  }

  async #runAndSave(key: string, fingerprint: string, run: () => Promise<unknown>): Promise<unknown> {
    const value = await run().catch(async (error: unknown) => {
      await this.#requests.release(key)
      throw error
    })
    const at = this.#clock.now()
    await this.#requests.save(key, { fingerprint, answer: JSON.stringify(value), at })
    if (at - this.#cleanedAt >= CLEANUP_INTERVAL_MS) {
      this.#cleanedAt = at
      await this.#requests.deleteOlderThan(at - KEY_RETENTION_MS)
    }
    return value
  }
}
