// What is fuzzed. A target writes its inputs from chance alone and says what must hold for each of them.

import type { SeededRandom } from '../../src/lib/seeded-random.ts'

export interface FuzzTarget {
  readonly name: string
  /** Runs at a time: more than one only where they wait for a network. */
  readonly concurrency: number
  /** Whether a part of an input is an input as well, so that one that fails may be made smaller. */
  readonly shrinks: boolean
  write(seededRandom: SeededRandom): Buffer
  open(): Promise<FuzzSession>
}

/** A target made ready for its runs. */
export interface FuzzSession {
  /** Throws when something does not hold. Its chance is that of the run, so that a run can be replayed. */
  check(input: Buffer, seededRandom: SeededRandom): void | Promise<void>
  /** What else there is to tell when the runs are over. */
  notes(): string[]
  close(): Promise<void>
}

export function pureTarget(
  name: string,
  write: (seededRandom: SeededRandom) => Buffer,
  check: (input: Buffer, seededRandom: SeededRandom) => void,
): FuzzTarget {
  return {
    name,
    concurrency: 1,
    shrinks: true,
    write,
    open: async () => ({ check, notes: () => [], close: async () => undefined }),
  }
}
