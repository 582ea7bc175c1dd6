// The live records of a segment, and updates of their positions.

import type { DatabaseSync } from 'node:sqlite'
import type { Position } from '../../ports/archive.ts'
import type { LiveRecord, RecordMove } from '../../ports/retention.ts'
import type { SegmentIds } from '../pages/sqlite-segments.ts'

export class RecordMover {
  readonly #segments: SegmentIds
  readonly #pagesIn
  readonly #contentsIn
  readonly #movePage
  readonly #moveContent
  readonly #addDead

  constructor(db: DatabaseSync, segments: SegmentIds) {
    this.#segments = segments
    this.#pagesIn = db.prepare('select id, content, offset, length from pages where segment = ? limit ?')
    this.#contentsIn = db.prepare(
      'select id as content, offset, length from contents where segment = ? and is_alone = 1 limit ?',
    )
    const set = 'set segment = ?, offset = ?, length = ? where id = ? and segment = ? and offset = ?'
    this.#movePage = db.prepare(`update pages ${set}`)
    this.#moveContent = db.prepare(`update contents ${set}`)
    this.#addDead = db.prepare('update segments set dead_bytes = dead_bytes + ? where id = ?')
  }

  listLive(segment: string, limit: number): LiveRecord[] {
    const id = this.#segments.find(segment)
    const rows = this.#pagesIn.all(id, limit)
    if (rows.length < limit) rows.push(...this.#contentsIn.all(id, limit - rows.length))
    return rows.map((row) => ({
      position: { segment, offset: Number(row['offset']), length: Number(row['length']) },
      pageId: row['id'] === undefined ? null : Number(row['id']),
      content: row['content'] === null ? null : String(row['content']),
    }))
  }

  moveAll(moves: RecordMove[]): number {
    return moves.filter((recordMove) => this.#moveOne(recordMove)).length
  }

  #moveOne({ record: { position, pageId, content }, to }: RecordMove): boolean {
    const from = this.#segments.find(position.segment)
    const target = this.#segments.findOrAdd(to.segment)
    const place = (rowId: number | null) => [target, to.offset, to.length, rowId, from, position.offset]
    const changed =
      Number(this.#movePage.run(...place(pageId)).changes) +
      Number(this.#moveContent.run(...place(content === null ? null : Number(content))).changes)
    if (changed === 0) this.#markDead(target, to)
    else this.#markDead(from, position)
    return changed > 0
  }

  #markDead(segment: number | null, { length }: Position): void {
    this.#addDead.run(length, segment)
  }
}
