/** Computes the value on the first call; later calls return the same. A promise is shared, also if it rejects. */
export function lazy<T>(compute: () => T): () => T {
  let value: T | null = null
  return () => (value ??= compute())
}
