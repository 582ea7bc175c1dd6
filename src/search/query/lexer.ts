// Splits a query into tokens: words, phrases, operators, parentheses, fields with their values. Never fails: anything
// else is a word.

export type Token =
  | { kind: 'word'; text: string; isPrefix: boolean }
  | { kind: 'phrase'; text: string }
  | { kind: 'field'; name: string; value: string; isPhrase: boolean }
  | { kind: 'open' | 'close' | 'and' | 'or' | 'not' }
  | { kind: 'near'; distance: number }

const DEFAULT_DISTANCE = 10
const MAX_DISTANCE = 100
/** Typographic quotes count as plain ones. */
const QUOTES = /[“”„«»]/g
const TOKEN =
  /\s*(?:(?<sign>[()])|(?<not>-)(?=[^\s-])|(?<field>[a-z][a-z-]*):(?:"(?<fieldPhrase>[^"]*)"?|(?<fieldValue>[^\s()"]+))|"(?<phrase>[^"]*)"?|(?<word>[^\s()"]+))/iy
const NEAR = /^NEAR(?:\/(\d{1,4}))?$/

export function tokeniseQuery(text: string, isField: (name: string) => boolean): Token[] {
  const tokens: Token[] = []
  const source = text.replaceAll(QUOTES, '"')
  for (let at = 0; at < source.length; ) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(source)
    if (match === null) break
    at = TOKEN.lastIndex
    tokens.push(...toTokens(match.groups ?? {}, match[0].trim(), isField))
  }
  return tokens
}

type Groups = Record<string, string | undefined>

function toTokens(groups: Groups, whole: string, isField: (name: string) => boolean): Token[] {
  const { sign, not, field, phrase, word } = groups
  if (sign !== undefined) return [{ kind: sign === '(' ? 'open' : 'close' }]
  if (not !== undefined) return [{ kind: 'not' }]
  if (phrase !== undefined) return phrase.trim() === '' ? [] : [{ kind: 'phrase', text: phrase }]
  if (field !== undefined) {
    const name = field.toLowerCase()
    const value = groups['fieldPhrase'] ?? groups['fieldValue'] ?? ''
    if (isField(name)) return [{ kind: 'field', name, value, isPhrase: groups['fieldPhrase'] !== undefined }]
    // Not a field, as in `http://` or `10:30`.
    return [{ kind: 'word', text: whole.replaceAll('"', ' '), isPrefix: false }]
  }
  return word === undefined ? [] : [toWord(word)]
}

/** Shorter prefixes match too much of the index. */
const MIN_PREFIX = 3

/** `gard*` matches every word that starts with it. */
export function splitPrefix(word: string): { text: string; isPrefix: boolean } {
  const isPrefix = word.length > MIN_PREFIX && word.endsWith('*')
  return { text: isPrefix ? word.slice(0, -1) : word, isPrefix }
}

function toWord(word: string): Token {
  if (word === 'AND' || word === '&&') return { kind: 'and' }
  if (word === 'OR' || word === '||' || word === '|') return { kind: 'or' }
  if (word === 'NOT') return { kind: 'not' }
  const near = NEAR.exec(word)
  if (near !== null) {
    return { kind: 'near', distance: Math.min(MAX_DISTANCE, Number(near[1] ?? DEFAULT_DISTANCE)) }
  }
  return { kind: 'word', ...splitPrefix(word) }
}
