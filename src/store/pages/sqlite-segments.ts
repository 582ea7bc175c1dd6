// Ids of segments by name.

import type { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../lib/errors.ts'

export class SegmentIds {
  readonly #find
  readonly #add
  readonly #delete
  /** Cached, since one segment is written for hours. */
  #last = { name: '', id: 0 }

  constructor(db: DatabaseSync) {
    this.#find = db.prepare('select id, is_forgotten from segments where name = ?')
    this.#add = db.prepare('insert into segments (name) values (?) returning id')
    this.#delete = db.prepare('delete from segments where name = ? and is_forgotten = 1')
  }

  /** The id of a segment that is referenced from now on. */
  findOrAdd(name: string): number {
    if (this.#last.name !== name) {
      const row = this.#find.get(name)
      if (row?.['is_forgotten'] === 1) throw new AppError('INTERNAL', `A report refers to the deleted segment ${name}.`)
      this.#last = { name, id: Number((row ?? this.#add.get(name))?.['id']) }
    }
    return this.#last.id
  }

  find(name: string): number | null {
    const row = this.#find.get(name)
    return row === undefined ? null : Number(row['id'])
  }

  /** Call it when a segment is retired: nothing may refer to it any more. */
  clearCache(): void {
    this.#last = { name: '', id: 0 }
  }

  delete(name: string): void {
    this.#delete.run(name)
    this.clearCache()
  }
}
