// Groups of URLs of a host that probably change about as often: URLs of one pattern, and within it of one content
// type, with the same `changefreq` in the sitemap and about the same lifetime in caches. These statements of the
// server are not trusted: they only select the URLs to compare with, so they count as far as they have been right for
// this host.

import type { SignalKind } from '../../ports/visits.ts'

export interface RateHints {
  /** Set if the URL lists other URLs with the times of their changes. */
  source: SignalKind | null

  contentType: string | null
  /** The `changefreq` of a sitemap. */
  changefreq: string | null
  /** How long the response stays fresh in caches (Cache-Control, Expires); null if the server does not say. */
  maxAgeMs: number | null
}

const SOURCE_MARK = '@'
const MAX_FOLDERS = 2
const MAX_NAME = 40
const AGE_LIMITS = [
  ['0', 0],
  ['1h', 3_600_000],
  ['1d', 86_400_000],
  ['1w', 7 * 86_400_000],
] as const

/** The name of the narrowest group of a URL in canonical form. */
export function rateGroupOf(url: string, { source, contentType, changefreq, maxAgeMs }: RateHints): string {
  if (source !== null) return SOURCE_MARK + source
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return [patternOf(url), cut(type), cut(changefreq ?? ''), ageClass(maxAgeMs)].join(' ')
}

/** Whether the URLs of the group are sitemaps or feeds. */
export function isSourceGroup(rateGroup: string): boolean {
  return rateGroup.startsWith(SOURCE_MARK)
}

/** The names of the groups of a URL within its host, from the widest to the narrowest. Each contains the next. */
export function groupNames(rateGroup: string): string[] {
  if (rateGroup === '') return []
  return isSourceGroup(rateGroup) ? [rateGroup] : [rateGroup.split(' ', 1)[0] ?? '', rateGroup]
}

/** The first folders, with numbers as #: /news/2026/11/title is /news/#/. */
function patternOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const [path = ''] = start === -1 ? [''] : url.slice(start + 1).split('?', 1)
  const folders = path.split('/').slice(0, -1).slice(0, MAX_FOLDERS)
  const hasQuery = url.includes('?')
  return `/${folders.map((folder) => `${cut(folder.replace(/\d+/g, '#'))}/`).join('')}${hasQuery ? '?' : ''}`
}

function ageClass(maxAgeMs: number | null): string {
  if (maxAgeMs === null) return '-'
  return AGE_LIMITS.find(([, limitMs]) => maxAgeMs <= limitMs)?.[0] ?? 'long'
}

/** Names are parts of keys. A blank separates them. */
function cut(text: string): string {
  return text.slice(0, MAX_NAME).replace(/\s/g, '_')
}
