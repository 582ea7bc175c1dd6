// Stores the line counts of hosts: see line-counts.ts. One row per host; writers of the same host lock it, as the last
// lock before the end of the batch.

import type { IndexDocument, IndexedPage } from '../../../ports/search.ts'
import type { Queryable } from '../../../store/postgres/query.ts'
import { BatchLineCounts, type LineCounts, packLineCounts, unpackLineCounts } from '../../line-counts.ts'
import { hostOf } from '../../url-parts.ts'

const READ = {
  name: 'index_read_lines',
  text: 'select host, content from host_lines where host = any($1::text[])',
}
const MAKE = {
  name: 'index_make_lines',
  text: `insert into host_lines (host, content) select h, '' from unnest($1::text[]) as h order by h
    on conflict (host) do nothing`,
}
const LOCK = {
  name: 'index_lock_lines',
  text: 'select host, content from host_lines where host = any($1::text[]) order by host for update',
}
const SAVE = {
  name: 'index_save_lines',
  text: `update host_lines l set content = n.content
    from unnest($1::text[], $2::bytea[]) as n (host, content) where l.host = n.host`,
}

export async function readHostLines(db: Queryable, hosts: string[]): Promise<Map<string, LineCounts>> {
  const { rows } = await db.query({ ...READ, values: [hosts] })
  return new Map(rows.map((row) => [String(row['host']), unpackLineCounts(row['content'] as Uint8Array)]))
}

/** A processed page, with the previous document of its URL; in page order. */
export interface DocumentLines {
  url: string
  version: number
  before: IndexedPage | null
  /** Null if its URL loses its document. */
  document: Pick<IndexDocument, 'pageId' | 'lines'> | null
}

export async function saveHostLines(tx: Queryable, results: DocumentLines[]): Promise<void> {
  // A reindexed page is already counted.
  const counted = results.filter(
    ({ before, document }) => document === null || before?.pageId !== document.pageId || before.repeated === null,
  )
  const hosts = [...new Set(counted.map(({ url }) => hostOf(url)))].sort()
  if (hosts.length === 0) return
  await tx.query({ ...MAKE, values: [hosts] })
  const { rows } = await tx.query({ ...LOCK, values: [hosts] })
  const lines = new BatchLineCounts(
    new Map(rows.map((row) => [String(row['host']), unpackLineCounts(row['content'] as Uint8Array)])),
  )
  for (const { url, version, before, document } of counted) {
    if (lines.removeUpToVersion(url, version, before) && document !== null)
      lines.add(url, { version, lines: document.lines })
  }
  const packed = hosts.map((host) => packLineCounts(lines.counterOf(host).counts))
  await tx.query({ ...SAVE, values: [hosts, packed] })
}
