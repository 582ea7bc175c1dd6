import { randomInt } from 'node:crypto'

/** Secret seed of a crawl's URL keys, so that no site can construct colliding URLs. */
export function newKeySeed(): number {
  return randomInt(2 ** 32)
}
