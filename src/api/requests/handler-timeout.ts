// Work that waits for a store that is away would wait as long as that; a caller shall have an answer.

import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'

/** Statistics of the largest crawls take some seconds. */
export const HANDLER_TIMEOUT_MS = 60_000

/** What is under way goes on, and may yet succeed. */
export async function withHandlerTimeout<T>(work: Promise<T>, clock: Clock): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const cancel = clock.after(HANDLER_TIMEOUT_MS, () => {
    reject(
      new AppError('STORE_AWAY', `The store did not answer within ${HANDLER_TIMEOUT_MS / 1000} s; try again later.`),
    )
  })
  // Nobody is told of its failure any more once the caller has gone.
  work.catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    cancel()
  }
}
