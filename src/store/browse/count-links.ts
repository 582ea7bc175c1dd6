// Counts the links of pages without reading them.

import { LINK_KEY_BYTES } from '../encoding/link-keys.ts'
import type { BrowseDb } from './browse-db.ts'

export async function countLinks(
  db: BrowseDb,
  crawlId: string,
  urlIds: readonly number[],
): Promise<Map<number, number>> {
  const { rowId } = await db.crawl(crawlId)
  const { dialect } = db
  const text = `select u.id, length(l.targets) as bytes from urls u join links l on ${dialect.ofUrl('l')}
    where u.crawl = $1 and ${dialect.isIn('u.id', '$2', 'number')}`
  const rows = await db.rows(text, [rowId, dialect.list(urlIds)])
  return new Map(rows.map((row) => [Number(row['id']), Number(row['bytes']) / LINK_KEY_BYTES]))
}
