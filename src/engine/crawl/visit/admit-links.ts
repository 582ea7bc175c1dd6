// Admits the links of a page or document in chunks, so that a page with a hundred thousand links does not block the
// thread.

import type { FoundListing, FoundUrl } from '../../../ports/visits.ts'
import { LinkResolver } from '../../url/link-resolver.ts'
import type { AdmittedLinks, RawLink } from '../links/link-admission.ts'
import type { Steps, Visit, VisitDependencies } from './visit-steps.ts'

/** A few ms. */
const LISTED_PER_TURN = 500

/** A link to a page that changed at a given time. */
export interface ListedLink {
  href: string
  listing: FoundListing
}

interface OtherLinks {
  refreshTo?: string | null
  listed?: readonly ListedLink[]
  /** URLs named by scripts. If the page also links to a URL, it counts as a link. */
  scriptUrls?: readonly string[]
}

export function* admitLinks(
  links: readonly RawLink[],
  baseUrl: string,
  { url }: Visit,
  { linkAdmission, pageReading: settings }: VisitDependencies,
  { refreshTo = null, listed = [], scriptUrls = [] }: OtherLinks = {},
): Steps<AdmittedLinks> {
  const resolver = new LinkResolver(baseUrl, settings.keepSessionIds, url.url, settings.hashRoutes)
  const { id: urlId, depth } = url
  const page = linkAdmission.openPage({
    urlId,
    pageUrl: url.url,
    resolver,
    depth: depth + 1,
    hops: 0,
    kind: 'page',
    refreshTo,
  })
  for (let from = 0; from < links.length; ) {
    if (from > 0) yield null
    from = linkAdmission.addLinks(page, links, from)
  }
  const named = scriptUrls.map((href) => ({ href, rel: '' }))
  const scripts = { ...page, isFromScript: true }
  for (let from = 0; from < named.length; ) from = linkAdmission.addLinks(scripts, named, from)
  for (const [at, { href, listing }] of listed.entries()) {
    if (at > 0 && at % LISTED_PER_TURN === 0) yield null
    linkAdmission.addListedUrl(page, href, listing)
  }
  return linkAdmission.closePage(page)
}

/** References of a page or a style sheet to the files it loads, as written. */
export interface Requisites {
  urls: readonly string[]
  /** Number of URLs beyond the limit. */
  dropped: number
}

export function* admitRequisites(
  { urls, dropped }: Requisites,
  baseUrl: string,
  { url }: Visit,
  { linkAdmission }: VisitDependencies,
): Steps<FoundUrl[]> {
  if (dropped > 0) linkAdmission.rejections.count('too_many_requisites', dropped)
  if (urls.length === 0) return []
  // The URLs are kept unchanged, because replayed pages request them by the same names.
  const resolver = new LinkResolver(baseUrl, true, url.url)
  const page = linkAdmission.openPage({
    urlId: url.id,
    pageUrl: url.url,
    resolver,
    depth: 0,
    hops: 1,
    kind: 'requisite',
  })
  const links = urls.map((href) => ({ href, rel: '' }))
  for (let from = 0; from < links.length; ) {
    if (from > 0) yield null
    from = linkAdmission.addLinks(page, links, from)
  }
  return linkAdmission.closeRequisites(page)
}
