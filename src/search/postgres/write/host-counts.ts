// Stores the counts of hosts: see host-counts.ts in search. One row per host; writers of the same host lock it, as the
// last lock before the end of the batch.

import type { IndexedPage } from '../../../ports/index-feed.ts'
import type { IndexDocument } from '../../../ports/search.ts'
import type { Queryable, Row } from '../../../store/postgres/query.ts'
import { BatchHostCounts, type HostCounts } from '../../host-counts.ts'
import { mainLanguage, ownLanguage, packLanguageCounts, unpackLanguageCounts } from '../../host-languages.ts'
import { packLineCounts, unpackLineCounts } from '../../line-counts.ts'
import { hostOf } from '../../url-parts.ts'

const READ = {
  name: 'index_read_lines',
  text: 'select host, content, languages from host_lines where host = any($1::text[])',
}
const MAKE = {
  name: 'index_make_lines',
  text: `insert into host_lines (host, content) select h, '' from unnest($1::text[]) as h order by h
    on conflict (host) do nothing`,
}
const LOCK = {
  name: 'index_lock_lines',
  text: 'select host, content, languages from host_lines where host = any($1::text[]) order by host for update',
}
const SAVE = {
  name: 'index_save_lines',
  text: `update host_lines l set content = n.content, languages = n.languages
    from unnest($1::text[], $2::bytea[], $3::text[]) as n (host, content, languages) where l.host = n.host`,
}

export async function readHostCounts(db: Queryable, hosts: string[]): Promise<Map<string, HostCounts>> {
  const { rows } = await db.query({ ...READ, values: [hosts] })
  return toHostCounts(rows)
}

function toHostCounts(rows: Row[]): Map<string, HostCounts> {
  const unpack = (row: Row) => ({
    lines: unpackLineCounts(row['content'] as Uint8Array),
    languages: unpackLanguageCounts(String(row['languages'])),
  })
  return new Map(rows.map((row) => [String(row['host']), unpack(row)]))
}

/** A processed page, with the previous document of its URL; in page order. */
export interface CountedResult {
  url: string
  version: number
  before: IndexedPage | null
  /** Null if the URL loses its document. */
  document: Pick<IndexDocument, 'pageId' | 'lines' | 'lang' | 'possibleLangs'> | null
}

/** Returns the hosts that have another main language than before. */
export async function saveHostCounts(tx: Queryable, results: CountedResult[]): Promise<string[]> {
  // A reindexed page is already counted.
  const counted = results.filter(
    ({ before, document }) => document === null || before?.pageId !== document.pageId || before.repeated === null,
  )
  const hosts = [...new Set(counted.map(({ url }) => hostOf(url)))].sort()
  if (hosts.length === 0) return []
  await tx.query({ ...MAKE, values: [hosts] })
  const { rows } = await tx.query({ ...LOCK, values: [hosts] })
  const before = toHostCounts(rows)
  const counts = new BatchHostCounts(before)
  for (const { url, version, before: replaced, document } of counted) {
    if (counts.removeUpToVersion(url, version, replaced) && document !== null)
      counts.add(url, { version, lines: document.lines, ownLang: ownLanguage(document) })
  }
  const counters = hosts.map((host) => counts.counterOf(host))
  const lines = counters.map((counter) => packLineCounts(counter.lines.counts))
  const languages = counters.map((counter) => packLanguageCounts(counter.languages.counts))
  await tx.query({ ...SAVE, values: [hosts, lines, languages] })
  const mainBefore = (host: string) => mainLanguage(before.get(host)?.languages ?? new Map())
  return hosts.filter((host, i) => counters[i]?.languages.main !== mainBefore(host))
}
