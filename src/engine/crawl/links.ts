// Offers the links of a page or a document to the crawl, in stretches, so that a hundred thousand of them hold up nothing.

import type { FoundUrl } from '../../ports/frontier.ts'
import { Resolver } from '../url/resolve.ts'
import type { Link } from './admit.ts'
import type { Steps, Visit, VisitParts } from './visit.ts'

export interface Admitted {
  found: FoundUrl[]
  links: number
  /** Beyond a limit everything is told, news or not. */
  isBeyond: boolean
}

const STRETCH_LINKS = 1024

export function* admitLinks(
  links: readonly Link[],
  baseUrl: string,
  { url }: Visit,
  { admit, page: settings }: VisitParts,
): Steps<Admitted> {
  const resolver = new Resolver(baseUrl, settings.keepSessionIds)
  const page = admit.open({ urlId: url.id, pageUrl: url.url, resolver, depth: url.depth + 1, hops: 0, kind: 'page' })
  for (let from = 0; from < links.length; from += STRETCH_LINKS) {
    if (from > 0) yield null
    admit.add(page, links, from, Math.min(links.length, from + STRETCH_LINKS))
  }
  return admit.close(page)
}
