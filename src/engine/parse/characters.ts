export const NUL = 0
export const CR = 13
export const BANG = 33
export const DOUBLE_QUOTE = 34
export const AMPERSAND = 38
export const SINGLE_QUOTE = 39
export const HYPHEN = 45
export const SLASH = 47
export const LESS = 60
export const EQUALS = 61
export const GREATER = 62
export const QUESTION = 63

/** Tab, line feed, form feed, carriage return, space. A vertical tab is not whitespace in HTML. */
export function isSpace(code: number): boolean {
  return code === 32 || (code <= 13 && code >= 9 && code !== 11)
}

export function isLetter(code: number): boolean {
  const lower = code | 32
  return lower >= 97 && lower <= 122
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

export function trimSpaces(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return start === 0 && end === text.length ? text : text.slice(start, end)
}

export function collapseSpaces(text: string): string {
  // Single spaces, the most common case, stay untouched.
  return trimSpaces(text.replace(/[\t\n\f\r ]{2,}|[\t\n\f\r]/g, ' '))
}

/** toLowerCase() would also fold letters such as the Kelvin sign, which HTML keeps distinct. */
export function lowerAscii(text: string): string {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 65 && code <= 90) return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  }
  return text
}

/** `lower` must be lower-case ASCII; only letters are compared without case. */
export function equalsIgnoringCase(text: string, lower: string): boolean {
  return text.length === lower.length && spanEquals(text, 0, lower)
}

/** Whether `text` has `lower` at `start`; the caller has checked the length. */
export function spanEquals(text: string, start: number, lower: string): boolean {
  for (let i = 0; i < lower.length; i++) {
    const code = text.charCodeAt(start + i)
    const wanted = lower.charCodeAt(i)
    if (code !== wanted && !(code >= 65 && code <= 90 && (code | 32) === wanted)) return false
  }
  return true
}
