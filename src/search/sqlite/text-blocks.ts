// What is shown of documents: text, keywords and names. They are packed some in a block, for to start zstd takes
// time: 31 to 58 us for a text alone, 25 for one of five (2026-11). A document knows its block and its place in it. A
// block of which half is gone is packed anew.

import type { DatabaseSync } from 'node:sqlite'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { IndexDocument } from '../../ports/search.ts'

export type Shown = Pick<IndexDocument, 'text' | 'keywords' | 'entities'>

export interface Place {
  block: number
  place: number
}

type Packed = [pageId: number, text: string, keywords: Shown['keywords'], entities: Shown['entities']]

/** A hit unpacks its whole block, some five texts of 2.6 KB: 54 to 101 us (2026-11). */
const MAX_CHARACTERS = 12_288
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

export class TextBlockWriter {
  readonly #insert
  readonly #lastId
  readonly #take
  readonly #leave
  readonly #delete
  readonly #isThere
  readonly #move
  /** Not written yet; null until one is begun. */
  #open: { id: number; packed: Packed[]; characters: number } | null = null

  constructor(db: DatabaseSync) {
    this.#insert = db.prepare('insert into text_blocks (id, documents, live, content) values (?, ?, ?, ?)')
    this.#lastId = db.prepare('select coalesce(max(id), 0) as id from text_blocks')
    this.#take = db.prepare('select documents, live, content from text_blocks where id = ?')
    this.#leave = db.prepare('update text_blocks set live = live - 1 where id = ?')
    this.#delete = db.prepare('delete from text_blocks where id = ?')
    this.#isThere = db.prepare('select 1 from documents where page_id = ? and block = ?')
    this.#move = db.prepare('update documents set block = ?, place = ? where page_id = ?')
  }

  add(pageId: number, { text, keywords, entities }: Shown): Place {
    return this.#pack([pageId, text.toWellFormed(), keywords, entities])
  }

  /** Of a document that is gone from the table of documents. */
  remove(block: number): void {
    if (this.#open?.id === block) this.flush()
    this.#leave.run(block)
    const row = this.#take.get(block)
    if (row === undefined || Number(row['live']) * 2 > Number(row['documents'])) return
    this.#delete.run(block)
    if (Number(row['live']) === 0) return
    for (const packed of unpack(row['content'] as Uint8Array)) {
      const [pageId] = packed
      if (this.#isThere.get(pageId, block) === undefined) continue
      const { block: next, place } = this.#pack(packed)
      this.#move.run(next, place, pageId)
    }
  }

  /** Before the end of every transaction. */
  flush(): void {
    if (this.#open === null) return
    const { id, packed } = this.#open
    this.#insert.run(id, packed.length, packed.length, zstdCompressSync(JSON.stringify(packed), FAST))
    this.#open = null
  }

  /** The transaction came to nothing. */
  forget(): void {
    this.#open = null
  }

  #pack(packed: Packed): Place {
    this.#open ??= { id: Number(this.#lastId.get()?.['id']) + 1, packed: [], characters: 0 }
    const open = this.#open
    const place = { block: open.id, place: open.packed.length }
    open.packed.push(packed)
    open.characters += packed[1].length
    if (open.characters >= MAX_CHARACTERS) this.flush()
    return place
  }
}

/** In the order of the ids; null for those that are not there. */
export function readShown(db: DatabaseSync, pageIds: readonly number[]): (Shown | null)[] {
  const select = db.prepare(
    'select d.block, d.place, b.content from documents d join text_blocks b on b.id = d.block where d.page_id = ?',
  )
  const blocks = new Map<number, Packed[]>()
  return pageIds.map((pageId) => {
    const row = select.get(pageId)
    if (row === undefined) return null
    const id = Number(row['block'])
    const packed = blocks.get(id) ?? unpack(row['content'] as Uint8Array)
    blocks.set(id, packed)
    const [, text, keywords, entities] = packed[Number(row['place'])] ?? [0, '', [], []]
    return { text, keywords, entities }
  })
}

function unpack(content: Uint8Array): Packed[] {
  return JSON.parse(zstdDecompressSync(content).toString()) as Packed[]
}
