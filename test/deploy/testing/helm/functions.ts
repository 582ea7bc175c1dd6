// The Helm functions that the chart calls. A function that is missing here fails the test that uses it.

import { randomBytes } from 'node:crypto'
import { stringify } from 'yaml'

type HelmFunction = (...args: unknown[]) => unknown

export function isTruthy(value: unknown): boolean {
  if (value === null || value === undefined) return false
  if (typeof value === 'object') return Object.keys(value).length > 0
  return Boolean(value)
}

/** Formats a value as Helm prints it; a missing value is an error. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  // Helm parses numbers in values as floats, and prints large ones as 1e+06.
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

export const HELM_FUNCTIONS: Record<string, HelmFunction> = {
  add: (...terms) => terms.map(numberOf).reduce((sum, term) => sum + term),
  mul: (...factors) => factors.map(numberOf).reduce((product, factor) => product * factor),
  and: (...values) => values.find((value) => !isTruthy(value)) ?? values.at(-1),
  or: (...values) => values.find(isTruthy) ?? values.at(-1),
  not: (value) => !isTruthy(value),
  b64enc: (text) => Buffer.from(toText(text)).toString('base64'),
  contains: (part, text) => toText(text).includes(toText(part)),
  default: (fallback, value) => (isTruthy(value) ? value : fallback),
  dict: (...pairs) => {
    const dict: Record<string, unknown> = {}
    for (let i = 0; i < pairs.length; i += 2) dict[toText(pairs[i])] = pairs[i + 1]
    return dict
  },
  /** Follows keys into a map; the last argument but one is the default for a missing key. */
  dig: (...args) => {
    const [fallback, map] = args.slice(-2)
    let value = map
    for (const step of args.slice(0, -2)) value = (value as Record<string, unknown> | undefined)?.[toText(step)]
    return value ?? fallback
  },
  fail: (message) => {
    throw new Error(toText(message))
  },
  gt: (a, b) => numberOf(a) > numberOf(b),
  // Values are floats and literals are integers, which Go does not compare.
  int: (value) => Math.trunc(numberOf(value)),
  kindIs: (kind, value) => typeof value === kind,
  nindent: (width, text) => `\n${indent(numberOf(width), toText(text))}`,
  printf: (format, ...args) => toText(format).replaceAll('%s', () => toText(args.shift())),
  join: (separator, list) => (Array.isArray(list) ? list : []).map(toText).join(toText(separator)),
  quote: (value) => JSON.stringify(toText(value)),
  randAlphaNum: (length) => randomBytes(numberOf(length)).toString('hex').slice(0, numberOf(length)),
  toYaml: (value) => stringify(value).trimEnd(),
  trimSuffix: (suffix, text) => {
    const [tail, whole] = [toText(suffix), toText(text)]
    return whole.endsWith(tail) ? whole.slice(0, -tail.length) : whole
  },
  trunc: (length, text) => toText(text).slice(0, numberOf(length)),
}
