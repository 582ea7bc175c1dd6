// Splits a query into tokens: words, phrases, operators, parentheses, fields with their values. Never fails: anything
// else is a word. Punctuation without a letter or digit is no token, so that prose does not become syntax.

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
/** Punctuation as wide as an ideograph counts as plain. */
const FULL_WIDTH = /[\uff01-\uff5e]/g
const FULL_WIDTH_OFFSET = 0xff01 - 0x21
/**
 * A quote right after a digit is a sign for inches. A single letter or digit after a hyphen is an option, as in "git
 * rebase -i"; NOT excludes it.
 */
const TOKEN =
  /\s*(?:(?<sign>[()])|(?<not>-)(?=[\p{L}\p{N}"(])(?![a-z0-9](?:[^\p{L}\p{N}+#*:]|$))|(?<field>[a-z][a-z-]*):(?:"(?<fieldPhrase>[^"]*)"?|(?<fieldValue>[^\s()"]+))|(?<!\d)"(?<phrase>[^"]*)"|(?<mark>")|(?<word>[^\s()"]+))/iuy
const NEAR = /^NEAR(?:\/(\d{1,4}))?$/
const HAS_TEXT = /[\p{L}\p{N}]/u

export function tokeniseQuery(text: string, isField: (name: string) => boolean): Token[] {
  const tokens: Token[] = []
  const plain = text.replaceAll(FULL_WIDTH, (wide) => String.fromCharCode(wide.charCodeAt(0) - FULL_WIDTH_OFFSET))
  const source = plain.replaceAll(QUOTES, '"')
  for (let at = 0; at < source.length; ) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(source)
    if (match === null) break
    at = TOKEN.lastIndex
    tokens.push(...toTokens(match.groups ?? {}, match[0].trim(), isField))
  }
  return dropEmptyParentheses(tokens)
}

type Groups = Record<string, string | undefined>

function toTokens(groups: Groups, whole: string, isField: (name: string) => boolean): Token[] {
  const { sign, not, field, phrase, word } = groups
  if (sign !== undefined) return [{ kind: sign === '(' ? 'open' : 'close' }]
  if (not !== undefined) return [{ kind: 'not' }]
  if (phrase !== undefined) return HAS_TEXT.test(phrase) ? [{ kind: 'phrase', text: phrase }] : []
  if (field !== undefined) {
    const name = field.toLowerCase()
    const value = groups['fieldPhrase'] ?? groups['fieldValue'] ?? ''
    if (isField(name)) return [{ kind: 'field', name, value, isPhrase: groups['fieldPhrase'] !== undefined }]
    // Not a field: `http://`, `10:30`.
    return [{ kind: 'word', text: whole.replaceAll('"', ' '), isPrefix: false }]
  }
  return word === undefined ? [] : toWord(word)
}

/** Drops empty parentheses, as in `printf()`, or around punctuation alone. */
function dropEmptyParentheses(tokens: readonly Token[]): Token[] {
  const kept: Token[] = []
  for (const token of tokens) {
    if (token.kind === 'close' && kept.at(-1)?.kind === 'open') kept.pop()
    else kept.push(token)
  }
  return kept
}

/** Shorter prefixes match too much of the index. */
const MIN_PREFIX = 3

/** `gard*` matches every word that starts with it. */
export function splitPrefix(word: string): { text: string; isPrefix: boolean } {
  const isPrefix = word.length > MIN_PREFIX && word.endsWith('*')
  return { text: isPrefix ? word.slice(0, -1) : word, isPrefix }
}

/** Shortened articles and pronouns of French and Italian. They are words of their own in pages too. */
const ELISION = /^(?:[cdjlmnst]|(?:jus|lors|puis|quoi)?qu|(?:de|ne|da|su|a)ll|gl|un)['\u2019](?=\p{L})/iu

function toWord(word: string): Token[] {
  if (word === 'AND' || word === '&&') return [{ kind: 'and' }]
  if (word === 'OR' || word === '||' || word === '|') return [{ kind: 'or' }]
  if (word === 'NOT') return [{ kind: 'not' }]
  const near = NEAR.exec(word)
  if (near !== null) {
    return [{ kind: 'near', distance: Math.min(MAX_DISTANCE, Number(near[1] ?? DEFAULT_DISTANCE)) }]
  }
  const text = word.replace(ELISION, '')
  return HAS_TEXT.test(text) ? [{ kind: 'word', ...splitPrefix(text) }] : []
}
