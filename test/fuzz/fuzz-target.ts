// A fuzz target generates inputs from a seeded random source and checks what must hold for each of them.

import type { SeededRandom } from '../../src/lib/seeded-random.ts'

export interface FuzzTarget {
  readonly name: string
  /** Concurrent runs: more than one only for targets that wait for a network. */
  readonly concurrency: number
  /** Whether any part of an input is also a valid input, so that a failing input can be shrunk. */
  readonly shrinks: boolean
  write(seededRandom: SeededRandom): Buffer
  open(): Promise<FuzzSession>
}

/** A target with its resources opened. */
export interface FuzzSession {
  /** Throws if a check fails. Uses the random source of the run, so that a run can be replayed. */
  check(input: Buffer, seededRandom: SeededRandom): void | Promise<void>
  /** Additional results to print after the runs. */
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
