// Parses a CSS selector of a user. Selectors that cannot be matched in linear time, or that have no meaning without a
// browser, are rejected with an explanation.

import type * as CssWhat from 'css-what'
import type { AttributeSelector, PseudoSelector, Selector as Token } from 'css-what'
import { lazy } from '../../lib/lazy.ts'

/** Loading it takes 4 ms in two threads, and few crawls have selectors. The web app has this module, but not node:module. */
const cssWhat = lazy(() => {
  const { createRequire } = process.getBuiltinModule('node:module')
  return createRequire(import.meta.url)('css-what') as typeof CssWhat
})

export const MAX_SELECTOR_LENGTH = 1000
/**
 * Limit of compounds, including those in :not() and :is(). Matching takes this many passes over the elements of a
 * page.
 */
const MAX_COMPOUNDS = 50

export type Combinator = 'descendant' | 'child' | 'adjacent' | 'sibling'
const COMBINATORS: readonly string[] = ['descendant', 'child', 'adjacent', 'sibling'] satisfies Combinator[]

const ATTRIBUTE_TESTS = ['any', 'element', 'end', 'equals', 'exists', 'hyphen', 'not', 'start'] as const

/** Positions of siblings, from 1: a * n + b for n >= 0. */
export interface Positions {
  step: number
  offset: number
}

export type Condition =
  | { kind: 'name'; name: string }
  | { kind: 'attribute'; name: string; test: (typeof ATTRIBUTE_TESTS)[number]; value: string; ignoresCase: boolean }
  | { kind: 'position'; positions: Positions; isFromEnd: boolean; isOfType: boolean }
  | { kind: 'empty' | 'root' }
  | { kind: 'matches'; selector: Selector; isNegated: boolean }
  /** Has a descendant, or a child, that matches. */
  | { kind: 'has'; selector: Selector; isChild: boolean }

export interface Compound {
  /** The relation of the element to one that matches the previous compound; null for the first compound. */
  combinator: Combinator | null
  conditions: Condition[]
}

/** Alternatives, each a chain of compounds. */
export type Selector = readonly (readonly Compound[])[]

class BadSelector extends Error {}

const ADVICE = 'Use tags, #ids, .classes, [attributes], >, +, ~, :nth-child(), :not(), :is() and :has().'

/** The problem is a sentence for the user. */
export function parseSelector(text: string): { selector: Selector } | { problem: string } {
  if (text.length > MAX_SELECTOR_LENGTH) {
    return { problem: `The selector is longer than ${MAX_SELECTOR_LENGTH} characters. Use a shorter one.` }
  }
  let tokens: Token[][]
  const invalid = { problem: `"${text.slice(0, 100)}" is not a CSS selector. ${ADVICE}` }
  const { parse } = cssWhat()
  try {
    tokens = parse(text)
  } catch {
    return invalid
  }
  if (!text.includes('\\') && hasStrangeName(tokens)) return invalid
  try {
    const count = { compounds: 0 }
    const selector = toSelector(tokens, count)
    return { selector }
  } catch (error) {
    if (error instanceof BadSelector) return { problem: error.message }
    throw error
  }
}

/**
 * Whether a name starts with an invalid character, which the parser allows: `p..price` would be a class named
 * `.price`.
 */
function hasStrangeName(alternatives: Token[][]): boolean {
  return alternatives.flat().some((token) => {
    if (token.type === 'pseudo') return Array.isArray(token.data) && hasStrangeName(token.data)
    if (token.type === 'tag') return isStrange(token.name)
    if (token.type !== 'attribute') return false
    const isClassOrId = token.ignoreCase === 'quirks'
    return isStrange(token.name) || (isClassOrId && isStrange(token.value))
  })
}

function isStrange(name: string): boolean {
  return !/^[\w\u0080-\uffff-]/u.test(name)
}

interface Count {
  compounds: number
}

function toSelector(alternatives: Token[][], count: Count): Selector {
  if (alternatives.length === 0) throw new BadSelector(`The selector is empty. ${ADVICE}`)
  return alternatives.map((tokens) => toChain(tokens, count))
}

function toChain(tokens: Token[], count: Count): Compound[] {
  const chain: Compound[] = []
  let combinator: Combinator | null = null
  let conditions: Condition[] | null = null
  for (const token of tokens) {
    if (cssWhat().isTraversal(token)) {
      if (conditions === null || !COMBINATORS.includes(token.type)) throw unsupported(`a ${token.type} here`)
      combinator = token.type as Combinator
      conditions = null
      continue
    }
    if (conditions === null) {
      count.compounds += 1
      if (count.compounds > MAX_COMPOUNDS) {
        throw new BadSelector(`The selector has more than ${MAX_COMPOUNDS} parts. Use a shorter one.`)
      }
      conditions = []
      chain.push({ combinator, conditions })
    }
    const condition = toCondition(token, count)
    if (condition !== null) conditions.push(condition)
  }
  if (conditions === null) throw new BadSelector(`The selector ends too early. ${ADVICE}`)
  return chain
}

