// Writes text for the pages of a simulated web.

import { type SeededRandom, seededRandom } from '../../../src/lib/seeded-random.ts'

const SYLLABLES = 'ba co di fu ga he jo ki lu ma ne po ra si tu va wen xor yil zan ther ing est'.split(' ')

export interface TextWriter {
  random: SeededRandom
  word(): string
  /** Words with spaces between them. */
  words(count: number): string
  paragraph(): string
}

/** Some words are common, most are rare, as in any language. */
export function makeTextWriter(seed: number, vocabulary = 4000): TextWriter {
  const random = seededRandom(seed)
  const all = Array.from({ length: vocabulary }, () =>
    Array.from({ length: 1 + random.below(3) }, () => random.pick(SYLLABLES)).join(''),
  )
  const word = () => all[Math.floor(vocabulary * random.next() ** 3)] ?? 'ba'
  const words = (count: number) => Array.from({ length: count }, word).join(' ')
  const paragraph = () => Array.from({ length: 2 + random.below(5) }, () => `${words(4 + random.below(14))}.`).join(' ')
  return { random, word, words, paragraph }
}

export function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i)
}
