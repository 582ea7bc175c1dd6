// Writes to the engine that are not committed in the store yet. If the process is killed before the commit, the store has
// no rows for the new documents. Usually the next batch writes them again; but if their pages are deleted first, or a
// later version goes to another place, nothing else would ever delete them.

import { ADVISORY_LOCKS } from '../../../store/postgres/advisory-locks.ts'
import type { Database } from '../../../store/postgres/database.ts'
import type { Queryable } from '../../../store/postgres/query.ts'
import type { SearchClient } from '../client.ts'
import { type Place, readPlace, writePlace } from '../place.ts'
import { writeBulk } from './bulk-writer.ts'

export interface WriteVersions {
  version: number
  /**
   * Deletes what was written with `version`, even if the write arrives later, but nothing that a later transaction
   * wrote: both versions are taken while the URLs are locked.
   */
  undoVersion: number
}

/** Held by the transaction of the write. Writes whose numbers share a lock only delay each other's undoing. */
const lockNumber = (version: string) => `${ADVISORY_LOCKS.engineWrites}, (${version} % 2147483647)::int`

const NEXT_VERSIONS = {
  name: 'engine_versions',
  text: `select nextval('document_writes') as version, nextval('document_writes') as undo_version`,
}
const LOCK = { name: 'engine_write_lock', text: `select pg_advisory_xact_lock(${lockNumber('$1::bigint')})` }
const RECORD = {
  name: 'engine_write_record',
  text: 'insert into engine_writes (undo_version, url_keys, places) values ($1, $2, $3)',
}
const FORGET = { name: 'engine_write_forget', text: 'delete from engine_writes where undo_version = $1' }
const LIST = {
  name: 'engine_write_list',
  text: `select undo_version from engine_writes where pg_try_advisory_xact_lock(${lockNumber('undo_version')})`,
}
/** No row if its transaction has committed, or another process undoes it. */
const TAKE = {
  name: 'engine_write_take',
  text: `delete from engine_writes
    where undo_version = $1 and pg_try_advisory_xact_lock(${lockNumber('$1::bigint')}) returning url_keys, places`,
}

/** Taken while the URLs are locked, so that they ascend for each of them. */
export async function nextVersions(tx: Queryable): Promise<WriteVersions> {
  const [row] = (await tx.query(NEXT_VERSIONS)).rows
  return { version: Number(row?.['version']), undoVersion: Number(row?.['undo_version']) }
}

/** Records the write at once, outside of `tx`, and deletes the record in `tx`. `places` by the key of the URL. */
export async function recordWrite(
  tx: Queryable,
  pool: Queryable,
  { undoVersion, places }: { undoVersion: number; places: ReadonlyMap<string, Place> },
): Promise<void> {
  if (places.size === 0) return
  // Locked before the record is visible: otherwise the write would seem to be abandoned.
  await tx.query({ ...LOCK, values: [undoVersion] })
  await pool.query({ ...RECORD, values: [undoVersion, [...places.keys()], [...places.values()].map(writePlace)] })
  await tx.query({ ...FORGET, values: [undoVersion] })
}

/** Deletes the documents of writes whose transactions failed. */
export async function undoFailedWrites(db: Database, client: SearchClient): Promise<void> {
  const { rows } = await db.withRetries(() => db.pool.query(LIST))
  for (const row of rows)
    await db.withRetries(() => db.transaction((tx) => undoWrite(tx, client, Number(row['undo_version']))))
}

async function undoWrite(tx: Queryable, client: SearchClient, undoVersion: number): Promise<void> {
  const [row] = (await tx.query({ ...TAKE, values: [undoVersion] })).rows
  if (row === undefined) return
  const [keys, places] = [row['url_keys'] as string[], row['places'] as string[]]
  const deletions = keys.map((key, i) => ({
    id: key.replaceAll('-', ''),
    place: readPlace(places[i] ?? ''),
    document: null,
  }))
  await writeBulk(client, undoVersion, deletions)
}
