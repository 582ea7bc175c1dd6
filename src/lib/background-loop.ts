// Repeats a step until it is stopped: with a pause after a step that had nothing to do, and with backoff after a
// failed step.

import type { Clock } from './clock.ts'
import { asAppError } from './errors.ts'
import type { Log } from './log.ts'
import { StopSignal } from './stop-signal.ts'

export interface BackgroundLoopOptions {
  clock: Clock
  log: Log
  idleMs: number
  /** Log message for a failed step. */
  failureText: string
}

const FIRST_RETRY_MS = 1000
const MAX_RETRY_MS = 60_000

export class BackgroundLoop {
  readonly #options: BackgroundLoopOptions
  readonly #stopSignal = new StopSignal()

  constructor(options: BackgroundLoopOptions) {
    this.#options = options
  }

  get isStopped(): boolean {
    return this.#stopSignal.isStopped
  }

  stop(): void {
    this.#stopSignal.stop()
  }

  /** Runs until stopped. `step` returns false if there was nothing to do. */
  async run(step: () => Promise<boolean>): Promise<void> {
    const { clock, log, idleMs, failureText } = this.#options
    let retryMs = FIRST_RETRY_MS
    while (!this.isStopped) {
      try {
        const isIdle = !(await step())
        retryMs = FIRST_RETRY_MS
        if (isIdle) await this.#stopSignal.sleep(idleMs, clock)
      } catch (error) {
        if (this.isStopped) return
        const { code, message } = asAppError(error)
        log.warn(failureText, { code, message, again_in_ms: retryMs })
        await this.#stopSignal.sleep(retryMs, clock)
        retryMs = Math.min(MAX_RETRY_MS, retryMs * 2)
      }
    }
  }
}
