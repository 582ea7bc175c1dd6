// Counts the queued URLs that were visited before.

import { QUEUED } from '../encoding/state-codes.ts'
import type { BrowseDb } from './browse-db.ts'

export async function countRequeued(db: BrowseDb, crawlId: string): Promise<number> {
  const { rowId } = await db.crawl(crawlId)
  const text = `select count(*) as n from urls u where u.crawl = $1 and u.state = ${QUEUED} and u.attempts > 0`
  const [row] = await db.scanRows(text, [rowId])
  return Number(row?.['n'])
}
