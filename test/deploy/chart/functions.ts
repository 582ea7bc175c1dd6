// The functions of Helm that the chart calls, and no others: one that is missing here fails the test that meets it.

import { randomBytes } from 'node:crypto'
import { stringify } from 'yaml'

type Fn = (...args: unknown[]) => unknown

export function isTrue(value: unknown): boolean {
  if (value === null || value === undefined) return false
  if (typeof value === 'object') return Object.keys(value).length > 0
  return Boolean(value)
}

/** As it is printed; a value that is not there may not be. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  // Helm keeps the numbers of values as floats, and prints large ones as 1e+06.
  if (typeof value === 'number' && Math.abs(value) < 1e6) return String(value)
  throw new Error(`this cannot be printed as it is: ${JSON.stringify(value)}`)
}

function numberOf(value: unknown): number {
  if (typeof value !== 'number') throw new Error(`not a number: ${JSON.stringify(value)}`)
  return value
}

function indent(width: number, text: string): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(width))
}

export const FUNCTIONS: Record<string, Fn> = {
  add: (...terms) => terms.map(numberOf).reduce((sum, term) => sum + term),
  mul: (...factors) => factors.map(numberOf).reduce((product, factor) => product * factor),
  and: (...values) => values.find((value) => !isTrue(value)) ?? values.at(-1),
  or: (...values) => values.find(isTrue) ?? values.at(-1),
  not: (value) => !isTrue(value),
  b64enc: (text) => Buffer.from(textOf(text)).toString('base64'),
  contains: (part, text) => textOf(text).includes(textOf(part)),
  default: (fallback, value) => (isTrue(value) ? value : fallback),
  dict: (...pairs) => {
    const dict: Record<string, unknown> = {}
    for (let i = 0; i < pairs.length; i += 2) dict[textOf(pairs[i])] = pairs[i + 1]
    return dict
  },
  /** Steps into a map, a word each; the last but one is what there is when one is missing. */
  dig: (...args) => {
    const [fallback, map] = args.slice(-2)
    let value = map
    for (const step of args.slice(0, -2)) value = (value as Record<string, unknown> | undefined)?.[textOf(step)]
    return value ?? fallback
  },
  fail: (message) => {
    throw new Error(textOf(message))
  },
  gt: (a, b) => numberOf(a) > numberOf(b),
  // Values are floats and literals are whole numbers, which Go does not compare.
  int: (value) => Math.trunc(numberOf(value)),
  kindIs: (kind, value) => typeof value === kind,
  nindent: (width, text) => `\n${indent(numberOf(width), textOf(text))}`,
  printf: (format, ...args) => textOf(format).replaceAll('%s', () => textOf(args.shift())),
  quote: (value) => JSON.stringify(textOf(value)),
  randAlphaNum: (length) => randomBytes(numberOf(length)).toString('hex').slice(0, numberOf(length)),
  toYaml: (value) => stringify(value).trimEnd(),
  trimSuffix: (suffix, text) => {
    const [tail, whole] = [textOf(suffix), textOf(text)]
    return whole.endsWith(tail) ? whole.slice(0, -tail.length) : whole
  },
  trunc: (length, text) => textOf(text).slice(0, numberOf(length)),
}
