// Splits a script into tokens, in one pass and without a syntax tree. It never fails: anything it does not understand
// is a punctuator. The content of a template is one token, including its expressions.

export type TokenKind = 'name' | 'string' | 'template' | 'number' | 'regex' | 'punctuator'

export type OnToken = (kind: TokenKind, start: number, end: number) => void

const CODE = { quote: 34, apostrophe: 39, backtick: 96, backslash: 92, slash: 47, star: 42, newline: 10 } as const
/** Words after which a slash starts a regular expression. */
const BEFORE_REGEX = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'delete',
  'void',
  'throw',
  'new',
  'else',
  'do',
  'yield',
  'await',
])

export function scanTokens(text: string, onToken: OnToken): void {
  let mayBeRegex = true
  /** A line is searched for the end of a regular expression only once, so that the time is linear. */
  let noRegexBefore = 0
  let at = 0
  const emit = (kind: TokenKind, end: number) => {
    onToken(kind, at, end)
    at = end
    mayBeRegex = false
  }
  while (at < text.length) {
    const code = text.charCodeAt(at)
    const next = text.charCodeAt(at + 1)
    if (code <= 32) at += 1
    else if (isNameStart(code)) {
      const start = at
      emit('name', endOfName(text, at))
      mayBeRegex = at - start <= 6 && BEFORE_REGEX.has(text.slice(start, at))
    } else if (code === CODE.quote || code === CODE.apostrophe) emit('string', endOfString(text, at, code))
    else if (code === CODE.backtick) emit('template', endOfString(text, at, code))
    else if (code >= 48 && code <= 57) emit('number', endOfName(text, at))
    else if (code === CODE.slash && next === CODE.slash) at = endOf(text, '\n', at)
    else if (code === CODE.slash && next === CODE.star) at = endOf(text, '*/', at + 2)
    else if (code === CODE.slash && mayBeRegex && at >= noRegexBefore) {
      const end = endOfRegex(text, at)
      if (end.isRegex) emit('regex', end.at)
      else noRegexBefore = end.at
    } else {
      emit('punctuator', at + 1)
      // A slash after a closing parenthesis or bracket divides. After a brace it is a regex more often than not.
      mayBeRegex = code !== 41 && code !== 93
    }
  }
}

function isNameStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 36 || code > 127
}

function endOfName(text: string, at: number): number {
  do at += 1
  while (at < text.length && (isNameStart(text.charCodeAt(at)) || isDigit(text.charCodeAt(at))))
  return at
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** A string ends at its line at the latest, a template does not. */
function endOfString(text: string, at: number, quote: number): number {
  for (at += 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) return at + 1
    if (code === CODE.backslash) at += 1
    else if (code === CODE.newline && quote !== CODE.backtick) return at
  }
  return text.length
}

/** A slash within brackets does not end it. Without an end in its line, it was a division. */
function endOfRegex(text: string, start: number): { isRegex: boolean; at: number } {
  let isClass = false
  let at = start + 1
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === CODE.newline) break
    if (code === CODE.backslash) at += 1
    else if (code === 91) isClass = true
    else if (code === 93) isClass = false
    else if (code === CODE.slash && !isClass) return { isRegex: true, at: at + 1 }
  }
  return { isRegex: false, at }
}

function endOf(text: string, mark: string, at: number): number {
  const found = text.indexOf(mark, at)
  return found === -1 ? text.length : found + mark.length
}
