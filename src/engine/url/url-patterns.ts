// The patterns of one setting as one question: does the url match any of them? A url has at most MAX_URL_LENGTH
// characters and the patterns have a bounded size (pattern-syntax.ts), so the answer takes bounded time whoever wrote
// either. All patterns make one program, whose cost hardly grows with their number. A few that are plain text, such as
// ^https?://host/docs/ or \.pdf$, need no engine. docs/explanation/decisions.md has the figures.

import { RE2JS } from 're2js'
import { type LiteralPattern, MAX_WEIGHT } from '../../config/values/pattern-syntax.ts'
import { type TranslatedPattern, totalWeight, translatePatterns } from '../../config/values/translate-patterns.ts'
import { AppError } from '../../lib/errors.ts'

/** 40 ns for each; a program that looks for all of them takes 100 ns. */
const MAX_TEXTS = 8

const MAX_SHOWN = 200

export class UrlPatterns {
  readonly isEmpty: boolean
  /** Matching a URL takes up to 50 ns for each of its characters times this. */
  readonly weight: number
  readonly #texts: LiteralPattern[]
  /** In the syntax of RE2; compiled when first needed, for most lists are only checked: 500 patterns take 80 ms. */
  readonly #rest: string[]
  #engine: RE2JS | null = null

  private constructor(patterns: TranslatedPattern[]) {
    const texts = patterns.flatMap(({ literals }) => literals ?? [])
    const isMany = texts.length > MAX_TEXTS && totalWeight(patterns) <= MAX_WEIGHT
    const rest = isMany ? patterns : patterns.filter(({ literals }) => literals === null)
    this.isEmpty = patterns.length === 0
    this.weight = totalWeight(rest)
    this.#texts = isMany ? [] : texts
    this.#rest = rest.map(({ re2 }) => `(?:${re2})`)
  }

  /** Patterns of a setting; BAD_CONFIG when one cannot be used, for they may have been stored by an older version. */
  static compile(patterns: readonly string[], setting: string): UrlPatterns {
    const translated = translatePatterns(patterns)
    if (Array.isArray(translated)) return new UrlPatterns(translated)
    const { expected, pattern } = translated
    const given = pattern === null ? `there are ${patterns.length}` : `it is "${pattern.slice(0, MAX_SHOWN)}"`
    throw new AppError('BAD_CONFIG', `${setting} must be ${expected}; ${given}.`)
  }

  matches(url: string): boolean {
    for (const literalPattern of this.#texts) if (matchesLiteral(url, literalPattern)) return true
    if (this.#rest.length === 0) return false
    this.#engine ??= RE2JS.compile(this.#rest.join('|'))
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
