// Splits XML into tags and the text before each. Input arrives in chunks split anywhere, so every state survives its
// chunk. Broken XML is accepted: anything that is not markup is text, and a `<` inside a tag ends that tag.

import { DOUBLE_QUOTE, GREATER, isLetter, isSpace, LESS, SINGLE_QUOTE, SLASH } from '../parse/characters.ts'
import { DelimiterSearch } from './delimiter-search.ts'
import { DoctypeSkipper } from './doctype-skipper.ts'
import { TextBuffer } from './text-buffer.ts'

type TokeniserState = 'text' | 'open' | 'tag' | 'comment' | 'cdata' | 'instruction' | 'declaration' | 'doctype'

interface MarkupOpening {
  mark: string
  state: TokeniserState
}

const OPENINGS = {
  comment: { mark: '!--', state: 'comment' },
  cdata: { mark: '![cdata[', state: 'cdata' },
  doctype: { mark: '!doctype', state: 'doctype' },
  // It ends at the first `>`: some omit the question mark, and none of its values contains a `>`.
  xml: { mark: '?xml ', state: 'declaration' },
} as const satisfies Record<string, MarkupOpening>

const CDATA_CLOSE = ']]>'

// The rest of a longer tag is dropped.
const MAX_TAG_LENGTH = 16_384

const UNDERSCORE = 95
const FIRST_BEYOND_ASCII = 128

export class XmlTokeniser {
  /** The text since the previous tag, collected only while `wantsText`. */
  readonly text = new TextBuffer()
  wantsText = false
  readonly #endMark = new DelimiterSearch()
  readonly #doctype = new DoctypeSkipper()
  #state: TokeniserState = 'text'
  #opening = ''
  #partOfTag = ''
  #quote = 0
  #tag: string | null = null

  /** The text between `<` and `>` of the tag that the last read() reached, or null. */
  get tag(): string | null {
    return this.#tag
  }

  /** Reads past the next tag, or to the end of the chunk, and returns that position. */
  read(piece: string, pos: number): number {
    this.#tag = null
    while (pos < piece.length && this.#tag === null) pos = this.#step(piece, pos)
    return pos
  }

  #step(piece: string, pos: number): number {
    switch (this.#state) {
      case 'text':
        return this.#readText(piece, pos)
      case 'open':
        return this.#readOpening(piece, pos)
      case 'tag':
        return this.#readTag(piece, pos)
      case 'cdata':
        return this.#readCdata(piece, pos)
      case 'comment':
      case 'instruction':
      case 'declaration':
        return this.#skipTo(this.#endMark.find(piece, pos), piece)
      case 'doctype':
        return this.#skipTo(this.#doctype.skip(piece, pos), piece)
    }
  }

  #readText(piece: string, pos: number): number {
    const open = piece.indexOf('<', pos)
    const end = open === -1 ? piece.length : open
    if (this.wantsText && end > pos) this.text.add(piece.slice(pos, end))
    if (open === -1) return end
    const next = piece.charCodeAt(open + 1)
    if (next === SLASH || isNameStart(next)) return this.#enterTag(piece, open + 1)
    this.#state = 'open'
    this.#opening = ''
    return open + 1
  }

  #readOpening(piece: string, pos: number): number {
    const code = piece.charCodeAt(pos)
    if (this.#opening === '') {
      if (code === SLASH || isNameStart(code)) return this.#enterTag(piece, pos)
      if (piece[pos] !== '!' && piece[pos] !== '?') {
        if (this.wantsText) this.text.add('<')
        this.#state = 'text'
        return pos
      }
    }
    return this.#readMark(piece, pos)
  }

  #readMark(piece: string, pos: number): number {
    for (; pos < piece.length; pos++) {
      const opening = this.#opening + (isSpace(piece.charCodeAt(pos)) ? ' ' : piece.charAt(pos).toLowerCase())
      const { mark, state } = likelyOpening(opening)
      if (!mark.startsWith(opening)) {
        this.#enter(opening[0] === '?' ? 'instruction' : 'declaration')
        return pos
      }
      if (opening.length === mark.length) {
        this.#enter(state)
        return pos + 1
      }
      this.#opening = opening
    }
    return pos
  }

  #enterTag(piece: string, pos: number): number {
    this.#state = 'tag'
    this.#partOfTag = ''
    this.#quote = 0
    return this.#readTag(piece, pos)
  }

  #enter(tokeniserState: TokeniserState): void {
    this.#state = tokeniserState
    if (tokeniserState === 'comment') this.#endMark.begin('-->')
    else if (tokeniserState === 'cdata') this.#endMark.begin(CDATA_CLOSE)
    else if (tokeniserState === 'instruction') this.#endMark.begin('?>')
    else if (tokeniserState === 'declaration') this.#endMark.begin('>')
    else this.#doctype.begin()
  }

  #readTag(piece: string, pos: number): number {
    let quote = this.#quote
    let end = pos
    let code = 0
    for (; end < piece.length; end++) {
      code = piece.charCodeAt(end)
      if (code > GREATER) continue
      if (code === LESS || (code === GREATER && quote === 0)) break
      if (code !== DOUBLE_QUOTE && code !== SINGLE_QUOTE) continue
      if (quote === 0) quote = code
      else if (quote === code) quote = 0
    }
    this.#quote = quote
    const room = MAX_TAG_LENGTH - this.#partOfTag.length
    const tag = this.#partOfTag + piece.slice(pos, Math.min(end, pos + room))
    if (end === piece.length) {
      this.#partOfTag = tag
      return end
    }
    this.#tag = tag
    this.#state = 'text'
    return code === GREATER ? end + 1 : end
  }

  #readCdata(piece: string, pos: number): number {
    const end = this.#endMark.find(piece, pos)
    if (this.wantsText) {
      this.text.addVerbatim(piece.slice(pos, end === -1 ? piece.length : end))
      if (end !== -1) this.text.dropEnd(CDATA_CLOSE.length)
    }
    return this.#skipTo(end, piece)
  }

  #skipTo(end: number, piece: string): number {
    if (end === -1) return piece.length
    this.#state = 'text'
    return end
  }
}

/** The only construct that may follow, by its first two characters. Any other `<!` or `<?` is skipped to its end. */
function likelyOpening(opening: string): MarkupOpening {
  if (opening[0] === '?') return OPENINGS.xml
  if (opening[1] === '-') return OPENINGS.comment
  return opening[1] === '[' ? OPENINGS.cdata : OPENINGS.doctype
}

function isNameStart(code: number): boolean {
  return isLetter(code) || code === UNDERSCORE || code >= FIRST_BEYOND_ASCII
}
