// Filter lists in Adblock syntax, as rules for links. A link counts as a request for a document, made by the page that
// contains it: filters without a type and filters for documents apply, filters for images, scripts or frames do not,
// and $third-party and $domain refer to the page. Filters that hide elements or modify pages without blocking are
// ignored.

import type { NetworkFilter } from '@ghostery/adblocker'
import { copyString } from '../../lib/copy-string.ts'
import { parseHost } from '../../lib/site.ts'

export interface FilterList {
  /** Filters that can block a link, and exceptions to them. */
  readonly filters: number
  /** Lines that are not filters, require something unknown, or have a pattern that cannot be matched in linear time. */
  readonly unreadable: readonly string[]
  /** The filter that blocks the link, as written in its list. Null if none does, or an exception allows it. */
  match(url: string, pageUrl: string): string | null
}

/** Imports the packages only when called. */
export async function loadFilterLists(texts: readonly string[]): Promise<FilterList> {
  const adblocker = await import('@ghostery/adblocker')
  const { isLinearTime, patchToLinearTime } = await import('./filter-regex.ts')
  const { FiltersEngine, parseFilters, Request } = adblocker
  patchToLinearTime(adblocker.NetworkFilter)
  const networkFilters: NetworkFilter[] = []
  const unreadable: string[] = []
  for (const text of texts) {
    const parsed = parseFilters(text, CONFIG)
    for (const filter of parsed.networkFilters) {
      if (!isForLinks(filter)) continue
      if (isLinearTime(filter)) networkFilters.push(filter)
      else unreadable.push(copyString(String(filter)))
    }
    for (const { filter, filterType } of parsed.notSupportedFilters) {
      if (filterType === NETWORK) unreadable.push(copyString(filter))
    }
  }
  const engine = new FiltersEngine({ networkFilters, config: CONFIG })
  // Cached, because the links of a page are checked in sequence.
  let pageSite = siteOf('')
  let siteOfPage = ''
  return {
    filters: networkFilters.length,
    unreadable,
    match(url, pageUrl) {
      if (siteOfPage !== pageUrl) {
        siteOfPage = pageUrl
        pageSite = siteOf(pageUrl)
      }
      const source = { sourceHostname: pageSite.hostname, sourceDomain: pageSite.domain }
      const { match, filter } = engine.match(Request.fromRawDetails({ url, ...siteOf(url), ...source, type: DOCUMENT }))
      return match ? String(filter) : null
    },
  }
}

/** The engine's other name, 'main_frame', means an address typed by a person: no page, no third party. */
const DOCUMENT = 'document'

/** Debug keeps the text of every filter. The optimizations would merge filters, so that none could be named. */
const CONFIG = { debug: true, enableOptimizations: false, loadCosmeticFilters: false }

/** The package's FilterType.NETWORK, which cannot be imported as a const enum. The other types hide elements. */
const NETWORK = 1

function isForLinks(filter: NetworkFilter): boolean {
  const changesPage =
    filter.isCSP() || filter.isHtmlFilteringRule() || filter.isGenericHide() || filter.isSpecificHide()
  return filter.fromDocument() && !changesPage && !filter.isRemoveParam() && !filter.isRedirectRule()
}

function siteOf(url: string): { hostname: string; domain: string } {
  const { hostname, domain } = parseHost(url)
  return { hostname: hostname ?? '', domain: domain ?? hostname ?? '' }
}