/** Null if every element fulfils the condition. */
function toCondition(token: Token, count: Count): Condition | null {
  switch (token.type) {
    case 'universal':
      return null
    case 'tag':
      if (token.namespace !== null && token.namespace !== '*') throw unsupported('namespaces')
      return { kind: 'name', name: token.name.toLowerCase() }
    case 'attribute':
      return toAttribute(token)
    case 'pseudo':
      return toPseudo(token, count)
    case 'pseudo-element':
      throw unsupported(`::${token.name}`)
    default:
      throw unsupported(`a ${token.type} here`)
  }
}

function toAttribute({ name, action, value, ignoreCase }: AttributeSelector): Condition {
  const ignoresCase = ignoreCase === true
  return {
    kind: 'attribute',
    name: name.toLowerCase(),
    test: action,
    value: ignoresCase ? value.toLowerCase() : value,
    ignoresCase,
  }
}

const FIRST: Positions = { step: 0, offset: 1 }

function toPseudo({ name, data }: PseudoSelector, count: Count): Condition {
  switch (name) {
    case 'empty':
    case 'root':
      return { kind: name }
    case 'first-child':
    case 'first-of-type':
    case 'last-child':
    case 'last-of-type':
      return position(name, FIRST)
    case 'nth-child':
    case 'nth-last-child':
    case 'nth-of-type':
    case 'nth-last-of-type':
      return position(name, parsePositions(String(data)))
    case 'only-child':
    case 'only-of-type': {
      const isOfType = name === 'only-of-type'
      const both = [false, true].map((isFromEnd) => {
        return { kind: 'position', positions: FIRST, isFromEnd, isOfType } satisfies Condition
      })
      return { kind: 'matches', selector: [[{ combinator: null, conditions: both }]], isNegated: false }
    }
    case 'not':
    case 'is':
    case 'where':
    case 'matches':
      return { kind: 'matches', selector: toSelector(nestedTokens(name, data), count), isNegated: name === 'not' }
    case 'has':
      return toHas(nestedTokens(name, data), count)
    default:
      throw unsupported(`:${name}`)
  }
}

function position(name: string, positions: Positions): Condition {
  return { kind: 'position', positions, isFromEnd: name.includes('last'), isOfType: name.endsWith('of-type') }
}

/** Only a descendant or child that is a single compound; more would not be linear. */
function toHas(alternatives: Token[][], count: Count): Condition {
  const [tokens = []] = alternatives
  const isChild = tokens[0]?.type === 'child'
  const isRelative = isChild || tokens[0]?.type === 'descendant'
  const inner = isRelative ? tokens.slice(1) : tokens
  const isSimple = alternatives.length === 1 && !inner.some(cssWhat().isTraversal)
  if (!isSimple) throw unsupported('more than one part in :has()')
  return { kind: 'has', selector: toSelector([inner], count), isChild }
}

function nestedTokens(name: string, data: PseudoSelector['data']): Token[][] {
  if (!Array.isArray(data) || data.length === 0) throw new BadSelector(`:${name}() is empty. Put a selector into it.`)
  return data
}

const POSITIONS = /^\s*(?:([+-]?\d{0,6})n\s*(?:([+-])\s*(\d{1,6}))?|([+-]?\d{1,6}))\s*$/i

function parsePositions(text: string): Positions {
  const word = text.trim().toLowerCase()
  if (word === 'odd') return { step: 2, offset: 1 }
  if (word === 'even') return { step: 2, offset: 0 }
  const [, step, sign, offset, only] = POSITIONS.exec(text) ?? []
  if (only !== undefined) return { step: 0, offset: Number(only) }
  if (step === undefined) {
    throw new BadSelector(`"${text}" is not a position. Use a number, odd, even, or a formula such as 2n+1.`)
  }
  const factor = step === '' || step === '+' ? 1 : step === '-' ? -1 : Number(step)
  return { step: factor, offset: offset === undefined ? 0 : Number(`${sign}${offset}`) }
}

function unsupported(what: string): BadSelector {
  return new BadSelector(`Selectors cannot use ${what}. ${ADVICE}`)
}
