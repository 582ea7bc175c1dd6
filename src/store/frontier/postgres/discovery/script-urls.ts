// Marks URLs that only scripts name. A link counts more than the name in a script, whichever came first; a requisite is
// neither.

import type { UrlDiscoveries } from '../../../../frontier/url-discoveries.ts'
import type { Queryable } from '../../../postgres/query.ts'
import type { KnownUrl } from './discover.ts'

/** Ordered, so that two commits do not deadlock. */
const MARK = {
  name: 'script_urls_mark',
  text: `insert into script_urls (crawl, host, url_id)
    select $1, * from unnest($2::int[], $3::bigint[]) as u (host, id) order by id on conflict do nothing`,
}
const UNMARK = {
  name: 'script_urls_unmark',
  text: `with linked as (
      select s.crawl, s.host, s.url_id from script_urls s join unnest($2::int[], $3::bigint[]) as u (host, id)
        on s.crawl = $1 and s.host = u.host and s.url_id = u.id order by s.url_id for update of s
    )
    delete from script_urls s using linked l where s.crawl = l.crawl and s.host = l.host and s.url_id = l.url_id`,
}

interface DiscoveredUrls {
  discoveries: UrlDiscoveries
  known: ReadonlyMap<bigint, KnownUrl>
  /** Whether this commit has added the URL. */
  isNew: (key: bigint) => boolean
}

/** Must run after new URLs are inserted: a URL that another commit has added in the meantime is visible then. */
export async function noteScriptUrls(
  tx: Queryable,
  crawl: number,
  { discoveries, known, isNew }: DiscoveredUrls,
): Promise<void> {
  const named: KnownUrl[] = []
  const linked: KnownUrl[] = []
  for (const { key, kind, isFromScript } of discoveries.values()) {
    const url = known.get(key)
    if (url === undefined || kind === 'requisite') continue
    if (!isFromScript) linked.push(url)
    else if (isNew(key) || url.kind === 'requisite') named.push(url)
  }
  const lists = (urls: KnownUrl[]) => [urls.map(({ host }) => host), urls.map(({ id }) => id)]
  if (named.length > 0) await tx.query({ ...MARK, values: [crawl, ...lists(named)] })
  if (linked.length > 0) await tx.query({ ...UNMARK, values: [crawl, ...lists(linked)] })
}
