// Empties the index.

import type { DatabaseSync } from 'node:sqlite'

const TABLES = [
  'documents',
  'bags',
  'text_blocks',
  'titles',
  'words',
  'anchors',
  'again',
  'host_lines',
  'ranks',
  'languages',
  'crawls',
] as const

export function clearTables(db: DatabaseSync): void {
  for (const table of ['terms', 'impacts']) db.exec(`insert into ${table} (${table}) values ('delete-all')`)
  for (const table of TABLES) db.exec(`delete from ${table}`)
  db.exec('update progress set page_id = 0, links_id = 0, pages = 0, since = 0, at = 0')
  db.exec('update totals set documents = 0, terms = 0')
}
