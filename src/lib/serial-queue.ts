/** Makes a function that runs what it is given one after the other: for work of which several at a time would not fit into
 * memory. */
export function createSerialQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work)
    // Keeps no value and no failure.
    last = next.then(
      () => undefined,
      () => undefined,
    )
    return next
  }
}
