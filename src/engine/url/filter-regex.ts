// Matches filters with wildcards or regular expressions with RE2. The package compiles them to RegExp, which a crafted
// URL keeps busy forever: `/q(a+)+$/`, and `a*b*c*d` as well.

import type { NetworkFilter } from '@ghostery/adblocker'
import { RE2JS } from 're2js'
import { translatePattern } from '../../config/values/pattern-syntax.ts'

/** Smaller than for the patterns of a crawl: a link may be matched against several filters. */
const MAX_FILTER_WEIGHT = 500

/**
 * The part of RegExp that the package uses. Compiled on first use, because most filters of a list never match a token.
 */
class LinearRegex {
  readonly source: string
  readonly #flags: string
  #engine: RE2JS | null = null

  constructor({ source, flags }: RegExp) {
    this.source = source
    this.#flags = flags
  }

  test(url: string): boolean {
    this.#engine ??= this.#compile()
    return this.#engine.test(url)
  }

  #compile(): RE2JS {
    const re2 = toRe2(this.source)
    if (re2 === null) throw new Error(`The filter pattern ${this.source} was not checked.`)
    return RE2JS.compile(re2, this.#flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0)
  }
}

/** Null if the pattern cannot be matched in linear time, or is too large. */
function toRe2(source: string): string | null {
  const patternTranslation = translatePattern(source)
  return 're2' in patternTranslation && patternTranslation.weight <= MAX_FILTER_WEIGHT ? patternTranslation.re2 : null
}

/** Whether a filter has no pattern, or one that can be matched in linear time. */
export function isLinearTime(filter: NetworkFilter): boolean {
  return !filter.isRegex() || toRe2(filter.getRegex().source) !== null
}

const linear = new WeakSet<NetworkFilter['getRegex']>()

/** Patches the class, not its instances: the engine deserializes filters from its own buffers on demand. */
export function patchToLinearTime({ prototype }: Pick<typeof NetworkFilter, 'prototype'>): void {
  const compile = prototype.getRegex
  if (linear.has(compile)) return
  prototype.getRegex = function getRegex(this: NetworkFilter): RegExp {
    this.regex ??= new LinearRegex(compile.call(this)) as unknown as RegExp
    return this.regex
  }
  linear.add(prototype.getRegex)
}
