// Finds the ends of comments and raw text elements. False ends may fill a page, so each search continues where it
// stopped at a limit.

import { BANG, GREATER, HYPHEN, isSpace, SLASH, spanEquals } from './characters.ts'
import { findNearby } from './skip-markup.ts'

export interface RawTextSearch {
  /** The position, -1 if there is none, or NOT_YET if none was found up to the limit. */
  find(limit: number): number
}

export const NOT_YET = -2

/** Searches the `<` of the end tag of a raw text element. */
export class EndTagSearch implements RawTextSearch {
  readonly #html: string
  readonly #codes: Uint16Array
  readonly #name: string
  #at: number

  constructor(html: string, codes: Uint16Array, pos: number, name: string) {
    this.#html = html
    this.#codes = codes
    this.#name = name
    this.#at = html.indexOf('</', pos)
  }

  find(limit: number): number {
    const html = this.#html
    const codes = this.#codes
    let at = this.#at
    while (at !== -1 && at <= limit) {
      if (codes[at + 1] === SLASH && isTagAt(html, at + 2, this.#name)) return at
      at = findNearby(html, codes, '<', at + 1)
    }
    this.#at = at
    return at === -1 ? -1 : NOT_YET
  }
}

const PLAIN = 0
const ESCAPED = 1
const DOUBLE_ESCAPED = 2

/**
 * Searches the `<` of the `</script>` that closes a script. Inside `<!--` a nested `<script>` hides the next
 * `</script>`. https://html.spec.whatwg.org/multipage/parsing.html#script-data-double-escaped-state
 */
export class ScriptEndSearch implements RawTextSearch {
  readonly #html: string
  readonly #codes: Uint16Array
  #at: number
  #state = PLAIN
  #nextArrow = -1

  constructor(html: string, codes: Uint16Array, pos: number) {
    this.#html = html
    this.#codes = codes
    this.#at = html.indexOf('<', pos)
  }

  find(limit: number): number {
    const html = this.#html
    const codes = this.#codes
    let at = this.#at
    for (; at !== -1 && at <= limit; at = findNearby(html, codes, '<', at + 1)) if (this.#endsAt(at)) return at
    this.#at = at
    return at === -1 ? -1 : NOT_YET
  }

  #endsAt(at: number): boolean {
    const html = this.#html
    // A `-->` before this `<` ends the escape. The cached position keeps the scan linear.
    if (this.#state !== PLAIN && this.#nextArrow < at) this.#state = PLAIN
    const code = this.#codes[at + 1]
    if (code === BANG) {
      if (this.#state === PLAIN && html.startsWith('--', at + 2)) {
        // `<!-->` opens and ends at once: the arrow may share the dashes.
        if (this.#nextArrow < at + 2) this.#nextArrow = nextIndex(html, '-->', at + 2)
        this.#state = ESCAPED
      }
    } else if (code === SLASH) {
      if (!isTagAt(html, at + 2, 'script')) return false
      if (this.#state !== DOUBLE_ESCAPED) return true
      this.#state = ESCAPED
    } else if (this.#state === ESCAPED && isTagAt(html, at + 1, 'script')) {
      this.#state = DOUBLE_ESCAPED
    }
    return false
  }
}

/** Searches the position after the comment whose `<!--` is at `open`. */
export class CommentEndSearch implements RawTextSearch {
  readonly #html: string
  readonly #codes: Uint16Array
  readonly #open: number
  #at: number

  constructor(html: string, codes: Uint16Array, open: number) {
    this.#html = html
    this.#codes = codes
    this.#open = open
    // The dashes of `<!--` may be those of `-->`, so `<!-->` and `<!--->` are whole comments.
    this.#at = html.indexOf('--', open + 2)
  }

  find(limit: number): number {
    const html = this.#html
    const codes = this.#codes
    let at = this.#at
    for (; at !== -1 && at <= limit; at = findNearby(html, codes, '-', at + 1)) {
      if (codes[at + 1] !== HYPHEN) continue
      const code = codes[at + 2]
      // The `>` after the page is a sentinel, not part of the page.
      if (code === GREATER) return at + 2 < html.length ? at + 3 : -1
      if (code === BANG && at >= this.#open + 4 && html.charCodeAt(at + 3) === GREATER) return at + 4
    }
    this.#at = at
    return at === -1 ? -1 : NOT_YET
  }
}

function isTagAt(html: string, pos: number, name: string): boolean {
  const after = pos + name.length
  if (after >= html.length || !spanEquals(html, pos, name)) return false
  const code = html.charCodeAt(after)
  return code === GREATER || code === SLASH || isSpace(code)
}

function nextIndex(html: string, text: string, pos: number): number {
  const at = html.indexOf(text, pos)
  return at === -1 ? html.length : at
}
