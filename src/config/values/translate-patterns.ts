// Checks and translates the patterns of one setting together. It does not load RE2, so reading settings stays fast.

import { type LiteralPattern, MAX_WEIGHT, translatePattern } from './pattern-syntax.ts'

export const MAX_PATTERNS = 500

/** A problem of a list of patterns; `expected` continues "must be". */
export interface PatternProblem {
  expected: string
  /** Null if the problem concerns the whole list. */
  pattern: string | null
}

export interface TranslatedPattern {
  re2: string
  literals: LiteralPattern | null
  weight: number
}

export function translatePatterns(patterns: readonly string[]): TranslatedPattern[] | PatternProblem {
  if (patterns.length > MAX_PATTERNS) return { expected: `at most ${MAX_PATTERNS} patterns`, pattern: null }
  const translated: TranslatedPattern[] = []
  for (const pattern of patterns) {
    const one = translatePattern(pattern)
    if ('refused' in one) return { expected: `a regular expression ${one.refused}`, pattern }
    translated.push(one)
  }
  if (totalWeight(translated.filter(({ literals }) => literals === null)) <= MAX_WEIGHT) return translated
  const expected = `patterns of at most ${MAX_WEIGHT} characters together, with their repetitions expanded`
  return { expected, pattern: null }
}

export function totalWeight(patterns: readonly TranslatedPattern[]): number {
  return patterns.reduce((sum, { weight }) => sum + weight, 0)
}
