// Finds documents to reindex because they leave their language open and the main language of their host has changed.

import type { IndexDocument } from '../../../ports/search.ts'
import { urlHash } from '../../../store/encoding/url-hash.ts'
import type { Queryable } from '../../../store/postgres/query.ts'
import { hasOtherLanguage, mainLanguage } from '../../host-languages.ts'
import { toDocumentLanguage } from './documents.ts'
import { readHostCounts } from './host-counts.ts'

const OPEN = {
  name: 'index_open_languages',
  text: `select url, host, lang, possible_langs from documents
    where host = any($1::text[]) and possible_langs is not null`,
}

/**
 * Returns the hashes of their URLs. `changedHosts` have another main language since this transaction; `written` are
 * the documents of the batch, which was analysed with the counts of its beginning. Must be called under the lock of
 * the batch end, so that the counts include all finished batches.
 */
export async function findOtherLanguages(
  tx: Queryable,
  changedHosts: string[],
  written: IndexDocument[],
): Promise<string[]> {
  const open = written.filter(({ possibleLangs }) => possibleLangs !== null)
  const hosts = [...new Set([...changedHosts, ...open.map(({ host }) => host)])]
  if (hosts.length === 0) return []
  const counts = await readHostCounts(tx, hosts)
  const { rows } = await tx.query({ ...OPEN, values: [changedHosts] })
  const stored = rows.map((row) => ({ url: String(row['url']), host: String(row['host']), ...toDocumentLanguage(row) }))
  const outdated = [...open, ...stored].filter((document) =>
    hasOtherLanguage(document, mainLanguage(counts.get(document.host)?.languages ?? new Map())),
  )
  return [...new Set(outdated.map(({ url }) => String(urlHash(url))))]
}
