import { setTimeout as sleep } from 'node:timers/promises'

export interface WaitOptions {
  pollMs?: number
  /** Waits without a limit if not given; the test runner has one. */
  timeoutMs?: number
  timeoutMessage?: () => string
  signal?: AbortSignal
}

/** Repeats a check until its result is truthy, and returns that result. Throws on a timeout or an abort. */
export async function waitUntil<T>(
  check: () => T | Promise<T>,
  { pollMs = 20, timeoutMs = Number.POSITIVE_INFINITY, timeoutMessage, signal }: WaitOptions = {},
): Promise<NonNullable<T>> {
  const end = performance.now() + timeoutMs
  for (;;) {
    const result = await check()
    if (result) return result
    if (performance.now() > end) throw new Error(timeoutMessage?.() ?? `No result within ${timeoutMs / 1000} s.`)
    await sleep(pollMs, undefined, signal === undefined ? {} : { signal })
  }
}
