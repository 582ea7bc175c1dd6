// Which lines the documents of a host have: see line-counts.ts. One row for each host, which those wait for who write
// documents of the same host at the same time; it comes last in their transactions, but for their end.

import type { Queryable } from '../../store/postgres/query.ts'
import { addLines, type LineChanges, type LineCounts, packLines, unpackLines } from '../line-counts.ts'

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

export async function readLines(db: Queryable, hosts: string[]): Promise<Map<string, LineCounts>> {
  const { rows } = await db.query({ ...READ, values: [hosts] })
  return new Map(rows.map((row) => [String(row['host']), unpackLines(row['content'] as Uint8Array)]))
}

export async function saveLines(tx: Queryable, changes: LineChanges): Promise<void> {
  const all = changes.take()
  if (all.length === 0) return
  const hosts = all.map(([host]) => host)
  await tx.query({ ...MAKE, values: [hosts] })
  const { rows } = await tx.query({ ...LOCK, values: [hosts] })
  const known = new Map(rows.map((row) => [String(row['host']), unpackLines(row['content'] as Uint8Array)]))
  const packed = all.map(([host, lines]) => packLines(addLines(known.get(host) ?? new Map(), lines)))
  await tx.query({ ...SAVE, values: [hosts, packed] })
}
