import { decodeHTML } from 'entities/decode'
import { AMPERSAND, isDigit, isLetter } from './characters.ts'
import { copyCodes } from './utf16-codes.ts'

const HASH = 35
const SEMICOLON = 59
const LOWER_X = 120
/** The longest name is CounterClockwiseContourIntegral, with 31 letters. */
const MAX_NAME = 32
const MAX_CODE_POINT = 0x10ffff
const REPLACEMENT = 0xfffd

/** Text as code units; one object is reused for all references of a page. */
export interface CodeSpan {
  codes: Uint16Array
  start: number
  end: number
}

/** The most common reference on most pages. */
const AMP = Uint16Array.of(AMPERSAND)
const numeric = new Uint16Array(2)

/** Recently used names with their values, by hash: a page uses few, and no string is created for them. */
const SLOTS = 1024
const names: string[] = new Array(SLOTS).fill('')
const decoded: Uint16Array[] = new Array(SLOTS).fill(AMP)

/** Whether `&` before this code unit may start a reference. */
export function mayBeginReference(code: number): boolean {
  return isLetter(code) || code === HASH
}

/** End of the character reference whose `&` is at `pos`, if it is one: nothing after that changes its meaning. */
export function referenceEnd(codes: Uint16Array, pos: number, limit: number): number {
  let at = pos + 1
  if (at < limit && codes[at] === HASH) {
    at = numberEnd(codes, at + 1, limit)
    if (at === pos + 2) return at
  } else {
    const last = Math.min(limit, at + MAX_NAME)
    while (at < last && isNamePart(codes[at] ?? 0)) at++
  }
  return at < limit && codes[at] === SEMICOLON ? at + 1 : at
}

/** Decimal digits, or x and hexadecimal digits; `pos` itself if there are none. */
function numberEnd(codes: Uint16Array, pos: number, limit: number): number {
  const isHex = ((codes[pos] ?? 0) | 32) === LOWER_X
  const first = isHex ? pos + 1 : pos
  let at = first
  while (at < limit && digitOf(codes[at] ?? 0) < (isHex ? 16 : 10)) at++
  return at === first ? pos : at
}

/** The text of [start, end), as found by referenceEnd; valid until the next call. */
export function decodeReference(codes: Uint16Array, start: number, end: number, into: CodeSpan): void {
  if (isAmp(codes, start, end)) return point(into, AMP, 0, 1)
  if (end - start <= 2) return point(into, codes, start, end)
  if (codes[start + 1] === HASH) return point(into, numeric, 0, decodeNumber(codes, start + 2, end))
  const slot = slotOf(codes, start, end)
  if (!isSame(names[slot] ?? '', codes, start, end)) {
    names[slot] = String.fromCharCode(...codes.subarray(start, end))
    decoded[slot] = copyCodes(decodeHTML(names[slot]))
  }
  const text = decoded[slot] ?? AMP
  point(into, text, 0, text.length)
}

function point(span: CodeSpan, codes: Uint16Array, start: number, end: number): void {
  span.codes = codes
  span.start = start
  span.end = end
}

/** https://html.spec.whatwg.org/multipage/parsing.html#numeric-character-reference-end-state */
function decodeNumber(codes: Uint16Array, start: number, end: number): number {
  const isHex = ((codes[start] ?? 0) | 32) === LOWER_X
  const base = isHex ? 16 : 10
  let value = 0
  for (let at = isHex ? start + 1 : start; at < end; at++) {
    const digit = digitOf(codes[at] ?? 0)
    if (digit < base) value = Math.min(value * base + digit, MAX_CODE_POINT + 1)
  }
  const isNone = value === 0 || value > MAX_CODE_POINT || (value >= 0xd800 && value <= 0xdfff)
  if (value >= 0x80 && value <= 0x9f) value = WINDOWS_1252[value - 0x80] ?? value
  if (isNone || value <= 0xffff) {
    numeric[0] = isNone ? REPLACEMENT : value
    return 1
  }
  numeric[0] = 0xd7c0 + (value >> 10)
  numeric[1] = 0xdc00 | (value & 0x3ff)
  return 2
}

/** The meaning of numbers from 0x80 to 0x9f. */
const WINDOWS_1252 = copyCodes(
  new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, i) => 0x80 + i)),
)

/** The most common reference, found faster without a hash. */
function isAmp(codes: Uint16Array, start: number, end: number): boolean {
  return (
    end - start === 5 &&
    codes[start + 1] === 97 &&
    codes[start + 2] === 109 &&
    codes[start + 3] === 112 &&
    codes[start + 4] === SEMICOLON
  )
}

function slotOf(codes: Uint16Array, start: number, end: number): number {
  let hash = 0
  for (let at = start + 1; at < end; at++) hash = Math.imul(hash ^ (codes[at] ?? 0), 0x01000193)
  return (hash ^ (hash >>> 16)) & (SLOTS - 1)
}

function isSame(name: string, codes: Uint16Array, start: number, end: number): boolean {
  if (name.length !== end - start) return false
  for (let i = 1; i < name.length; i++) if (name.charCodeAt(i) !== codes[start + i]) return false
  return true
}

/** 0 to 15, or more if it is not a digit. */
function digitOf(code: number): number {
  if (isDigit(code)) return code - 48
  const letter = (code | 32) - 97
  return letter >= 0 && letter < 6 ? letter + 10 : 16
}

function isNamePart(code: number): boolean {
  return isLetter(code) || isDigit(code)
}
