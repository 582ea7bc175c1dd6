// The patterns of one setting as one question: does the url match any of them? A url has at most MAX_URL_LENGTH
// characters and the patterns have a bounded size (pattern-syntax.ts), so the answer takes bounded time whoever wrote
// either. All patterns make one program, whose cost hardly grows with their number. A few that are plain text, such as
// ^https?://host/docs/ or \.pdf$, need no engine. docs/decisions.md has the figures.

import { RE2JS } from 're2js'
import { AppError } from '../../lib/errors.ts'
import { type Literals, MAX_WEIGHT, translatePattern } from './pattern-syntax.ts'

export const MAX_PATTERNS = 500
/** 40 ns for each; a program that looks for all of them takes 100 ns. */
const MAX_TEXTS = 8

/** What is wrong with a list of patterns: `expected` goes on from "must be". */
export interface PatternProblem {
  expected: string
  /** Null when it is about all of them. */
  pattern: string | null
}

interface Translated {
  re2: string
  literals: Literals | null
  weight: number
}

export class UrlPatterns {
  readonly isEmpty: boolean
  readonly #texts: Literals[]
  /** In the syntax of RE2; compiled when first needed, for most lists are only checked: 500 patterns take 80 ms. */
  readonly #rest: string[]
  #engine: RE2JS | null = null

  private constructor(patterns: Translated[]) {
    const texts = patterns.flatMap(({ literals }) => literals ?? [])
    const isMany = texts.length > MAX_TEXTS && weightOf(patterns) <= MAX_WEIGHT
    const rest = isMany ? patterns : patterns.filter(({ literals }) => literals === null)
    this.isEmpty = patterns.length === 0
    this.#texts = isMany ? [] : texts
    this.#rest = rest.map(({ re2 }) => `(?:${re2})`)
  }

  /** Patterns of a setting; BAD_CONFIG when one cannot be used, for they may have been stored by an older version. */
  static of(patterns: readonly string[], setting: string): UrlPatterns {
    const compiled = UrlPatterns.compile(patterns)
    if (compiled instanceof UrlPatterns) return compiled
    const { expected, pattern } = compiled
    const given = pattern === null ? `there are ${patterns.length}` : `it is ${JSON.stringify(pattern)}`
    throw new AppError('BAD_CONFIG', `${setting} must be ${expected}; ${given}.`)
  }

  static compile(patterns: readonly string[]): UrlPatterns | PatternProblem {
    if (patterns.length > MAX_PATTERNS) return { expected: `at most ${MAX_PATTERNS} patterns`, pattern: null }
    const translated: Translated[] = []
    for (const pattern of patterns) {
      const one = translatePattern(pattern)
      if ('refused' in one) return { expected: `a regular expression ${one.refused}`, pattern }
      translated.push(one)
    }
    if (weightOf(translated.filter(({ literals }) => literals === null)) <= MAX_WEIGHT)
      return new UrlPatterns(translated)
    const expected = `patterns that have at most ${MAX_WEIGHT} characters together with their repetitions written out`
    return { expected, pattern: null }
  }

  matches(url: string): boolean {
    for (const literals of this.#texts) if (hasAny(url, literals)) return true
    if (this.#rest.length === 0) return false
    this.#engine ??= RE2JS.compile(this.#rest.join('|'))
    return this.#engine.test(url)
  }
}

function weightOf(patterns: Translated[]): number {
  return patterns.reduce((sum, { weight }) => sum + weight, 0)
}

function hasAny(url: string, { texts, isAtStart, isAtEnd }: Literals): boolean {
  for (const text of texts) {
    if (
      isAtStart && isAtEnd
        ? url === text
        : isAtStart
          ? url.startsWith(text)
          : isAtEnd
            ? url.endsWith(text)
            : url.includes(text)
    )
      return true
  }
  return false
}
