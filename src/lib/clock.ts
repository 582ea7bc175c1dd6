// The clock is injected, so that tests and simulations can run in virtual time.

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls back once after `delayMs`; the returned function cancels. */
  after(delayMs: number, callback: () => void): () => void
}

/** Calls back every `periodMs`, first after one period; the returned function cancels. */
export function repeat(clock: Clock, periodMs: number, callback: () => void): () => void {
  let cancel = clock.after(periodMs, function again() {
    callback()
    cancel = clock.after(periodMs, again)
  })
  return () => cancel()
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  },
}
