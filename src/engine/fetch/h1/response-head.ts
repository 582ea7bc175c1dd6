// Parses an HTTP/1.1 response head (RFC 9112). As lenient as browsers where that is harmless: a bare line feed ends a
// line, a line may be folded, a reason may be missing.

import { isSpace, trimSpaces } from '../../parse/characters.ts'
import type { ResponseHead } from '../exchange.ts'

export interface H1ResponseHead extends ResponseHead {
  /** HTTP/1.0 or older. */
  isBeforeHttp11: boolean
}

/** Some say 2.0 and mean 1.1. */
const STATUS_LINE = /^HTTP\/(0\.9|1\.0|1\.1|2\.0) ([1-9]\d\d)(?: (.*))?$/
/** Control characters other than tabs and line breaks, and a carriage return that is not part of a line break. */
const INVALID_CHARACTER = /[^\t\r\n\x20-\x7e\x80-\xff]|\r(?!\n)/
const TOKEN = /^[\w!#$%&'*+\-.^`|~]+$/
const CARRIAGE_RETURN = 13

/** `text` has one character per byte, from the status line to the empty line. Null if it is invalid. */
export function parseResponseHead(text: string): H1ResponseHead | null {
  if (INVALID_CHARACTER.test(text)) return null
  const firstEnd = text.indexOf('\n')
  const status = STATUS_LINE.exec(text.slice(0, endOfLine(text, firstEnd)))
  if (status === null) return null
  const headers = readLines(text, firstEnd + 1)
  if (headers === null) return null
  const [, version = '', code, statusText = ''] = status
  return { status: Number(code), statusText, headers, isBeforeHttp11: version < '1.1' }
}

function readLines(text: string, start: number): string[] | null {
  const raw: string[] = []
  for (let at = start; at < text.length; ) {
    const feed = text.indexOf('\n', at)
    const end = endOfLine(text, feed)
    if (end > at && isSpace(text.charCodeAt(at)) && raw.length > 0) {
      raw.push(`${raw.pop()} ${trimSpaces(text.slice(at, end))}`)
    } else if (end > at) {
      const colon = text.indexOf(':', at)
      const name = text.slice(at, Math.max(at, colon))
      if (colon > end || !TOKEN.test(name)) return null
      raw.push(name, trimSpaces(text.slice(colon + 1, end)))
    }
    at = feed + 1
  }
  return raw
}

function endOfLine(text: string, feed: number): number {
  return text.charCodeAt(feed - 1) === CARRIAGE_RETURN ? feed - 1 : feed
}
