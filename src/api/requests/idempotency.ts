// Idempotent requests: requests with the same key are executed once, also across processes, and get the same response.
// The first request claims the key; the others wait for its response. If its process dies, it is unknown whether the work
// was done: the claim expires, and the next request does it.

import { hash } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { IdempotencyKeys } from '../../ports/access.ts'
import type { RouteName } from '../contract/paths.ts'
import { HANDLER_TIMEOUT_MS } from './handler-timeout.ts'

/** Routes that create something. */
export const IDEMPOTENT_ROUTES: readonly RouteName[] = ['createCrawl', 'rerunCrawl']

export const KEY_RETENTION_MS = 86_400_000
const CLEANUP_INTERVAL_MS = 3_600_000
/** Longer than any request waits. */
const CLAIM_MS = 2 * HANDLER_TIMEOUT_MS
const POLL_INTERVAL_MS = 100
const WAIT_MS = HANDLER_TIMEOUT_MS / 2
export const MAX_KEY_LENGTH = 200

export interface IdempotentRequest {
  /** Unique per client and route. */
  key: string
  /** The full input of the request. */
  request: unknown
}

export class IdempotentRequests {
  readonly #requests: IdempotencyKeys
  readonly #clock: Clock
  #cleanedAt = 0

  constructor(keys: IdempotencyKeys, clock: Clock) {
    this.#requests = keys
    this.#clock = clock
  }

  async runOnce(
    { key, request }: IdempotentRequest,
    run: () => Promise<unknown>,
  ): Promise<{ value: unknown; isRepeated: boolean }> {
    const fingerprint = hash('sha256', JSON.stringify(request), 'hex')
    const until = this.#clock.now() + WAIT_MS
    for (;;) {
      const state = await this.#requests.claim(key, { fingerprint, at: this.#clock.now(), claimMs: CLAIM_MS })
      if (state.kind === 'yours') return { value: await this.#runAndSave(key, fingerprint, run), isRepeated: false }
      if (state.fingerprint !== fingerprint) {
        throw new AppError(
          'IDEMPOTENCY_CONFLICT',
          'This Idempotency-Key was already used for a different request. Use a new one.',
        )
      }
      if (state.kind === 'answered') return { value: JSON.parse(state.answer), isRepeated: true }
      if (this.#clock.now() >= until) {
        const message = 'A request with this Idempotency-Key is still in progress. Try again in a few minutes.'
        throw new AppError('IDEMPOTENCY_CONFLICT', message)
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
