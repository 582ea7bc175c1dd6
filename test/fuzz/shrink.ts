const MAX_TRIES = 2000
const MAX_MS = 10_000

/** Removes parts of the input, large ones first, as long as the rest still fails. */
export async function shrinkInput(input: Buffer, fails: (smaller: Buffer) => Promise<boolean>): Promise<Buffer> {
  const started = performance.now()
  let least = input
  let tries = 0
  for (let size = Math.ceil(input.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < least.length; ) {
      tries += 1
      if (tries > MAX_TRIES || performance.now() - started > MAX_MS) return least
      const smaller = Buffer.concat([least.subarray(0, at), least.subarray(at + size)])
      if (await fails(smaller)) least = smaller
      else at += size
    }
  }
  return least
}
