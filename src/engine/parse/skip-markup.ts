import {
  BANG,
  DOUBLE_QUOTE,
  EQUALS,
  GREATER,
  isLetter,
  isSpace,
  LESS,
  QUESTION,
  SINGLE_QUOTE,
  SLASH,
} from './characters.ts'
import { mayBeRelevantTag } from './tags.ts'

// The functions here run for every tag of every page. Each is one flat loop over the code units, because calls and
// repeated length checks cost as much as the work; utf16-codes.ts describes the sentinel `>` that ends the loops.

/** Distance up to which a character that is probably near is searched one by one. */
const NEAR = 16

/**
 * The next position of a character from `pos` on, or -1, for use where a previous search was in vain and others are
 * probably near: a search costs 20 ns to start, and a hostile page would make it start at every character.
 */
export function findNearby(html: string, codes: Uint16Array, character: string, pos: number): number {
  const code = character.charCodeAt(0)
  const end = Math.min(pos + NEAR, html.length)
  for (; pos < end; pos++) if (codes[pos] === code) return pos
  return html.indexOf(character, pos)
}

/** The next `<` from `pos` on that is not text, or -1. Beyond `limit` any `<` is returned. */
export function nextMarkup(html: string, codes: Uint16Array, pos: number, limit: number): number {
  // Tags often follow each other directly, which a single check finds faster than a search.
  let open = codes[pos] === LESS ? pos : html.indexOf('<', pos)
  while (open !== -1) {
    const code = codes[open + 1] ?? GREATER
    if (isLetter(code) || code === SLASH || code === BANG || code === QUESTION || open > limit) return open
    open = findNearby(html, codes, '<', open + 1)
  }
  return -1
}

/**
 * The `<` of the next markup from `pos` on that is more than an irrelevant tag, or -1. Beyond `limit` any tag is
 * returned.
 */
export function nextRelevantMarkup(html: string, codes: Uint16Array, pos: number, limit: number): number {
  let open = codes[pos] === LESS ? pos : html.indexOf('<', pos)
  while (open !== -1) {
    const first = codes[open + 1] ?? GREATER
    const second = codes[open + 2] ?? GREATER
    if (first === SLASH) {
      if (!isLetter(second)) return open
    } else if (isLetter(first)) {
      if (mayBeRelevantTag(first, second)) return open
    } else if (first === BANG || first === QUESTION) {
      return open
    } else {
      open = findNearby(html, codes, '<', open + 1)
      continue
    }
    if (open > limit) return open
    pos = skipTag(html, codes, open + 2)
    if (pos === -1) return -1
    open = codes[pos] === LESS ? pos : html.indexOf('<', pos)
  }
  return -1
}

/** Skips from inside a tag name to the position after the tag's `>`; -1 if the page ends first. */
export function skipTag(html: string, codes: Uint16Array, pos: number): number {
  pos = tagNameEnd(codes, pos)
  let code = codes[pos] ?? GREATER
  while (code !== GREATER) {
    if (code === SLASH || isSpace(code)) {
      code = codes[++pos] ?? GREATER
      continue
    }
    // A name may start with `=`; a later one ends it.
    do code = codes[++pos] ?? GREATER
    while (code > GREATER || (code !== GREATER && code !== EQUALS && code !== SLASH && !isSpace(code)))
    while (isSpace(code)) code = codes[++pos] ?? GREATER
    if (code !== EQUALS) continue
    do code = codes[++pos] ?? GREATER
    while (isSpace(code))
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      pos = code === DOUBLE_QUOTE ? html.indexOf('"', pos + 1) : html.indexOf("'", pos + 1)
      if (pos === -1) return -1
      code = codes[++pos] ?? GREATER
    } else {
      while (code !== GREATER && !isSpace(code)) code = codes[++pos] ?? GREATER
    }
  }
  return pos < html.length ? pos + 1 : -1
}

export function tagNameEnd(codes: Uint16Array, pos: number): number {
  let code = codes[pos] ?? GREATER
  while (code > GREATER || (code !== GREATER && code !== SLASH && !isSpace(code))) code = codes[++pos] ?? GREATER
  return pos
}

/** The position after the next `text`, or -1. */
export function skipPast(html: string, text: string, pos: number): number {
  const at = html.indexOf(text, pos)
  return at === -1 ? -1 : at + text.length
}
