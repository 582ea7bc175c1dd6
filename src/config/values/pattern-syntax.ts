// User-supplied patterns use JavaScript's RegExp syntax (without flags) and are matched by RE2, which takes linear time
// for every pattern. RE2's syntax differs in places, so a pattern is translated: everything that RegExp and RE2 could
// read differently is written as a code point. Look-around and back-references, which no linear engine can match, are
// rejected. Spec: https://tc39.es/ecma262/#sec-regular-expressions-patterns (Annex B).

/** A pattern for RE2, or the reason why there is none. */
export type PatternTranslation =
  | { re2: string; literals: LiteralPattern | null; weight: number }
  | { refused: string; feature: PatternFeature }

export type PatternFeature = 'syntax' | 'look-ahead' | 'look-behind' | 'back-reference' | 'size'

/** A pattern without operators: matches if one of the texts occurs, anywhere or at an end. */
export interface LiteralPattern {
  texts: string[]
  isAtStart: boolean
  isAtEnd: boolean
}

export const MAX_PATTERN_LENGTH = 2_000
/** Characters of a pattern with all repetitions expanded. RE2 takes up to 50 ns times this per character of a URL. */
export const MAX_WEIGHT = 5_000
/** RE2's own limit. */
const MAX_REPEATS = 1_000
/** Deeper nesting overflows the stack of the code that walks it. */
const MAX_GROUPS_DEEP = 100
/** `https?:` expands to two texts; `(?:a?){9}` is not worth expanding. */
const MAX_LITERALS = 4

const NOTHING = '[^\\x{0}-\\x{10FFFF}]'
const ANYTHING = '[\\x{0}-\\x{10FFFF}]'
const QUANTIFIER = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y
const GROUP = /\((?:\?(?:([:=!]|<[=!])|<[^>]*>|([ims]*(?:-[ims]*)?:)))?/y
const OCTAL = /[0-3][0-7]{0,2}|[4-7][0-7]?/y
const HEX = /x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})/y
const CONTROLS: Record<string, number> = { f: 12, n: 10, r: 13, t: 9, v: 11 }

interface PatternSize {
  weight: number
  repeats: number
}

const ONE: Readonly<PatternSize> = { weight: 1, repeats: 1 }

class UnsupportedPattern extends Error {
  readonly feature: PatternFeature

  constructor(feature: PatternFeature, message: string) {
    super(message)
    this.feature = feature
  }
}

export function translatePattern(text: string): PatternTranslation {
  if (text.length > MAX_PATTERN_LENGTH) {
    return { refused: `of at most ${MAX_PATTERN_LENGTH} characters; split it into several patterns`, feature: 'size' }
  }
  try {
    new RegExp(text)
  } catch {
    return { refused: 'in JavaScript syntax', feature: 'syntax' }
  }
  try {
    return new Translator(text).translate()
  } catch (error) {
    if (error instanceof UnsupportedPattern) return { refused: error.message, feature: error.feature }
    throw error
  }
}

/** The text is a valid RegExp pattern, so cases that cannot occur in one are not checked here. */
class Translator {
  readonly #text: string
  #at = 0
  #re2 = ''
  /** Sizes of the open groups, the whole pattern first. `repeats` multiplies nested repetitions. */
  readonly #sizes = [{ weight: 0, repeats: 1 }]
  /** Null once the pattern has an operator. */
  #literals: string[] | null = ['']
  #isAtStart = false
  #isAtEnd = false

  constructor(text: string) {
    this.#text = text
  }

  translate(): PatternTranslation {
    while (this.#at < this.#text.length) this.#next()
    const literals = this.#literals
    return {
      re2: this.#re2,
      literals: literals && { texts: literals, isAtStart: this.#isAtStart, isAtEnd: this.#isAtEnd },
      weight: this.#sizes[0]?.weight ?? 0,
    }
  }

  #next(): void {
    const at = this.#at
    const char = this.#text[at] as string
    if (this.#isAtEnd) this.#literals = null
    switch (char) {
      case '^':
        if (at === 0) this.#isAtStart = true
        else this.#literals = null
        return this.#emit('^', 1, false)
      case '$':
        this.#isAtEnd = true
        return this.#emit('$', 1, false)
      case '|':
        return this.#emit('|', 1)
      case '(':
        return this.#openGroup()
      case ')':
        return this.#closeGroup()
      case '[':
        return this.#atom(this.#class())
      case '.':
        this.#at += 1
        return this.#atom('.')
      case '\\':
        return this.#escape()
      default:
        this.#at += 1
        return this.#character(char.charCodeAt(0))
    }
  }

  #emit(re2: string, length: number, isBeyondText = true): void {
    this.#re2 += re2
    this.#at += length
    if (isBeyondText) this.#literals = null
  }

  #openGroup(): void {
    const [whole, assertion, flags] = this.#match(GROUP) ?? ['(']
    if (assertion === '=' || assertion === '!') throw lookAroundError('look-ahead', `(?${assertion}`)
    if (assertion?.startsWith('<')) throw lookAroundError('look-behind', `(?${assertion}`)
    if (this.#sizes.length > MAX_GROUPS_DEEP) {
      throw new UnsupportedPattern('size', `with groups nested at most ${MAX_GROUPS_DEEP} deep`)
    }
    this.#sizes.push({ weight: 0, repeats: 1 })
    // Groups do not capture, since only whether the pattern matches is needed. RE2 rejects a minus sign without flags
    // after it.
    this.#emit(flags === undefined ? '(?:' : `(?${flags.replace('-:', ':')}`, whole.length)
  }

