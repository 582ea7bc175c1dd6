// What a process at work on a store has, whether it stays or crawls in the foreground: a name, a beat, and the shifts
// that it tells of.

import { randomBytes } from 'node:crypto'
import type { Config } from '../config/schema.ts'
import type { RoleShift } from '../worker/role.ts'
import type { Shift } from '../worker/shift.ts'

export const BEAT_MS = 1_000
/** A database may be mended while the program runs; a file that failed once is refused until it is opened anew. */
const PATIENCE_MS = 600_000

export function patienceOf({ store }: Config): number {
  return store === null ? 0 : PATIENCE_MS
}

/** Letters and digits, different for every process wherever it runs. */
export function newWorkerId(): string {
  return `w${randomBytes(5).toString('hex')}`
}

export function roleShift(
  shift: Pick<Shift, 'run' | 'stop' | 'shareWith' | 'stats'>,
  trouble: Promise<never>,
): RoleShift {
  return {
    run: () => shift.run(trouble),
    stop: () => shift.stop(),
    shareWith: (workers) => shift.shareWith(workers),
    counts() {
      const { hosts: _hosts, ...counts } = shift.stats()
      return counts
    },
  }
}
