// Keeps the cookie jar of a crawl thread and the store in step: a second after a change, and every few seconds without one.

import type { Clock } from '../../../lib/clock.ts'
import type { Cookies } from '../../../ports/cookies.ts'
import type { CookieJar } from './cookie-jar.ts'

const INTERVAL_MS = 1000
/** How often, in rounds, a thread without changes of its own requests the changes of other threads. */
const QUIET_ROUNDS = 5
/** After this time, all threads have a cookie that one of them has received, unless the store is slow. */
export const COOKIES_SHARED_MS = (QUIET_ROUNDS + 1) * INTERVAL_MS

export class CookieSync {
  readonly #jar: CookieJar
  readonly #crawlId: string
  readonly #cookies: Cookies
  readonly #clock: Clock
  readonly #onFailed: (error: unknown) => void
  #version = 0
  #quietRounds = 0
  #cancel: (() => void) | null = null
  #isClosed = false

  constructor(
    crawlId: string,
    jar: CookieJar,
    { cookies, clock, onFailed }: { cookies: Cookies; clock: Clock; onFailed: (error: unknown) => void },
  ) {
    this.#crawlId = crawlId
    this.#jar = jar
    this.#cookies = cookies
    this.#clock = clock
    this.#onFailed = onFailed
  }

  /** Resolves when the jar has the stored cookies. */
  async start(): Promise<void> {
    await this.#exchange()
    this.#schedule()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancel?.()
    await this.#exchange()
  }

  #schedule(): void {
    if (this.#isClosed) return
    this.#cancel = this.#clock.after(INTERVAL_MS, () => {
      this.#exchange(false).then(() => this.#schedule(), this.#onFailed)
    })
  }

  async #exchange(isForced = true): Promise<void> {
    const changes = this.#jar.takeChanges()
    this.#quietRounds = changes.length > 0 || isForced ? 0 : this.#quietRounds + 1
    if (changes.length === 0 && !isForced && this.#quietRounds % QUIET_ROUNDS !== 0) return
    const { version, cookies } = await this.#cookies.exchange({
      crawlId: this.#crawlId,
      changes,
      since: this.#version,
    })
    this.#version = version
    this.#jar.merge(cookies)
  }
}
