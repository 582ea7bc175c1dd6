// Looks up the targets of redirects.

import type { BrowseDb } from './browse-db.ts'

export async function readRedirectTargets(
  db: BrowseDb,
  crawlId: string,
  urls: readonly { url: string; key: bigint }[],
): Promise<Map<string, string>> {
  const { rowId } = await db.crawl(crawlId)
  const { dialect } = db
  const text = `select u.url, v.redirect_to from urls u join visits v on ${dialect.ofUrl('v')} and v.attempt = u.attempts
    where u.crawl = $1 and ${dialect.isIn('u.key', '$2', 'number')} and v.redirect_to is not null`
  const rows = await db.rows(text, [rowId, dialect.list(urls.map(({ key }) => key))])
  // Two URLs may share a key.
  const wanted = new Set(urls.map(({ url }) => url))
  const targets = rows.map((row) => [String(row['url']), String(row['redirect_to'])] as const)
  return new Map(targets.filter(([url]) => wanted.has(url)))
}
