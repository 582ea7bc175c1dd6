// Filter lists in the Adblock syntax, as rules for links. A link counts as a request for a document, made by the page
// it stands on: filters without a type and those for documents apply, those for images, scripts or frames do not, and
// $third-party and $domain look at the page. What hides elements or changes pages without blocking is left out.

import type { NetworkFilter } from '@ghostery/adblocker'
import { parse } from 'tldts'
import { copyString } from '../../lib/copy-string.ts'

export interface FilterList {
  /** Filters that can keep a link out of a crawl, and exceptions to them. */
  readonly filters: number
  /** Lines that are no filters, ask for something unknown, or have a pattern that cannot be matched in linear time. */
  readonly unreadable: readonly string[]
  /** The filter that keeps the link out, as it stands in its list. null: none does, or an exception lets it in. */
  match(url: string, pageUrl: string): string | null
}

/** Loads the packages only when called. */
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
  // The links of a page are asked for one after the other.
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

/** The engine's other name for it, 'main_frame', stands for an address that was typed in: no page, no third party. */
const DOCUMENT = 'document'

/** Debug keeps the text of every filter. The optimizations would merge filters, so that none could be named. */
const CONFIG = { debug: true, enableOptimizations: false, loadCosmeticFilters: false }

/** The package's FilterType.NETWORK, which as a const enum cannot be imported. Others are ways to hide elements. */
const NETWORK = 1

function isForLinks(filter: NetworkFilter): boolean {
  const changesPage =
    filter.isCSP() || filter.isHtmlFilteringRule() || filter.isGenericHide() || filter.isSpecificHide()
  return filter.fromDocument() && !changesPage && !filter.isRemoveParam() && !filter.isRedirectRule()
}

function siteOf(url: string): { hostname: string; domain: string } {
  const { hostname, domain } = parse(url, { allowPrivateDomains: true })
  return { hostname: hostname ?? '', domain: domain ?? hostname ?? '' }
}
