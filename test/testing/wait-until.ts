import { setTimeout as sleep } from 'node:timers/promises'

export interface WaitOptions {
  /** Longer and longer waits if not given. */
  pollMs?: number
  /** Waits without a limit if not given; the test runner has one. */
  timeoutMs?: number
  timeoutMessage?: () => string
  signal?: AbortSignal
}

/** A check is often a request to a server, which takes milliseconds of CPU. */
const MIN_POLL_MS = 20
const MAX_POLL_MS = 100
const POLLED_SHARE = 0.1

/** Repeats a check until its result is truthy, and returns that result. Throws on a timeout or an abort. */
export async function waitUntil<T>(
  check: () => T | Promise<T>,
  { pollMs, timeoutMs = Number.POSITIVE_INFINITY, timeoutMessage, signal }: WaitOptions = {},
): Promise<NonNullable<T>> {
  const start = performance.now()
  const end = start + timeoutMs
  for (;;) {
    const result = await check()
    if (result) return result
    if (performance.now() > end) throw new Error(timeoutMessage?.() ?? `No result within ${timeoutMs / 1000} s.`)
    const waitMs = pollMs ?? Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, POLLED_SHARE * (performance.now() - start)))
    await sleep(waitMs, undefined, signal === undefined ? {} : { signal })
  }
}
