// Time is an argument of the engine, so that a simulation can run it faster than the wall.

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls back once after `delayMs`; the returned function cancels. */
  after(delayMs: number, callback: () => void): () => void
}

/** Calls back every `periodMs`, for the first time after one; the returned function cancels. */
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
