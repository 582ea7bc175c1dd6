// Ids without a sequence: a process takes a block of numbers with one update and counts on by itself.

import { AppError } from '../../lib/errors.ts'
import type { Queryable } from './query.ts'

export type IdName = 'url' | 'host' | 'page' | 'token' | 'process'

/** Hosts have 32 bits and few are new at a time; of processes each needs one number. */
const SIZES: Record<IdName, number> = { url: 10_000, host: 500, page: 10_000, token: 10_000, process: 1 }

const TAKE = {
  name: 'blocks_take',
  text: 'update blocks set next = next + $2 where name = $1 returning next - $2 as first',
}

interface Range {
  next: number
  end: number
}

/** Numbers set aside for one piece of work, so that it need not stop for them midway. */
export interface Allotment {
  next(): number
  /** What was not used serves the next. */
  giveBack(): void
}

export class Blocks {
  readonly #db: Queryable
  readonly #free = new Map<IdName, Range[]>()

  constructor(db: Queryable) {
    this.#db = db
  }

  async take(name: IdName, count: number): Promise<Allotment> {
    const free = this.#free.get(name) ?? []
    this.#free.set(name, free)
    const taken: Range[] = []
    let missing = count
    while (missing > 0) {
      const range = free.shift() ?? (await this.#fetch(name, missing))
      const end = Math.min(range.end, range.next + missing)
      taken.push({ next: range.next, end })
      missing -= end - range.next
      if (end < range.end) free.unshift({ next: end, end: range.end })
    }
    return allotment(name, taken, free)
  }

  async #fetch(name: IdName, atLeast: number): Promise<Range> {
    const size = Math.max(SIZES[name], atLeast)
    const [row] = (await this.#db.query({ ...TAKE, values: [name, size] })).rows
    if (row === undefined) throw new AppError('INTERNAL', `There are no blocks of ${name} ids.`)
    const first = Number(row['first'])
    return { next: first, end: first + size }
  }
}

function allotment(name: IdName, ranges: Range[], free: Range[]): Allotment {
  return {
    next() {
      const range = ranges[0]
      if (range === undefined) throw new AppError('INTERNAL', `Too few ${name} ids were set aside.`)
      const id = range.next++
      if (range.next === range.end) ranges.shift()
      return id
    },
    giveBack() {
      free.unshift(...ranges.splice(0))
    },
  }
}
