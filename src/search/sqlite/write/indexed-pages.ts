// Reads what the index knows about a URL before one of its pages is indexed again.

import type { DatabaseSync } from 'node:sqlite'
import type { IndexedPage } from '../../../ports/index-feed.ts'
import { ownLanguage } from '../../host-languages.ts'
import { unpackDocumentLines } from './host-counts.ts'
import { unpackPossibleLangs } from './language-updates.ts'

/** Returns null for a URL without a document. `urlHash` is the hash of the URL. */
export function makeIndexedPageReader(db: DatabaseSync): (url: string, urlHash: number) => IndexedPage | null {
  const byHash = db.prepare(
    `select d.page_id, d.url, d.version, d.lang, d.possible_langs, b.lines, b.repeated
     from documents d join bags b on b.page_id = d.page_id where d.url_hash = ?`,
  )
  return (url, urlHash) => {
    const row = byHash.all(urlHash).find((found) => found['url'] === url)
    return row === undefined ? null : toIndexedPage(row)
  }
}

function toIndexedPage(row: Record<string, unknown>): IndexedPage {
  const [lang, possible] = [row['lang'], row['possible_langs']] as (string | null)[]
  return {
    ownLang: ownLanguage({ lang: lang ?? null, possibleLangs: unpackPossibleLangs(possible ?? null) }),
    pageId: Number(row['page_id']),
    version: Number(row['version']),
    lines: unpackDocumentLines(row['lines'] as Uint8Array),
    repeated: unpackDocumentLines(row['repeated'] as Uint8Array),
  }
}
