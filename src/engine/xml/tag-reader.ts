import { copyString } from '../../lib/copy-string.ts'
import { isSpace, lowerAscii, SLASH, trimSpaces } from '../parse/characters.ts'
import { decodeXmlReferences } from './xml-references.ts'

export interface ParsedTag {
  isEnd: boolean
  isSelfClosing: boolean
  /** Lower case, with its prefix. */
  name: string
  /** Up to and including the colon, or ''. */
  prefix: string
  local: string
}

const MAX_NAME_LENGTH = 128
const MAX_KNOWN = 64
const MAX_KNOWN_LENGTH = 32

/** Parses tags. Most tags of a file repeat, so short ones are parsed once and cached. */
export class TagReader {
  readonly #known = new Map<string, ParsedTag>()

  /** `raw` is the text between `<` and `>`. */
  read(raw: string): ParsedTag {
    const known = this.#known.get(raw)
    if (known !== undefined) return known
    if (raw.length > MAX_KNOWN_LENGTH || this.#known.size === MAX_KNOWN) return readTag(raw)
    const kept = copyString(raw)
    const parsedTag = readTag(kept)
    this.#known.set(kept, parsedTag)
    return parsedTag
  }
}

function readTag(raw: string): ParsedTag {
  const isEnd = raw.charCodeAt(0) === SLASH
  const start = isEnd ? 1 : 0
  const end = nameEnd(raw, start)
  const name = lowerAscii(raw.slice(start, Math.min(end, start + MAX_NAME_LENGTH)))
  const colon = name.lastIndexOf(':')
  return {
    isEnd,
    isSelfClosing: !isEnd && raw.charCodeAt(raw.length - 1) === SLASH,
    name,
    prefix: name.slice(0, colon + 1),
    local: name.slice(colon + 1),
  }
}

/** The value of the first attribute of that name, ignoring case, or null. `name` is in lower case. */
export function readAttribute(raw: string, name: string): string | null {
  let pos = nameEnd(raw, 0)
  while (pos < raw.length) {
    while (pos < raw.length && (isSpace(raw.charCodeAt(pos)) || raw[pos] === '/' || raw[pos] === '=')) pos++
    const start = pos
    while (pos < raw.length && raw[pos] !== '=' && !isSpace(raw.charCodeAt(pos))) pos++
    const found = raw.slice(start, pos)
    while (isSpace(raw.charCodeAt(pos))) pos++
    if (raw[pos] !== '=') continue
    pos++
    while (isSpace(raw.charCodeAt(pos))) pos++
    const value = valueAt(raw, pos)
    if (lowerAscii(found) === name) return trimSpaces(decodeXmlReferences(raw.slice(value.start, value.end)))
    pos = value.end + 1
  }
  return null
}

function valueAt(raw: string, pos: number): { start: number; end: number } {
  const quote = raw[pos]
  if (quote === '"' || quote === "'") {
    const close = raw.indexOf(quote, pos + 1)
    return { start: pos + 1, end: close === -1 ? raw.length : close }
  }
  let end = pos
  while (end < raw.length && !isSpace(raw.charCodeAt(end))) end++
  // In `<link href=x/>` the slash is more likely the end of the tag.
  return { start: pos, end: end === raw.length && raw[end - 1] === '/' ? Math.max(pos, end - 1) : end }
}

function nameEnd(raw: string, start: number): number {
  let end = start
  while (end < raw.length && raw.charCodeAt(end) !== SLASH && !isSpace(raw.charCodeAt(end))) end++
  return end
}
