// Damaged payloads: marked when a read finds them, repaired by the next response with the same payload.

import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Position } from '../../ports/archive.ts'
import { urlHash } from '../encoding/url-hash.ts'
import { connect, storeError } from '../sqlite/open.ts'

export interface PayloadLocation {
  segment: number | null
  offset: number
  length: number
  urlId: number
  fetchedAt: number
}

export type DamagedRecord = Pick<Position, 'segment' | 'offset'>

/** Uses the indexes of pages and of payloads without a page. */
export function markDamaged(db: DatabaseSync, places: DamagedRecord[]): number {
  const mark = db.prepare(
    `update contents set is_damaged = 1 where is_damaged = 0 and id in (
       select c.id from segments s join pages p on p.segment = s.id and p.offset = ?2
         join contents c on c.id = p.content and c.segment = s.id and c.offset = ?2 where s.name = ?1
       union select c.id from segments s join contents c on c.segment = s.id and c.is_alone = 1 and c.offset = ?2
         where s.name = ?1)`,
  )
  return places.reduce((sum, { segment, offset }) => sum + Number(mark.run(segment, offset).changes), 0)
}

/** A separate commit, which waits its turn if another process owns the store. */
export function markDamagedInDirectory(dir: string, places: DamagedRecord[]): number {
  try {
    const db = connect(join(dir, 'store.db'), false)
    try {
      return markDamaged(db, places)
    } finally {
      db.close()
    }
  } catch (error) {
    throw storeError(error, dir)
  }
}

export class PayloadRepair {
  readonly #find
  readonly #move
  readonly #addDead

  constructor(db: DatabaseSync) {
    this.#find = db.prepare('select segment, length, is_alone from contents where id = ?')
    this.#move = db.prepare(
      `update contents set segment = ?, offset = ?, length = ?, url_id = ?, fetched_at = ?, url = null, is_alone = 0,
         is_damaged = 0 where id = ?`,
    )
    this.#addDead = db.prepare('update segments set dead_bytes = dead_bytes + ? where id = ?')
  }

  /**
   * Replaces a damaged payload with a new record. The damaged record is deleted with its page, or counts as dead at
   * once.
   */
  repair(content: number, { segment, offset, length, urlId, fetchedAt }: PayloadLocation): void {
    const old = this.#find.get(content)
    this.#move.run(segment, offset, length, urlId, fetchedAt, content)
    if (old?.['is_alone'] === 1) this.#addDead.run(Number(old['length']), Number(old['segment']))
  }
}

/** URLs that have to be fetched again because their archived content cannot be read. */
export class DamagedVersions {
  readonly #any
  readonly #isDamaged

  constructor(db: DatabaseSync) {
    this.#any = db.prepare('select 1 from contents where is_damaged = 1 limit 1')
    this.#isDamaged = db.prepare(
      `select c.is_damaged from pages p join contents c on c.id = p.content
       where p.url_hash = ? and p.url_id = ? order by p.id desc limit 1`,
    )
  }

  hasAny(): boolean {
    return this.#any.get() !== undefined
  }

  /** Whether the last version of the URL in its crawl is damaged. */
  has({ id, url }: { id: number; url: string }): boolean {
    return this.#isDamaged.get(urlHash(url), id)?.['is_damaged'] === 1
  }
}
