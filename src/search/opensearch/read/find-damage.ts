// Compares the documents of the engine with the rows of the store.

import type { Queryable } from '../../../store/postgres/query.ts'
import type { SearchClient } from '../client.ts'
import type { Indices } from '../indices.ts'
import { readPlace } from '../place.ts'
import { readTotals } from './query-terms.ts'

const AT_ONCE = 1000
const FIRST_KEY = '0'.repeat(32)
const ROWS = {
  name: 'engine_verify',
  text: `select url_key, url, page, place from documents where url_key > $1 order by url_key limit ${AT_ONCE}`,
}

interface Found {
  docs: { _source?: { page: number } }[]
}

export async function findDamage(client: SearchClient, indices: Indices, db: Queryable): Promise<string[]> {
  const problems: string[] = []
  await indices.refresh()
  let known = 0
  for (let last = FIRST_KEY; ; ) {
    const { rows } = await db.query({ ...ROWS, values: [last] })
    if (rows.length === 0) break
    const docs = rows.map((row) => {
      const { index, routing } = readPlace(String(row['place']))
      return { _index: index, _id: String(row['url_key']).replaceAll('-', ''), routing }
    })
    const found = await client.send<Found>('POST', '/_mget?_source_includes=page', { docs })
    for (const [i, row] of rows.entries()) {
      if (found.docs[i]?._source?.page === Number(row['page'])) known += 1
      else problems.push(`The search engine does not have page ${row['page']} of ${row['url']}.`)
    }
    last = String(rows.at(-1)?.['url_key'])
  }
  const { documents } = await readTotals(client)
  if (documents > known)
    problems.push(`The search engine has ${documents} documents, but only ${known} are known here.`)
  return problems
}
