// Makes inputs: an entry of the corpus or a sentence of a grammar, damaged a few times. Some are blown up to the
// largest size, to show what takes more than linear time.

import fc from 'fast-check'
import type { Random } from '../../src/demo/random.ts'
import { mutate, type Pool } from './mutate.ts'

export type Grammar = (random: Random) => string | Buffer

export interface Recipe {
  corpus: readonly (string | Buffer)[]
  /** Words that mean something to the target. */
  tokens: readonly string[]
  grammars: readonly Grammar[]
  maxBytes: number
}

const MAX_TOKENS = 24
const MAX_DAMAGES = 8
const INTACT = 0.1
const ONE_MORE = 0.6
const BLOWN_UP = 0.005

export function inputWriter({ corpus, tokens, grammars, maxBytes }: Recipe): (random: Random) => Buffer {
  const pool: Pool = { corpus: corpus.map(toOctets), tokens: tokens.map(toOctets) }
  return (random) => {
    let octets = random.chance(0.5) ? random.pick(pool.corpus) : toOctets(random.pick(grammars)(random))
    for (let damages = countDamages(random); damages > 0; damages--) octets = mutate(octets, random, pool)
    if (random.chance(BLOWN_UP)) octets = blowUp(octets, random, maxBytes)
    return Buffer.from(octets.slice(0, maxBytes), 'latin1')
  }
}

/** Any words in any order. */
export function anyOrder(tokens: readonly string[]): Grammar {
  return (random) => Array.from({ length: 1 + random.below(MAX_TOKENS) }, () => random.pick(tokens)).join('')
}

/** A grammar of fast-check, asked for one sentence. */
export function sampleOf(grammar: fc.Arbitrary<string>): Grammar {
  return (random) => fc.sample(grammar, { seed: random.below(2 ** 31), numRuns: 1 })[0] ?? ''
}

function countDamages(random: Random): number {
  if (random.chance(INTACT)) return 0
  let damages = 1
  while (damages < MAX_DAMAGES && random.chance(ONE_MORE)) damages += 1
  return damages
}

/** A part of it, be it one byte or all of them, over and over. */
function blowUp(octets: string, random: Random, maxBytes: number): string {
  const start = random.below(octets.length + 1)
  const end = start + 1 + random.below(octets.length - start + 1)
  const part = octets.slice(start, end)
  if (part === '') return octets
  const room = Math.max(0, maxBytes - octets.length)
  return octets.slice(0, end) + part.repeat(Math.floor(room / part.length)) + octets.slice(end)
}

function toOctets(text: string | Buffer): string {
  return (typeof text === 'string' ? Buffer.from(text, 'utf8') : text).toString('latin1')
}
