// Limits the time of a handler, because calls to an unavailable store would wait forever.

import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'

/** Generous: statistics of the largest crawls take some seconds. */
export const HANDLER_TIMEOUT_MS = 60_000

/** After a timeout the operation continues and may still succeed. */
export async function withHandlerTimeout<T>(operation: Promise<T>, clock: Clock): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const cancel = clock.after(HANDLER_TIMEOUT_MS, () => {
    reject(
      new AppError('STORE_AWAY', `The store did not respond within ${HANDLER_TIMEOUT_MS / 1000} s. Try again later.`),
    )
  })
  // Avoids an unhandled rejection after a timeout.
  operation.catch(() => undefined)
  try {
    return await Promise.race([operation, timeout])
  } finally {
    cancel()
  }
}
