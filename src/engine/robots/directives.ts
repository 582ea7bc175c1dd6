// Directives of a page for crawlers: <meta name="robots">, metas with our own name, and X-Robots-Tag headers. All that
// apply to us are combined, and the strictest wins: directives for our name add to those for all crawlers and do not
// replace them, as at Google: https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag

import type { HtmlFacts } from '../parse/fact-sheet.ts'
import { hasListToken } from '../parse/list-token.ts'
import { ANY_AGENT, productToken } from './product-token.ts'

export interface PageDirectives {
  noindex: boolean
  nofollow: boolean
  noarchive: boolean
  nosnippet: boolean
}

export const NO_PAGE_DIRECTIVES: PageDirectives = {
  noindex: false,
  nofollow: false,
  noarchive: false,
  nosnippet: false,
}

export interface DirectiveSources {
  /** Null if the response is not a page. */
  html: Pick<HtmlFacts, 'robots' | 'robotsFor'> | null
  /** The values of all X-Robots-Tag headers, one per line. */
  robotsTag: string | null
  /** Our name in robots.txt. */
  product: string
  now: number
}

interface DirectiveReader {
  directives: PageDirectives
  product: string
  now: number
}

export function readDirectives(sources: DirectiveSources): PageDirectives {
  const { html, robotsTag, now } = sources
  const isSilent = robotsTag === null && (html === null || (html.robots === '' && html.robotsFor.size === 0))
  if (isSilent) return NO_PAGE_DIRECTIVES
  const reader = { directives: { ...NO_PAGE_DIRECTIVES }, product: productToken(sources.product), now }
  if (html !== null) {
    readList(html.robots, reader)
    readList(html.robotsFor.get(reader.product) ?? '', reader)
  }
  if (robotsTag !== null) for (const line of robotsTag.split('\n')) readList(line, reader)
  return reader.directives
}

/** Directives with a value after a colon; any other name before a colon is the name of a crawler. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  'unavailable_after',
  'max-snippet',
  'max-image-preview',
  'max-video-preview',
])

/** `googlebot: noindex, nofollow, orbweaver: none`: a name applies until the next, since proxies join header lines. */
function readList(text: string, directiveReader: DirectiveReader): void {
  if (text === '') return
  const parts = text.toLowerCase().split(',')
  let isForUs = true
  for (let i = 0; i < parts.length; i++) {
    let part = parts[i] ?? ''
    let name = nameOf(part)
    if (name !== '' && !WITH_VALUE.has(name)) {
      isForUs = name === directiveReader.product || name === ANY_AGENT || name === 'robots'
      part = part.slice(part.indexOf(':') + 1)
      name = nameOf(part)
    }
    if (name === 'unavailable_after') {
      let date = part.slice(part.indexOf(':') + 1)
      while (DATE_GOES_ON.test(parts[i + 1] ?? '')) date += `,${parts[++i]}`
      if (isForUs && dateOf(date.trim()) <= directiveReader.now) directiveReader.directives.noindex = true
    } else if (isForUs) {
      for (const word of part.replace(/:\s+/, ':').split(/[\s;]+/)) apply(word, directiveReader.directives)
    }
  }
}

/** The text before the first colon if it is a single word, else ''. */
function nameOf(part: string): string {
  const name = part.slice(0, Math.max(0, part.indexOf(':'))).trim()
  return /^[\w*-]+$/.test(name) ? name : ''
}

function apply(word: string, pageDirectives: PageDirectives): void {
  switch (word) {
    case 'noindex':
      pageDirectives.noindex = true
      return
    case 'nofollow':
      pageDirectives.nofollow = true
      return
    case 'none':
      pageDirectives.noindex = true
      pageDirectives.nofollow = true
      return
    case 'noarchive':
    case 'nocache':
      pageDirectives.noarchive = true
      return
    case 'nosnippet':
    case 'max-snippet:0':
      pageDirectives.nosnippet = true
      return
  }
}

/** Dates contain commas as well: `Tue, 25 Jun 2030`, `Jun 25, 2030`. */
const DATE_GOES_ON = /^\s*(?:\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? +\d)/

const LONGEST_DATE = 64

/** NaN if it is not a date or has no year. Without a zone it is UTC. */
function dateOf(text: string): number {
  if (text.length > LONGEST_DATE || !/\d{4}|[a-z]-\d\d/.test(text)) return Number.NaN
  if (/:\d\d.*(?:[a-z]|[+-]\d\d:?\d\d)$/.test(text)) return Date.parse(text)
  return Date.parse(/t\d/.test(text) ? `${text}z` : `${text} utc`)
}

export interface LinkRelRules {
  /** Skip links marked nofollow. */
  relNofollow: boolean
  /**
   * Whether to skip links marked ugc or sponsored. The marks say who placed the links, not that they must not be
   * followed.
   */
  skipUgcSponsored: boolean
}

/** Why a link with this lower-case `rel` is not followed; null if it is. */
export function findRefusedRel(rel: string, rules: LinkRelRules): 'nofollow' | 'ugc' | 'sponsored' | null {
  if (rel === '') return null
  if (rules.relNofollow && hasListToken(rel, 'nofollow')) return 'nofollow'
  if (!rules.skipUgcSponsored) return null
  if (hasListToken(rel, 'ugc')) return 'ugc'
  return hasListToken(rel, 'sponsored') ? 'sponsored' : null
}
