// Runs retention while a crawl runs: at the start and every hour, one step at a time with pauses, so that the store and the
// archive stay available to the crawl.

import type { Clock } from '../../lib/clock.ts'
import { AppError, asAppError } from '../../lib/errors.ts'
import type { RetentionStep } from './retention-run.ts'

const PAUSE_MS = 100
const EVERY_MS = 3_600_000

export interface RetentionLoop {
  /** Resolves after the current step; returns why nothing was dropped, if so. */
  stop(): Promise<AppError | null>
}

export function startRetentionLoop(step: (now: number) => Promise<RetentionStep | null>, clock: Clock): RetentionLoop {
  let isOver = false
  let failure: AppError | null = null
  let wake: () => void = () => undefined
  const rest = (ms: number) =>
    new Promise<void>((resolve) => {
      const cancel = clock.after(ms, resolve)
      wake = () => {
        cancel()
        resolve()
      }
    })
  const run = async () => {
    while (!isOver) {
      const done = await step(clock.now())
      // Continues once the clock is corrected.
      failure = done?.kind === 'clock_doubtful' ? clockDoubtfulError() : null
      const isRest = done === null || done.kind === 'locked_elsewhere' || done.kind === 'clock_doubtful'
      if (!isOver) await rest(isRest ? EVERY_MS : PAUSE_MS)
    }
  }
  // The crawl continues without it; a failure of the store is reported elsewhere.
  const ended = run().catch((error: unknown) => {
    failure = asAppError(error)
  })
  return {
    async stop() {
      isOver = true
      wake()
      await ended
      return failure
    },
  }
}

function clockDoubtfulError(): AppError {
  return new AppError(
    'CLOCK_DOUBTFUL',
    'The last run was more than 400 days ago, or the clock is wrong. If the clock is right, run: orbweaver archive expire',
  )
}
