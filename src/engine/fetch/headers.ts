// The headers of a request, and those of an answer that a crawl needs.

import { ACCEPT_ENCODING } from './decode.ts'

/** "Name: value" each; a given header takes the place of the usual one. Names and values by turns, as undici wants. */
export function requestHeaders(userAgent: string, lines: string[]): string[] {
  const given = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]
  })
  const usual = [
    ['user-agent', userAgent],
    ['accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
    ['accept-language', 'en,*;q=0.5'],
    ['accept-encoding', ACCEPT_ENCODING],
  ].filter(([usualName]) => !given.some(([name]) => name === usualName))
  return [...usual, ...given].flat()
}

/** By lower-case name; a header that came more than once is a list. */
export type AnswerHeaders = Record<string, string | string[] | undefined>

const MAX_LINK_CHARS = 8 * 1024
/** A longer one would be kept for every page, and be sent back with every request. */
const MAX_VALIDATOR_CHARS = 1024

export function firstOf(headers: AnswerHeaders, name: string): string | null {
  const value = headers[name]
  return Array.isArray(value) ? (value[0] ?? null) : (value ?? null)
}

export function allOf(headers: AnswerHeaders, name: string, separator: string): string | null {
  const value = headers[name]
  return Array.isArray(value) ? value.join(separator) : (value ?? null)
}

export function locationOf(headers: AnswerHeaders): string | null {
  const location = firstOf(headers, 'location')
  return location === null ? null : escapeBytes(location)
}

export function linkOf(headers: AnswerHeaders): string | null {
  const links = allOf(headers, 'link', ', ')
  return links === null ? null : escapeBytes(links.slice(0, MAX_LINK_CHARS))
}

/** ETag or Last-Modified. */
export function validatorOf(headers: AnswerHeaders, name: string): string | null {
  const value = firstOf(headers, name)
  return value === null || value.length > MAX_VALIDATOR_CHARS ? null : value
}

/** Headers come as Latin-1, one character a byte. Like browsers, keep raw bytes as they are: most are UTF-8. */
function escapeBytes(text: string): string {
  return text.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
}
