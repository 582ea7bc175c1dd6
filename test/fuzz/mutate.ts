// Small damages to an input. Inputs travel as octets, one character a byte, so that cutting and joining is plain.

import type { Random } from '../../src/demo/random.ts'

/** What mutators take pieces from, as octets. */
export interface Pool {
  corpus: readonly string[]
  tokens: readonly string[]
}

export type Mutator = (octets: string, random: Random, pool: Pool) => string

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

const flipBit: Mutator = (octets, random) => {
  const at = random.below(octets.length)
  return replace(
    octets,
    { start: at, end: at + 1 },
    String.fromCharCode(octets.charCodeAt(at) ^ (1 << random.below(8))),
  )
}

const setOctet: Mutator = (octets, random) => {
  const at = random.below(octets.length)
  return replace(octets, { start: at, end: at + 1 }, String.fromCharCode(random.below(256)))
}

const insertToken: Mutator = (octets, random, { tokens }) => {
  const at = random.below(octets.length + 1)
  return replace(octets, { start: at, end: at }, random.pick(tokens))
}

const overwriteWithToken: Mutator = (octets, random, { tokens }) =>
  replace(octets, pickSlice(octets, random), random.pick(tokens))

const deleteSlice: Mutator = (octets, random) => replace(octets, pickSlice(octets, random), '')

const truncate: Mutator = (octets, random) => octets.slice(0, random.below(octets.length + 1))

const behead: Mutator = (octets, random) => octets.slice(random.below(octets.length + 1))

const repeatSlice: Mutator = (octets, random) => {
  const slice = pickSlice(octets, random)
  return replace(octets, slice, octets.slice(slice.start, slice.end).repeat(1 + random.below(MAX_REPEATS)))
}

const moveSlice: Mutator = (octets, random) => {
  const slice = pickSlice(octets, random)
  const rest = replace(octets, slice, '')
  const at = random.below(rest.length + 1)
  return replace(rest, { start: at, end: at }, octets.slice(slice.start, slice.end))
}

/** The start of one entry and the end of another. */
const splice: Mutator = (octets, random, { corpus }) => {
  const other = random.pick(corpus)
  return octets.slice(0, random.below(octets.length + 1)) + other.slice(random.below(other.length + 1))
}

const changeNumber: Mutator = (octets, random) => {
  const found = [...octets.slice(0, 10_000).matchAll(/\d[\da-f]*/gi)]
  if (found.length === 0) return octets
  const { index, 0: number } = random.pick(found)
  return replace(octets, { start: index, end: index + number.length }, random.pick([...NUMBERS, ...LARGE_NUMBERS]))
}

const changeCase: Mutator = (octets, random) => {
  const slice = pickSlice(octets, random)
  const text = octets.slice(slice.start, slice.end)
  return replace(
    octets,
    slice,
    text.replace(/[a-z]/gi, (letter) => String.fromCharCode(letter.charCodeAt(0) ^ 32)),
  )
}

const repeatLine: Mutator = (octets, random) => changeLines(octets, random, (line) => [line, line])
const dropLine: Mutator = (octets, random) => changeLines(octets, random, () => [])

const swapLines: Mutator = (octets, random) => {
  const lines = octets.split('\n')
  const [a, b] = [random.below(lines.length), random.below(lines.length)]
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

export function mutate(octets: string, random: Random, pool: Pool): string {
  const mutator = octets === '' ? insertToken : random.pick(MUTATORS)
  return mutator(octets, random, pool)
}

function changeLines(octets: string, random: Random, change: (line: string) => string[]): string {
  const lines = octets.split('\n')
  const at = random.below(lines.length)
  return lines.flatMap((line, i) => (i === at ? change(line) : [line])).join('\n')
}

/** Mostly short: a few bytes are what makes a tag or a number another. */
function pickSlice(octets: string, random: Random): Slice {
  const start = random.below(octets.length)
  const longest = random.chance(0.7) ? 8 : octets.length
  return { start, end: Math.min(octets.length, start + 1 + random.below(longest)) }
}

function replace(octets: string, { start, end }: Slice, by: string): string {
  return octets.slice(0, start) + by + octets.slice(end)
}