  #closeGroup(): void {
    const inner = this.#sizes.pop() ?? ONE
    this.#emit(')', 1)
    this.#quantify({ weight: inner.weight + 1, repeats: inner.repeats })
  }

  #atom(re2: string): void {
    this.#emit(re2, 0)
    this.#quantify(ONE)
  }

  #character(code: number): void {
    const literals = this.#literals
    const char = String.fromCharCode(code)
    this.#emit(codePoint(code), 0)
    const quantifier = this.#quantify(ONE)
    if (literals === null) return
    if (quantifier === '') this.#literals = literals.map((text) => text + char)
    else if (quantifier[0] === '?' && literals.length * 2 <= MAX_LITERALS) {
      this.#literals = literals.flatMap((text) => [text, text + char])
    }
  }

  /** Reads the quantifier, if any, that follows a part of this size. */
  #quantify({ weight, repeats }: PatternSize): string {
    const [whole, min, comma, max] = this.#match(QUANTIFIER) ?? ['']
    const times = min === undefined ? 1 : Math.max(1, Number(min), Number(max || 0))
    const around = this.#sizes.at(-1) ?? { ...ONE }
    around.repeats = Math.max(around.repeats, repeats * times)
    around.weight += weight * (comma !== undefined && max === '' ? times + 1 : times)
    if (around.repeats > MAX_REPEATS) {
      throw new UnsupportedPattern('size', `with at most ${MAX_REPEATS} repetitions, nested ones multiplied`)
    }
    if (around.weight > MAX_WEIGHT) {
      throw new UnsupportedPattern('size', `of at most ${MAX_WEIGHT} characters with its repetitions expanded`)
    }
    if (whole !== '') this.#emit(whole, whole.length)
    return whole
  }

  #escape(): void {
    const next = this.#text[this.#at + 1] as string
    if (/[dDwWsS]/.test(next)) {
      this.#at += 2
      return this.#atom(`\\${next}`)
    }
    if (next === 'b' || next === 'B') return this.#emit(`\\${next}`, 2)
    const isName = next === 'k' && /\(\?<[^=!]/.test(this.#text)
    if (/[1-9]/.test(next) || isName) {
      const advice = 'repeat the group instead'
      throw new UnsupportedPattern('back-reference', `without back-references such as \\${next}: ${advice}`)
    }
    this.#character(this.#escapedCode(false))
  }

  /** The code of an escape for one character; moves the position past it. */
  #escapedCode(isInClass: boolean): number {
    this.#at += 1
    const octal = this.#match(OCTAL)
    if (octal !== null) return this.#pass(octal[0].length, Number.parseInt(octal[0], 8))
    const hex = this.#match(HEX)
    if (hex !== null) return this.#pass(hex[0].length, Number.parseInt(hex[1] ?? hex[2] ?? '', 16))
    const char = this.#text[this.#at] as string
    if (char === 'b' && isInClass) return this.#pass(1, 8)
    if (char === 'c') return this.#controlCode(isInClass)
    return this.#pass(1, CONTROLS[char] ?? char.charCodeAt(0))
  }

  /** `\c` without a letter after it is a backslash followed by a c. */
  #controlCode(isInClass: boolean): number {
    const letter = this.#text[this.#at + 1] ?? ''
    const isControl = isInClass ? /\w/.test(letter) : /[a-zA-Z]/.test(letter)
    return isControl ? this.#pass(2, letter.charCodeAt(0) % 32) : '\\'.charCodeAt(0)
  }

  #pass<T>(length: number, value: T): T {
    this.#at += length
    return value
  }

  #class(): string {
    const isNegated = this.#text[this.#at + 1] === '^'
    this.#at += isNegated ? 2 : 1
    let members = ''
    while (this.#text[this.#at] !== ']') {
      const from = this.#classMember()
      const isRange = this.#text[this.#at] === '-' && this.#text[this.#at + 1] !== ']'
      if (!isRange) {
        members += classMemberSource(from)
        continue
      }
      this.#at += 1
      const to = this.#classMember()
      const isOfCodes = typeof from === 'number' && typeof to === 'number'
      members += isOfCodes
        ? `${codePoint(from)}-${codePoint(to)}`
        : `${classMemberSource(from)}${codePoint(45)}${classMemberSource(to)}`
    }
    this.#at += 1
    if (members === '') return isNegated ? ANYTHING : NOTHING
    return `[${isNegated ? '^' : ''}${members}]`
  }

  /** Returns a character code, or a class such as \d. */
  #classMember(): number | string {
    const char = this.#text[this.#at] as string
    if (char !== '\\') return this.#pass(1, char.charCodeAt(0))
    const next = this.#text[this.#at + 1] as string
    return /[dDwWsS]/.test(next) ? this.#pass(2, `\\${next}`) : this.#escapedCode(true)
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    return pattern.exec(this.#text)
  }
}

function classMemberSource(member: number | string): string {
  return typeof member === 'number' ? codePoint(member) : member
}

function codePoint(code: number): string {
  return `\\x{${code.toString(16)}}`
}

function lookAroundError(feature: 'look-ahead' | 'look-behind', written: string): UnsupportedPattern {
  const advice = 'use a separate exclude pattern instead'
  return new UnsupportedPattern(feature, `without ${feature} such as ${written}...): ${advice}`)
}
