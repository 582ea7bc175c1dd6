// The live records of a segment, and updates of their positions.

import type { LiveRecord, RecordMove } from '../../ports/retention.ts'
import { addDeadBytes, DeadBytes, findSegments, SegmentIds } from '../pages/postgres-segments.ts'
import { runPipelined } from '../postgres/database.ts'
import type { Queryable, Row } from '../postgres/query.ts'

const PAGES_IN = {
  name: 'move_pages_in',
  text: 'select id, content, "offset", length from pages where segment = $1 limit $2',
}
const CONTENTS_IN = {
  name: 'move_contents_in',
  text: 'select digest as content, "offset", length from contents where segment = $1 and is_alone limit $2',
}
/** Rows are locked in the order of digests, as everywhere. */
const LOCK_CONTENTS = {
  name: 'move_lock_contents',
  text: 'select 1 from contents where digest = any($1::bytea[]) order by digest for update',
}
const LISTS = '$2::int[], $3::bigint[], $4::int[], $5::bigint[], $6::int[]'
const moveStatement = (table: string, key: string, type: string) => ({
  name: `move_${table}`,
  text: `update ${table} t set segment = m.to_segment, "offset" = m.to_offset, length = m.to_length
    from unnest($1::${type}[], ${LISTS}) with ordinality
      as m (key, from_segment, from_offset, to_segment, to_offset, to_length, place)
    where t.${key} = m.key and t.segment = m.from_segment and t."offset" = m.from_offset returning m.place`,
})
const MOVE_PAGES = moveStatement('pages', 'id', 'bigint')
const MOVE_CONTENTS = moveStatement('contents', 'digest', 'bytea')

export async function liveRecords(db: Queryable, segment: string, limit: number): Promise<LiveRecord[]> {
  const id = (await findSegments(db, [segment])).get(segment)
  if (id === undefined) return []
  const { rows } = await db.query({ ...PAGES_IN, values: [id, limit] })
  if (rows.length < limit) {
    rows.push(...(await db.query({ ...CONTENTS_IN, values: [id, limit - rows.length] })).rows)
  }
  return rows.map((row) => ({
    position: { segment, offset: Number(row['offset']), length: Number(row['length']) },
    pageId: row['id'] === undefined ? null : Number(row['id']),
    content: row['content'] instanceof Uint8Array ? Buffer.from(row['content']).toString('hex') : null,
  }))
}

export async function moveRecords(tx: Queryable, moves: RecordMove[]): Promise<number> {
  if (moves.length === 0) return 0
  const toId = await new SegmentIds().findOrAdd(
    tx,
    moves.map(({ to }) => to.segment),
  )
  const fromIds = await findSegments(
    tx,
    moves.map(({ record }) => record.position.segment),
  )
  const from = moves.map(({ record }) => fromIds.get(record.position.segment) ?? null)
  const contents = moves.map(({ record }) => (record.content === null ? null : Buffer.from(record.content, 'hex')))
  const places = [
    from,
    moves.map(({ record }) => record.position.offset),
    moves.map(({ to }) => toId(to.segment)),
    moves.map(({ to }) => to.offset),
    moves.map(({ to }) => to.length),
  ]
  const [pages, , payloads] = await runPipelined(
    tx.query({ ...MOVE_PAGES, values: [moves.map(({ record }) => record.pageId), ...places] }),
    tx.query({ ...LOCK_CONTENTS, values: [contents.filter((digest) => digest !== null)] }),
    tx.query({ ...MOVE_CONTENTS, values: [contents, ...places] }),
  )
  const moved = new Set([...pages.rows, ...payloads.rows].map((row: Row) => Number(row['place']) - 1))
  const dead = new DeadBytes()
  for (const [i, { record, to }] of moves.entries()) {
    if (moved.has(i)) dead.add(from[i], record.position.length)
    else dead.add(toId(to.segment), to.length)
  }
  await addDeadBytes(tx, dead)
  return moved.size
}
