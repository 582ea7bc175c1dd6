import { AMPERSAND, isDigit } from '../parse/characters.ts'

// All names that XML predefines. Entities of a DTD are ignored, so nothing can be made to expand.
const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

const SEMICOLON = 59
const MAX_CODE_POINT = 0x10ffff
// Leading zeros are allowed, but not more of them than this.
const LONGEST_REFERENCE = 16

/** A `&` that starts no reference is literal, as in `?a=1&b=2`. */
export function decodeXmlReferences(raw: string): string {
  let ampersand = raw.indexOf('&')
  if (ampersand === -1) return raw
  let text = ''
  let done = 0
  while (ampersand !== -1) {
    const semicolon = findSemicolon(raw, ampersand + 1)
    const character = semicolon === -1 ? null : characterOf(raw.slice(ampersand + 1, semicolon))
    if (character !== null) {
      text += raw.slice(done, ampersand) + character
      done = semicolon + 1
    }
    ampersand = raw.indexOf('&', character === null ? ampersand + 1 : done)
  }
  return text + raw.slice(done)
}

function findSemicolon(raw: string, start: number): number {
  const limit = Math.min(raw.length, start + LONGEST_REFERENCE)
  for (let at = start; at < limit; at++) {
    const code = raw.charCodeAt(at)
    if (code === SEMICOLON) return at
    if (code === AMPERSAND) return -1
  }
  return -1
}

function characterOf(name: string): string | null {
  if (name[0] !== '#') return NAMED.get(name) ?? null
  const isHex = name[1] === 'x' || name[1] === 'X'
  const digits = name.slice(isHex ? 2 : 1)
  if (digits === '') return null
  for (let i = 0; i < digits.length; i++) if (!isNumeral(digits.charCodeAt(i), isHex)) return null
  const code = Number.parseInt(digits, isHex ? 16 : 10)
  const isSurrogate = code >= 0xd800 && code <= 0xdfff
  return code === 0 || code > MAX_CODE_POINT || isSurrogate ? '\uFFFD' : String.fromCodePoint(code)
}

function isNumeral(code: number, isHex: boolean): boolean {
  const lower = code | 32
  return isDigit(code) || (isHex && lower >= 97 && lower <= 102)
}
