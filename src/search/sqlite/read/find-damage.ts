// Checks search.db for damage: the file itself, its terms, and that every document has terms and a text.

import type { DatabaseSync } from 'node:sqlite'

const MAX_REPORTED = 20

export function findDamage(db: DatabaseSync): string[] {
  const checked = db
    .prepare(`pragma integrity_check(${MAX_REPORTED})`)
    .all()
    .map((row) => String(row['integrity_check']))
  const damage = checked.filter((line) => line !== 'ok').map((line) => `search.db is damaged: ${line}.`)
  const missing = db
    .prepare(
      `select page_id, url from documents d where not exists (select 1 from terms_docsize s where s.id = d.page_id)
         or not exists (select 1 from impacts_docsize s where s.id = d.page_id)
         or not exists (select 1 from bags b where b.page_id = d.page_id)
         or not exists (select 1 from text_blocks b where b.id = d.block) limit ${MAX_REPORTED}`,
    )
    .all()
  const counted = db.prepare('select (select count(*) from documents) as there, (select documents from totals) as said')
  const { there, said } = counted.get() ?? {}
  if (there !== said) damage.push(`search.db contains ${there} documents, but its total says ${said}.`)
  for (const row of missing) damage.push(`${row['url']} (page ${row['page_id']}) is missing its terms or its text.`)
  return damage
}
