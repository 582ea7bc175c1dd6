// URLs that turn out to be of another kind: a requisite that a page links to becomes a page, and a URL that is named as a
// sitemap becomes a sitemap. In the other direction, a page that is also a requisite becomes a requisite again if a page
// limit leaves it out. Otherwise the result would depend on the order of visits.

import { HOST_MAX_PAGES } from '../ports/policies.ts'
import type { VisitReport } from '../ports/visits.ts'
import { URL_KINDS, type UrlKind } from '../ports/visits.ts'

/** Reasons of pages that a limit left out. Their responses are still requested as requisites. */
export const PAGE_LIMIT_REASONS_SQL = `('max_pages', '${HOST_MAX_PAGES}')`

const STRENGTH: Record<UrlKind, number> = { requisite: 0, page: 1, sitemap: 2 }

export function isStrongerKind(kind: UrlKind, known: UrlKind): boolean {
  return STRENGTH[kind] > STRENGTH[known]
}

/** Whether a URL that ended in this state has to be visited once more, because it was read as another kind. */
export function mustReadAgain(state: VisitReport['outcome']['state'], readAs: UrlKind): boolean {
  // A redirect of a requisite was followed to another requisite, and not to a page in scope.
  return state === 'visited' || (state === 'redirected' && readAs === 'requisite')
}

/**
 * The counter of visited URLs of this kind, in addition to the counter of all; null for pages, which are the
 * difference.
 */
export function visitedCounterOf(kind: UrlKind): 'sitemaps' | 'requisites' | null {
  switch (kind) {
    case 'page':
      return null
    case 'sitemap':
      return 'sitemaps'
    case 'requisite':
      return 'requisites'
  }
}

/** The kind with this code, which is its position. */
export function toUrlKind(code: unknown): UrlKind {
  return URL_KINDS[Number(code)] ?? 'page'
}
