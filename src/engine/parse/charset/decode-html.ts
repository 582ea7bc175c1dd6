import { isAscii } from 'node:buffer'
import { isWorthKeepingEncoded } from '../utf8-chars.ts'
import { decodeEucKr } from './euc-kr.ts'
import { guessEncoding } from './guess-encoding.ts'
import { prescanEncoding } from './prescan.ts'

export interface DecodedHtml {
  text: string
  /** The WHATWG name of the encoding, in lower case. Links of the page encode their query in it. */
  charset: string
}

// Encodings that browsers refuse to decode: the whole page becomes one U+FFFD.
// https://encoding.spec.whatwg.org/#replacement
const REPLACEMENT_LABELS: ReadonlySet<string> = new Set([
  'csiso2022kr',
  'hz-gb-2312',
  'iso-2022-cn',
  'iso-2022-cn-ext',
  'iso-2022-kr',
  'replacement',
])

// Encodings in which a byte below 0x80 need not be the ASCII character.
const NOT_ASCII_SUPERSETS: ReadonlySet<string> = new Set(['utf-16le', 'utf-16be', 'iso-2022-jp', 'replacement'])

/** HTML as the reader takes it. */
export interface HtmlSource {
  html: string
  /** `html` has one character per byte of UTF-8 (see utf8-chars.ts). */
  isUtf8: boolean
}

/** Decodes like browsers: byte order mark, then header, then meta, then a guess. Never throws. */
export function decodeHtml(bytes: Buffer, contentType: string): DecodedHtml {
  const { content, charset } = detectEncoding(bytes, contentType)
  return { text: decode(content, charset), charset }
}

/** Like decodeHtml, for text that is not markup: a meta element in it does not name its encoding. */
export function decodeText(bytes: Buffer, contentType: string): string {
  const marked = bomEncoding(bytes)
  if (marked !== null) return decode(bytes.subarray(marked.length), marked.charset)
  return decode(bytes, headerEncoding(contentType) ?? guessEncoding(bytes, findEncoding))
}

/** Like decodeHtml, but leaves valid UTF-8 encoded, for the reader to decode what it needs. */
export function openHtml(bytes: Buffer, contentType: string): HtmlSource & { charset: string } {
  const { content, charset } = detectEncoding(bytes, contentType)
  if (charset !== 'utf-8' || !isWorthKeepingEncoded(content))
    return { html: decode(content, charset), isUtf8: false, charset }
  return { html: content.toString('latin1'), isUtf8: true, charset }
}

/** `content` is without a byte order mark. */
function detectEncoding(bytes: Buffer, contentType: string): { content: Buffer; charset: string } {
  const marked = bomEncoding(bytes)
  if (marked !== null) return { content: bytes.subarray(marked.length), charset: marked.charset }
  const charset =
    headerEncoding(contentType) ?? prescanEncoding(bytes, findEncoding) ?? guessEncoding(bytes, findEncoding)
  return { content: bytes, charset }
}

/** The WHATWG name for a label, or null if there is no such encoding. */
export function findEncoding(label: string): string | null {
  const name = label.trim().toLowerCase()
  if (name === 'utf-8') return name
  if (REPLACEMENT_LABELS.has(name)) return 'replacement'
  try {
    return new TextDecoder(name).encoding
  } catch {
    return null
  }
}

function bomEncoding(bytes: Buffer): { charset: string; length: number } | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { charset: 'utf-8', length: 3 }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { charset: 'utf-16be', length: 2 }
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { charset: 'utf-16le', length: 2 }
  return null
}

// A parameter value may be quoted; the first charset wins. https://mimesniff.spec.whatwg.org/#parse-a-mime-type
function headerEncoding(contentType: string): string | null {
  for (let at = contentType.indexOf(';'); at !== -1; ) {
    const equals = contentType.indexOf('=', at + 1)
    if (equals === -1) return null
    const { value, end } = readParameter(contentType, equals + 1)
    // A parameter without `=` leaves its semicolon behind.
    const name = contentType.slice(contentType.lastIndexOf(';', equals) + 1, equals)
    if (name.trim().toLowerCase() === 'charset') return findEncoding(value)
    at = contentType.indexOf(';', end)
  }
  return null
}

function readParameter(header: string, start: number): { value: string; end: number } {
  if (header[start] !== '"') {
    const semicolon = header.indexOf(';', start)
    const end = semicolon === -1 ? header.length : semicolon
    return { value: header.slice(start, end), end }
  }
  let value = ''
  let pos = start + 1
  while (pos < header.length && header[pos] !== '"') {
    if (header[pos] === '\\') pos++
    value += header[pos++] ?? ''
  }
  return { value, end: pos }
}

function decode(bytes: Buffer, charset: string): string {
  if (charset === 'replacement') return bytes.length === 0 ? '' : '\uFFFD'
  if (!NOT_ASCII_SUPERSETS.has(charset) && isAscii(bytes)) return bytes.toString('latin1')
  if (charset === 'utf-8') return bytes.toString('utf8')
  if (charset === 'euc-kr') return decodeEucKr(bytes)
  // The mark, if any, is already removed; a second one is a character of the page.
  return new TextDecoder(charset, { ignoreBOM: true }).decode(bytes)
}
