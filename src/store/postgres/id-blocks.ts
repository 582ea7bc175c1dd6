// Ids without a sequence: a process reserves a block of numbers with one update and counts on its own.

import { AppError } from '../../lib/errors.ts'
import type { Queryable } from './query.ts'

export type IdName = 'url' | 'host' | 'page' | 'token' | 'process'

/** Hosts have 32 bits and few are new at a time; a process needs one number. */
const SIZES: Record<IdName, number> = { url: 10_000, host: 500, page: 10_000, token: 10_000, process: 1 }

const RESERVE = {
  name: 'blocks_reserve',
  text: 'update blocks set next = next + $2 where name = $1 returning next - $2 as first',
}

interface IdRange {
  next: number
  end: number
}

/** Numbers reserved for one task, so that it does not have to stop for them midway. */
export interface IdBlock {
  next(): number
  /** Returns unused numbers. */
  returnUnused(): void
}

export class IdBlocks {
  readonly #db: Queryable
  readonly #free = new Map<IdName, IdRange[]>()

  constructor(db: Queryable) {
    this.#db = db
  }

  async reserve(name: IdName, count: number): Promise<IdBlock> {
    const free = this.#free.get(name) ?? []
    this.#free.set(name, free)
    const taken: IdRange[] = []
    let missing = count
    while (missing > 0) {
      const idRange = free.shift() ?? (await this.#fetch(name, missing))
      const end = Math.min(idRange.end, idRange.next + missing)
      taken.push({ next: idRange.next, end })
      missing -= end - idRange.next
      if (end < idRange.end) free.unshift({ next: end, end: idRange.end })
    }
    return makeIdBlock(name, taken, free)
  }

  async #fetch(name: IdName, atLeast: number): Promise<IdRange> {
    const size = Math.max(SIZES[name], atLeast)
    const [row] = (await this.#db.query({ ...RESERVE, values: [name, size] })).rows
    if (row === undefined) throw new AppError('INTERNAL', `There is no block of ${name} ids.`)
    const first = Number(row['first'])
    return { next: first, end: first + size }
  }
}

function makeIdBlock(name: IdName, ranges: IdRange[], free: IdRange[]): IdBlock {
  return {
    next() {
      const range = ranges[0]
      if (range === undefined) throw new AppError('INTERNAL', `Too few ${name} ids were reserved.`)
      const id = range.next++
      if (range.next === range.end) ranges.shift()
      return id
    },
    returnUnused() {
      free.unshift(...ranges.splice(0))
    },
  }
}
