// Compares the documents of the engine with the rows of the store.

import type { Queryable } from '../../../store/postgres/query.ts'
import type { SearchClient } from '../client.ts'
import type { Indices } from '../indices.ts'
import { readPlace } from '../place.ts'
import { readDocuments } from '../read-documents.ts'
import { readTotals } from './query-terms.ts'

const AT_ONCE = 1000
/** An index that was deleted would fill the memory with them. */
const MAX_PROBLEMS = 1000
const FIRST_KEY = '0'.repeat(32)
const ROWS = {
  name: 'engine_verify',
  text: `select url_key, url, page, place from documents where url_key > $1 order by url_key limit ${AT_ONCE}`,
}

export async function findDamage(client: SearchClient, indices: Indices, db: Queryable): Promise<string[]> {
  const problems: string[] = []
  await indices.refresh()
  let known = 0
  for (let last = FIRST_KEY; ; ) {
    const { rows } = await db.query({ ...ROWS, values: [last] })
    if (rows.length === 0) break
    const addresses = rows.map((row) => ({
      id: String(row['url_key']).replaceAll('-', ''),
      place: readPlace(String(row['place'])),
    }))
    const found = await readDocuments<{ page: number }>(client, addresses, ['page'])
    for (const [i, row] of rows.entries()) {
      if (found[i]?.page === Number(row['page'])) known += 1
      else if (problems.length < MAX_PROBLEMS)
        problems.push(`The search engine does not have page ${row['page']} of ${row['url']}.`)
    }
    last = String(rows.at(-1)?.['url_key'])
  }
  const { documents } = await readTotals(client)
  if (documents > known)
    problems.push(`The search engine has ${documents} documents, but only ${known} are known here.`)
  return problems
}
