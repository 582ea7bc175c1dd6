// Headers that the owner of a crawl gives, and the origins that get them. Any of them may be a password, so a header
// goes to the origins of the start URLs, or to the origin that its line names, and to no other: links, redirects and
// sitemaps lead wherever a site likes.

import { type RequestHeaders, requestHeaders } from './headers.ts'

export interface CustomHeader {
  /** An origin, 'start' for those of the start URLs, or 'any'. */
  target: string
  name: string
  /** With the space around it. */
  value: string
}

/** "Name: value", "https://host Name: value" or "* Name: value"; null when it is none of these. */
export function parseCustomHeader(line: string): CustomHeader | null {
  const [, target = null, rest = line] = /^(\*(?=\s)|https?:\/\/\S*)\s*(.*)$/is.exec(line) ?? []
  const colon = rest.indexOf(':')
  const to = targetOf(target)
  if (colon === -1 || to === null) return null
  return { target: to, name: rest.slice(0, colon), value: rest.slice(colon + 1) }
}

function targetOf(text: string | null): string | null {
  if (text === null) return 'start'
  if (text === '*') return 'any'
  const url = URL.parse(text)
  return url !== null && url.href === `${url.origin}/` ? url.origin : null
}

/** The line with its value hidden. */
export function maskCustomHeader(line: string, mask: string): string {
  const header = parseCustomHeader(line)
  if (header === null) return mask
  const { target, name } = header
  return `${target === 'start' ? '' : target === 'any' ? '* ' : `${target} `}${name}: ${mask}`
}

export interface HeaderSettings {
  userAgent: string
  /** Lines as `parseGivenHeader` reads them. */
  headers: readonly string[]
  /** URLs; their origins get headers that name none. */
  startUrls: readonly string[]
}

/** The headers of every request to an origin. A header for one origin replaces one of that name for all. */
export function headersByOrigin({ userAgent, headers, startUrls }: HeaderSettings): (origin: string) => RequestHeaders {
  const given = headers.flatMap((line) => parseCustomHeader(line) ?? [])
  const startOrigins = new Set(startUrls.flatMap((url) => withUpgrade(new URL(url).origin)))
  return (origin) => {
    const targets = [origin, ...(startOrigins.has(origin) ? ['start'] : []), 'any']
    const chosen = given.filter(({ target: to, name }) => {
      const nearest = targets.find((target) =>
        given.some((other) => other.target === target && isSame(other.name, name)),
      )
      return to === nearest
    })
    return requestHeaders(userAgent, chosen)
  }
}

/**
 * Sites that are started from http redirect to https of the same name. What may be sent in the clear may be sent there;
 * with ports of their own they can be two services, and never the other way round.
 */
function withUpgrade(origin: string): string[] {
  const upgraded = /^http:(\/\/(?:\[[^\]]*\]|[^:]*))$/.exec(origin)?.[1]
  return upgraded === undefined ? [origin] : [origin, `https:${upgraded}`]
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
