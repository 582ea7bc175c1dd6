import { isAscii } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { isSpace } from '../parse/characters.ts'
import { findEncoding } from '../parse/charset/decode-html.ts'
import { prescanEncoding } from '../parse/charset/prescan.ts'

const MAX_DECLARATION_BYTES = 1024

/**
 * The encoding given by the byte order mark, or else by the XML declaration. The header is ignored: it is either UTF-8
 * or wrong.
 */
export function encodingOf(head: Buffer): string {
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8'
  const limit = Math.min(head.length, MAX_DECLARATION_BYTES)
  let start = 0
  while (start < limit && isSpace(head[start] ?? 0)) start++
  const close = head.subarray(start, limit).indexOf('>')
  // Only the declaration is passed on: the rest may contain a page with its own meta element.
  const declared = prescanEncoding(head.subarray(start, close === -1 ? limit : start + close + 1), findEncoding)
  return declared === null || declared === 'replacement' ? 'utf-8' : declared
}

/** Decodes bytes chunk by chunk; characters may be split anywhere. Byte order marks are kept. */
export class PieceDecoder {
  readonly #encoding: string
  #decoder: TextDecoder
  // Whether the bytes so far end with a whole character, as far as is known.
  #isWhole = true

  constructor(encoding: string) {
    this.#encoding = encoding
    this.#decoder = newDecoder(encoding)
  }

  decode(bytes: Buffer): string {
    if (this.#encoding !== 'utf-8') return this.#decodeStream(bytes)
    if (this.#isWhole && isAscii(bytes)) return bytes.toString('latin1')
    this.#isWhole = (bytes[bytes.length - 1] ?? 0) < 0x80
    return this.#decodeStream(bytes)
  }

  end(): string {
    return this.#decoder.decode()
  }

  // Node 24.21 reserves no more characters than there are bytes, and throws if an unfinished character of the previous
  // chunk needs more (gb18030, euc-jp, iso-2022-jp). That character is lost, but nothing after it.
  #decodeStream(bytes: Buffer): string {
    try {
      return this.#decoder.decode(bytes, { stream: true })
    } catch {
      this.#decoder = newDecoder(this.#encoding)
      return `\uFFFD${this.#decoder.decode(bytes, { stream: true })}`
    }
  }
}

function newDecoder(encoding: string): TextDecoder {
  return new TextDecoder(encoding, { ignoreBOM: true })
}
