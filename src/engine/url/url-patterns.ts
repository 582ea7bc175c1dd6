// Checks whether a URL matches any pattern of a setting. URLs have at most MAX_URL_LENGTH characters and patterns have
// a bounded size (pattern-syntax.ts), so matching takes bounded time whoever wrote either. All patterns form one
// program, whose cost hardly grows with their number. A few plain-text patterns, such as ^https?://host/docs/ or
// \.pdf$, need no engine. docs/explanation/decisions.md has the figures.

import { createRequire } from 'node:module'
import type * as Re2js from 're2js'
import { type LiteralPattern, MAX_WEIGHT } from '../../config/values/pattern-syntax.ts'
import { type TranslatedPattern, totalWeight, translatePatterns } from '../../config/values/translate-patterns.ts'
import { AppError } from '../../lib/errors.ts'
import { lazy } from '../../lib/lazy.ts'

/** 40 ns each; a program for all of them takes 100 ns. */
const MAX_TEXTS = 8

const MAX_SHOWN = 200

/** Loading it takes 5 ms, and most crawls have no pattern that needs it. */
const re2js = lazy(() => createRequire(import.meta.url)('re2js') as typeof Re2js)

export class UrlPatterns {
  readonly isEmpty: boolean
  /** Matching a URL takes up to 50 ns per character times this. */
  readonly weight: number
  readonly #texts: LiteralPattern[]
  /** Patterns in RE2 syntax; compiled on first use, because most lists are only validated: 500 patterns take 80 ms. */
  readonly #rest: string[]
  #engine: Re2js.RE2JS | null = null

  private constructor(patterns: TranslatedPattern[]) {
    const texts = patterns.flatMap(({ literals }) => literals ?? [])
    const isMany = texts.length > MAX_TEXTS && totalWeight(patterns) <= MAX_WEIGHT
    const rest = isMany ? patterns : patterns.filter(({ literals }) => literals === null)
    this.isEmpty = patterns.length === 0
    this.weight = totalWeight(rest)
    this.#texts = isMany ? [] : texts
    this.#rest = rest.map(({ re2 }) => `(?:${re2})`)
  }

  /** Throws BAD_CONFIG if a pattern is invalid, since patterns may have been stored by an older version. */
  static compile(patterns: readonly string[], setting: string): UrlPatterns {
    const translated = translatePatterns(patterns)
    if (Array.isArray(translated)) return new UrlPatterns(translated)
    const { expected, pattern } = translated
    const actual = pattern === null ? `there are ${patterns.length}` : `it is "${pattern.slice(0, MAX_SHOWN)}"`
    throw new AppError('BAD_CONFIG', `${setting} must be ${expected}; ${actual}.`)
  }

  matches(url: string): boolean {
    for (const literalPattern of this.#texts) if (matchesLiteral(url, literalPattern)) return true
    if (this.#rest.length === 0) return false
    this.#engine ??= re2js().RE2JS.compile(this.#rest.join('|'))
    return this.#engine.test(url)
  }
}

function matchesLiteral(url: string, { texts, isAtStart, isAtEnd }: LiteralPattern): boolean {
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
