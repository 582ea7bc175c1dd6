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

/** Patterns at their largest take 0.25 ms for a character of a url, so characters are counted as well as links. */
const STRETCH = { links: 1024, chars: 1 << 14 }

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
    const to = endOfStretch(links, from)
    admit.add(page, links, from, to)
    from = to
  }
  return admit.close(page)
}

/** What of the links is looked at in one turn. */
export function endOfStretch(links: readonly Link[], from: number): number {
  const last = Math.min(links.length, from + STRETCH.links)
  let chars = 0
  let to = from
  while (to < last && chars < STRETCH.chars) {
    chars += links[to]?.href.length ?? 0
    to += 1
  }
  return to
}
