import { decodeHTML } from 'entities'
import { AMPERSAND, isDigit, isLetter } from './characters.ts'
import { copyCodes } from './codes.ts'

const HASH = 35
const SEMICOLON = 59

/** What most references of most pages are. */
const AMP = Uint16Array.of(AMPERSAND)
const COMMON: ReadonlyMap<string, Uint16Array> = new Map(
  ['&nbsp;', '&quot;', '&lt;', '&gt;', '&#39;', '&copy;', '&ndash;', '&mdash;', '&rsquo;', '&raquo;'].map(
    (reference) => [reference, copyCodes(decodeHTML(reference))],
  ),
)

/** Where a character reference ends whose `&` is at `pos`, if it is one: nothing behind that changes what it means. */
export function referenceEnd(codes: Uint16Array, pos: number, limit: number): number {
  let at = pos + 1
  if (at < limit && codes[at] === HASH) at++
  while (at < limit && isNamePart(codes[at] ?? 0)) at++
  return at < limit && codes[at] === SEMICOLON ? at + 1 : at
}

/** The text that [start, end), as found by referenceEnd, stands for. */
export function decodeReference(html: string, codes: Uint16Array, start: number, end: number): Uint16Array {
  if (isAmp(codes, start, end)) return AMP
  const reference = html.slice(start, end)
  return COMMON.get(reference) ?? copyCodes(decodeHTML(reference))
}

/** Of all references most are this one, and it is found sooner without a string. */
function isAmp(codes: Uint16Array, start: number, end: number): boolean {
  return (
    end - start === 5 &&
    codes[start + 1] === 97 &&
    codes[start + 2] === 109 &&
    codes[start + 3] === 112 &&
    codes[start + 4] === SEMICOLON
  )
}

function isNamePart(code: number): boolean {
  return isLetter(code) || isDigit(code)
}
