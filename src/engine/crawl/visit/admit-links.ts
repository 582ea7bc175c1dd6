// Offers the links of a page or a document to the crawl, in stretches, so that a hundred thousand of them hold up nothing.

import type { FoundUrl } from '../../../ports/frontier.ts'
import { LinkResolver } from '../../url/link-resolver.ts'
import type { RawLink } from '../links/link-admission.ts'
import type { Steps, Visit, VisitDependencies } from './visit-steps.ts'

export interface AdmittedLinks {
  found: FoundUrl[]
  /** Those that only vary the query of their page. */
  held: FoundUrl[]
  linkCount: number
  /** Beyond a limit everything is told, news or not. */
  isBeyondLimit: boolean
}

export function* admitLinks(
  links: readonly RawLink[],
  baseUrl: string,
  { url }: Visit,
  { linkAdmission, page: settings }: VisitDependencies,
  refreshTo: string | null = null,
): Steps<AdmittedLinks> {
  const linkResolver = new LinkResolver(baseUrl, settings.keepSessionIds, url.url)
  const { id: urlId, depth } = url
  const page = linkAdmission.openPage({
    urlId,
    pageUrl: url.url,
    resolver: linkResolver,
    depth: depth + 1,
    hops: 0,
    kind: 'page',
    refreshTo,
  })
  for (let from = 0; from < links.length; ) {
    if (from > 0) yield null
    from = linkAdmission.addLinks(page, links, from)
  }
  return linkAdmission.closePage(page)
}
