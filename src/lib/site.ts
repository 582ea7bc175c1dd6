// The site of a host: what hosts of one owner share, such as example.co.uk.

import { parse } from 'tldts'

export const PUBLIC_SUFFIXES = { allowPrivateDomains: true }

/** What two URLs must share so that cookies may go with a request from one to the other. */
export function siteOf(host: string): string {
  return parse(host, PUBLIC_SUFFIXES).domain ?? host
}

/** Whether sites of different owners are below it, such as com, co.uk or github.io. */
export function isPublicSuffix(host: string): boolean {
  const { domain, isIcann, isPrivate } = parse(host, PUBLIC_SUFFIXES)
  return domain === null && (isIcann === true || isPrivate === true)
}

/** Whether a rendered page requests something of its own site. A frame of another site names it in the header Origin. */
export function isSameSite({
  url,
  pageUrl,
  headers,
}: {
  url: string
  pageUrl: string
  headers: readonly [string, string][]
}): boolean {
  const origin = headers.find(([name]) => name.toLowerCase() === 'origin')?.[1]
  const site = siteOf(hostOf(url))
  return site === siteOf(hostOf(pageUrl)) && (origin === undefined || site === siteOf(hostOf(origin)))
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname ?? ''
}
