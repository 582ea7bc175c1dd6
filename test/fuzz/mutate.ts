// Small mutations of an input. Inputs are binary strings with one character per byte, which makes cutting and joining
// simple.

import type { SeededRandom } from '../../src/lib/seeded-random.ts'

/** Binary strings that mutators take pieces from. */
export interface MutationPool {
  corpus: readonly string[]
  tokens: readonly string[]
}

export type Mutator = (octets: string, seededRandom: SeededRandom, mutationPool: MutationPool) => string

interface Slice {
  start: number
  end: number
}

const NUMBERS = ['0', '1', '-1', '00', '2', '7f', '80', 'ff', '100', '255', '256', '65535', '65536', '2147483647']
const LARGE_NUMBERS = [
  '2147483648',
  '4294967296',
  '9007199254740993',
  'ffffffffffffffff',
  '1e999',
  '99999999999999999999',
]
const MAX_REPEATS = 20

const flipBit: Mutator = (octets, seededRandom) => {
  const at = seededRandom.below(octets.length)
  return replace(
    octets,
    { start: at, end: at + 1 },
    String.fromCharCode(octets.charCodeAt(at) ^ (1 << seededRandom.below(8))),
  )
}

const setOctet: Mutator = (octets, seededRandom) => {
  const at = seededRandom.below(octets.length)
  return replace(octets, { start: at, end: at + 1 }, String.fromCharCode(seededRandom.below(256)))
}

const insertToken: Mutator = (octets, seededRandom, { tokens }) => {
  const at = seededRandom.below(octets.length + 1)
  return replace(octets, { start: at, end: at }, seededRandom.pick(tokens))
}

const overwriteWithToken: Mutator = (octets, seededRandom, { tokens }) =>
  replace(octets, pickSlice(octets, seededRandom), seededRandom.pick(tokens))

const deleteSlice: Mutator = (octets, seededRandom) => replace(octets, pickSlice(octets, seededRandom), '')

const truncate: Mutator = (octets, seededRandom) => octets.slice(0, seededRandom.below(octets.length + 1))

const behead: Mutator = (octets, seededRandom) => octets.slice(seededRandom.below(octets.length + 1))

const repeatSlice: Mutator = (octets, seededRandom) => {
  const slice = pickSlice(octets, seededRandom)
  return replace(octets, slice, octets.slice(slice.start, slice.end).repeat(1 + seededRandom.below(MAX_REPEATS)))
}

const moveSlice: Mutator = (octets, seededRandom) => {
  const slice = pickSlice(octets, seededRandom)
  const rest = replace(octets, slice, '')
  const at = seededRandom.below(rest.length + 1)
  return replace(rest, { start: at, end: at }, octets.slice(slice.start, slice.end))
}

/** Joins the start of one entry and the end of another. */
const splice: Mutator = (octets, seededRandom, { corpus }) => {
  const other = seededRandom.pick(corpus)
  return octets.slice(0, seededRandom.below(octets.length + 1)) + other.slice(seededRandom.below(other.length + 1))
}

const changeNumber: Mutator = (octets, seededRandom) => {
  const found = [...octets.slice(0, 10_000).matchAll(/\d[\da-f]*/gi)]
  if (found.length === 0) return octets
  const { index, 0: number } = seededRandom.pick(found)
  return replace(
    octets,
    { start: index, end: index + number.length },
    seededRandom.pick([...NUMBERS, ...LARGE_NUMBERS]),
  )
}

const changeCase: Mutator = (octets, seededRandom) => {
  const slice = pickSlice(octets, seededRandom)
  const text = octets.slice(slice.start, slice.end)
  return replace(
    octets,
    slice,
    text.replace(/[a-z]/gi, (letter) => String.fromCharCode(letter.charCodeAt(0) ^ 32)),
  )
}

const repeatLine: Mutator = (octets, seededRandom) => changeLines(octets, seededRandom, (line) => [line, line])
const dropLine: Mutator = (octets, seededRandom) => changeLines(octets, seededRandom, () => [])

const swapLines: Mutator = (octets, seededRandom) => {
  const lines = octets.split('\n')
  const [a, b] = [seededRandom.below(lines.length), seededRandom.below(lines.length)]
  const [first = '', second = ''] = [lines[a], lines[b]]
  lines[a] = second
  lines[b] = first
  return lines.join('\n')
}

const MUTATORS: readonly Mutator[] = [
  flipBit,
  setOctet,
  insertToken,
  insertToken,
  overwriteWithToken,
  overwriteWithToken,
  deleteSlice,
  truncate,
  behead,
  repeatSlice,
  moveSlice,
  splice,
  changeNumber,
  changeCase,
  repeatLine,
  dropLine,
  swapLines,
]

export function mutate(octets: string, seededRandom: SeededRandom, mutationPool: MutationPool): string {
  const mutator = octets === '' ? insertToken : seededRandom.pick(MUTATORS)
  return mutator(octets, seededRandom, mutationPool)
}

function changeLines(octets: string, seededRandom: SeededRandom, change: (line: string) => string[]): string {
  const lines = octets.split('\n')
  const at = seededRandom.below(lines.length)
  return lines.flatMap((line, i) => (i === at ? change(line) : [line])).join('\n')
}

/** Usually short: a few bytes suffice to turn a tag or a number into another. */
function pickSlice(octets: string, seededRandom: SeededRandom): Slice {
  const start = seededRandom.below(octets.length)
  const longest = seededRandom.chance(0.7) ? 8 : octets.length
  return { start, end: Math.min(octets.length, start + 1 + seededRandom.below(longest)) }
}

function replace(octets: string, { start, end }: Slice, by: string): string {
  return octets.slice(0, start) + by + octets.slice(end)
}
