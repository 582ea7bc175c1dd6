// Waits until a server has indexed the pages that are there now. Pages that running crawls add meanwhile do not count.

export interface IndexState {
  isOn: boolean
  waiting: number
  /** How long ago the oldest waiting page was visited, by the server's clock. */
  lagMs: number
}

export interface WaitForIndexDependencies {
  read(): Promise<IndexState>
  /** Rises with time, in milliseconds. */
  now(): number
  sleep(): Promise<unknown>
  isStopped(): boolean
  show(waiting: number): void
}

/** Returns how many newer pages wait, or null if it was stopped. */
export async function waitForIndex({
  read,
  now,
  sleep,
  isStopped,
  show,
}: WaitForIndexDependencies): Promise<number | null> {
  let state = await read()
  const startedAt = now()
  // The time before a read, so that a page visited after it is newer than the start.
  let elapsedMs = -1
  while (state.waiting > 0 && !(state.isOn && state.lagMs <= elapsedMs)) {
    if (isStopped()) return null
    show(state.waiting)
    await sleep()
    elapsedMs = now() - startedAt
    state = await read()
  }
  return state.waiting
}
