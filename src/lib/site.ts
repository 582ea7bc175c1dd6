// The site of a host: the registrable domain that hosts of one owner share, such as example.co.uk.

import { createRequire } from 'node:module'
import type * as Tldts from 'tldts'
import { lazy } from './lazy.ts'

/** Loading the list of public suffixes takes 15 ms, and most crawls do not need it. */
const tldts = lazy(() => createRequire(import.meta.url)('tldts') as typeof Tldts)

/** The parts of a host, or of the host of a URL, by the public suffix list with its private suffixes. */
export function parseHost(hostOrUrl: string): ReturnType<typeof Tldts.parse> {
  return tldts().parse(hostOrUrl, { allowPrivateDomains: true })
}

/** The part that two URLs must share so that cookies may go with a request from one to the other. */
export function siteOf(host: string): string {
  return parseHost(host).domain ?? host
}

/** Whether sites of different owners are below the domain, such as com, co.uk or github.io. */
export function isPublicSuffix(host: string): boolean {
  const { domain, isIcann, isPrivate } = parseHost(host)
  return domain === null && (isIcann === true || isPrivate === true)
}

/**
 * Whether a request of a rendered page goes to the page's own site. A frame of another site has that site in the
 * header Origin.
 */
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
