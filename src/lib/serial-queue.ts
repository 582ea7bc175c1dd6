/** Returns a function that runs tasks one after the other, for tasks that need too much memory to run concurrently. */
export function createSerialQueue(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const next = last.then(task)
    // Drops the value and the failure, so that neither is retained.
    last = next.then(
      () => undefined,
      () => undefined,
    )
    return next
  }
}
