import type { BrowseDb } from './browse-db.ts'

const BATCH_ROWS = 5000

export async function readHostNames(db: BrowseDb, ids: readonly number[]): Promise<Map<number, string>> {
  const names = new Map<number, string>()
  const text = `select id, name from hosts where ${db.dialect.isIn('id', '$1', 'number')}`
  for (let at = 0; at < ids.length; at += BATCH_ROWS) {
    const rows = await db.rows(text, [db.dialect.list(ids.slice(at, at + BATCH_ROWS))])
    for (const row of rows) names.set(Number(row['id']), String(row['name']))
  }
  return names
}
