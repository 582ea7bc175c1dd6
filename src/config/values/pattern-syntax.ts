// User-supplied patterns use the syntax of JavaScript's RegExp (without flags) and are matched by RE2, which takes time
// in proportion to the text whatever the pattern. RE2 spells some things differently, so a pattern is translated:
// everything that RegExp and RE2 could read differently is written as a code point. What no linear engine can match
// (look-around, back-references) is refused. Spec: https://tc39.es/ecma262/#sec-regular-expressions-patterns (Annex B).

/** Either a pattern for RE2, or why there is none. */
export type PatternTranslation =
  | { re2: string; literals: LiteralPattern | null; weight: number }
  | { refused: string; feature: PatternFeature }

export type PatternFeature = 'syntax' | 'look-ahead' | 'look-behind' | 'back-reference' | 'size'

/** A pattern that is nothing but text: one of these, anywhere or at an end. */
export interface LiteralPattern {
  texts: string[]
  isAtStart: boolean
  isAtEnd: boolean
}

export const MAX_PATTERN_LENGTH = 2_000
/** Characters to match once every repetition is written out; RE2's cost for one character of a url is up to 50 ns times this. */
export const MAX_WEIGHT = 5_000
/** As RE2 has it. */
const MAX_REPEATS = 1_000
/** Deeper ones overflow the stack of whoever walks through them. */
const MAX_GROUPS_DEEP = 100
/** `https?:` has two, `(?:a?){9}` is not worth it. */
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
    return { refused: `of at most ${MAX_PATTERN_LENGTH} characters; make several patterns of it`, feature: 'size' }
  }
  try {
    new RegExp(text)
  } catch {
    return { refused: 'that compiles', feature: 'syntax' }
  }
  try {
    return new Translator(text).translate()
  } catch (error) {
    if (error instanceof UnsupportedPattern) return { refused: error.message, feature: error.feature }
    throw error
  }
}

/** The text is known to be a pattern of RegExp: what is left open here cannot be. */
class Translator {
  readonly #text: string
  #at = 0
  #re2 = ''
  /** Of each open group so far; the pattern itself is the first. `repeats` counts one within the other. */
  readonly #sizes = [{ weight: 0, repeats: 1 }]
  /** Null once something else than text has come. */
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
    // Whether it matches is all that is asked for, so nothing is captured.
    // RE2 refuses a minus sign without flags behind it.
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

  /** Answers the quantifier that follows what has this size, if there is one. */
  #quantify({ weight, repeats }: PatternSize): string {
    const [whole, min, comma, max] = this.#match(QUANTIFIER) ?? ['']
    const times = min === undefined ? 1 : Math.max(1, Number(min), Number(max || 0))
    const around = this.#sizes.at(-1) ?? { ...ONE }
    around.repeats = Math.max(around.repeats, repeats * times)
    around.weight += weight * (comma !== undefined && max === '' ? times + 1 : times)
    if (around.repeats > MAX_REPEATS) {
      throw new UnsupportedPattern(
        'size',
        `that repeats nothing more than ${MAX_REPEATS} times, one repetition within another`,
      )
    }
    if (around.weight > MAX_WEIGHT) {
      throw new UnsupportedPattern('size', `that has at most ${MAX_WEIGHT} characters with its repetitions written out`)
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
      const advice = 'write what it repeats a second time'
      throw new UnsupportedPattern('back-reference', `without back-references such as \\${next}: ${advice}`)
    }
    this.#character(this.#escapedCode(false))
  }

  /** Of an escape that stands for one character; the position moves behind it. */
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

  /** Without a letter after it `\c` is a backslash, and the c stands for itself. */
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

  /** A code, or a set such as \d. */
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
  const advice = 'say what to leave out in an exclude pattern of its own'
  return new UnsupportedPattern(feature, `without ${feature} such as ${written}...): ${advice}`)
}
