// Offers the links of a page or a document to the crawl, in stretches, so that a hundred thousand of them hold up nothing.

import type { FoundUrl } from '../../ports/frontier.ts'
import { Resolver } from '../url/resolve.ts'
import type { Link } from './admit.ts'
import type { Steps, Visit, VisitParts } from './visit.ts'

export interface Admitted {
  found: FoundUrl[]
  /** Those that only vary the query of their page. */
  held: FoundUrl[]
  links: number
  /** Beyond a limit everything is told, news or not. */
  isBeyond: boolean
}

export function* admitLinks(
  links: readonly Link[],
  baseUrl: string,
  { url }: Visit,
  { admit, page: settings }: VisitParts,
  refreshTo: string | null = null,
): Steps<Admitted> {
  const resolver = new Resolver(baseUrl, settings.keepSessionIds, url.url)
  const { id: urlId, depth } = url
  const page = admit.open({ urlId, pageUrl: url.url, resolver, depth: depth + 1, hops: 0, kind: 'page', refreshTo })
  for (let from = 0; from < links.length; ) {
    if (from > 0) yield null
    from = admit.add(page, links, from)
  }
  return admit.close(page)
}
