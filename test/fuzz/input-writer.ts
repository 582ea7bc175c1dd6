// Generates inputs: an entry of the corpus or a sentence of a grammar, mutated a few times. Some are inflated to the
// maximum size, to reveal superlinear time.

import fc from 'fast-check'
import type { SeededRandom } from '../../src/lib/seeded-random.ts'
import { type MutationPool, mutate } from './mutate.ts'

export type Grammar = (seededRandom: SeededRandom) => string | Buffer

export interface InputRecipe {
  corpus: readonly (string | Buffer)[]
  /** Words that are significant to the target. */
  tokens: readonly string[]
  grammars: readonly Grammar[]
  maxBytes: number
}

const MAX_TOKENS = 24
const MAX_MUTATIONS = 8
const INTACT_CHANCE = 0.1
const ANOTHER_MUTATION_CHANCE = 0.6
const INFLATE_CHANCE = 0.005

export function makeInputWriter({
  corpus,
  tokens,
  grammars,
  maxBytes,
}: InputRecipe): (seededRandom: SeededRandom) => Buffer {
  const mutationPool: MutationPool = { corpus: corpus.map(toOctets), tokens: tokens.map(toOctets) }
  return (seededRandom) => {
    let octets = seededRandom.chance(0.5)
      ? seededRandom.pick(mutationPool.corpus)
      : toOctets(seededRandom.pick(grammars)(seededRandom))
    for (let mutations = chooseMutationCount(seededRandom); mutations > 0; mutations--)
      octets = mutate(octets, seededRandom, mutationPool)
    if (seededRandom.chance(INFLATE_CHANCE)) octets = inflate(octets, seededRandom, maxBytes)
    return Buffer.from(octets.slice(0, maxBytes), 'latin1')
  }
}

/** Random words in random order. */
export function randomTokens(tokens: readonly string[]): Grammar {
  return (seededRandom) =>
    Array.from({ length: 1 + seededRandom.below(MAX_TOKENS) }, () => seededRandom.pick(tokens)).join('')
}

/** Adapts a fast-check arbitrary. */
export function fromArbitrary(grammar: fc.Arbitrary<string>): Grammar {
  return (seededRandom) => fc.sample(grammar, { seed: seededRandom.below(2 ** 31), numRuns: 1 })[0] ?? ''
}

function chooseMutationCount(seededRandom: SeededRandom): number {
  if (seededRandom.chance(INTACT_CHANCE)) return 0
  let mutations = 1
  while (mutations < MAX_MUTATIONS && seededRandom.chance(ANOTHER_MUTATION_CHANCE)) mutations += 1
  return mutations
}

/** Repeats a part of the input, from one byte to all of it. */
function inflate(octets: string, seededRandom: SeededRandom, maxBytes: number): string {
  const start = seededRandom.below(octets.length + 1)
  const end = start + 1 + seededRandom.below(octets.length - start + 1)
  const part = octets.slice(start, end)
  if (part === '') return octets
  const room = Math.max(0, maxBytes - octets.length)
  return octets.slice(0, end) + part.repeat(Math.floor(room / part.length)) + octets.slice(end)
}

function toOctets(text: string | Buffer): string {
  return (typeof text === 'string' ? Buffer.from(text, 'utf8') : text).toString('latin1')
}
