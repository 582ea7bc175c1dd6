import { randomInt } from 'node:crypto'

/** The secret of a new crawl's url keys. */
export function newKeySeed(): number {
  return randomInt(2 ** 32)
}
