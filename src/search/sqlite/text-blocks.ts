// Stores the display fields of documents: text, keywords and entities. Short ones share a block, because starting zstd is
// expensive: 30 us for a text alone, 17 with five in a block, 12 with twelve (2026-11). A document refers to its block
// and its position in it. A block is repacked once half of its documents are gone.

import type { DatabaseSync } from 'node:sqlite'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { IndexDocument } from '../../ports/search.ts'
import { prepareCached } from './prepare-cached.ts'

export type DisplayFields = Pick<IndexDocument, 'text' | 'keywords' | 'entities'>

export interface BlockPosition {
  block: number
  place: number
}

/** The entry of a text in the first line of a block. */
type BlockEntry = [
  pageId: number,
  bytes: number,
  keywords: DisplayFields['keywords'],
  entities: DisplayFields['entities'],
]

interface OpenBlock {
  id: number
  entries: BlockEntry[]
  texts: string
}

/**
 * A longer text has a separate block. Larger blocks are slower to read and hardly smaller: with 32,768, reading a text
 * takes 110 us instead of 58, and all blocks of 5,328 documentation pages 17.1 MB instead of 17.6 (2026-11).
 */
const MAX_CHARACTERS = 16_384
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const LINE_END = 10
/** Large enough that most blocks are one piece. */
const LARGE_CHUNK = 65_536

export class TextBlockWriter {
  readonly #insert
  readonly #lastId
  readonly #take
  readonly #decrementLive
  readonly #delete
  readonly #isStillIndexed
  readonly #move
  /** The block being filled; null until a text is added. */
  #open: OpenBlock | null = null

  constructor(db: DatabaseSync) {
    this.#insert = db.prepare('insert into text_blocks (id, documents, live, content) values (?, ?, ?, ?)')
    this.#lastId = db.prepare('select coalesce(max(id), 0) as id from text_blocks')
    this.#take = db.prepare('select documents, live, content from text_blocks where id = ?')
    this.#decrementLive = db.prepare('update text_blocks set live = live - 1 where id = ?')
    this.#delete = db.prepare('delete from text_blocks where id = ?')
    this.#isStillIndexed = db.prepare('select 1 from documents where page_id = ? and block = ?')
    this.#move = db.prepare('update documents set block = ?, place = ? where page_id = ?')
  }

  add(pageId: number, { text, keywords, entities }: DisplayFields): BlockPosition {
    return this.#pack(pageId, { text: text.toWellFormed(), keywords, entities })
  }

  /** Call after the row of the document was deleted. */
  remove(block: number): void {
    if (this.#open?.id === block) this.flush()
    this.#decrementLive.run(block)
    const row = this.#take.get(block)
    if (row === undefined || Number(row['live']) * 2 > Number(row['documents'])) return
    this.#delete.run(block)
    if (Number(row['live']) === 0) return
    const textBlock = new TextBlock(row['content'] as Uint8Array)
    for (const [place, pageId] of textBlock.pageIds.entries()) {
      const fields = textBlock.at(place)
      if (fields === null || this.#isStillIndexed.get(pageId, block) === undefined) continue
      const { block: next, place: nextPlace } = this.#pack(pageId, fields)
      this.#move.run(next, nextPlace, pageId)
    }
  }

  /** Call before each commit. */
  flush(): void {
    if (this.#open === null) return
    const { id, entries, texts } = this.#open
    const content = zstdCompressSync(`${JSON.stringify(entries)}\n${texts}`, FAST)
    this.#insert.run(id, entries.length, entries.length, content)
    this.#open = null
  }

  /** Call after a rollback. */
  rollback(): void {
    this.#open = null
  }

  #pack(pageId: number, { text, keywords, entities }: DisplayFields): BlockPosition {
    if (this.#open !== null && this.#open.texts.length + text.length > MAX_CHARACTERS) this.flush()
    this.#open ??= { id: Number(this.#lastId.get()?.['id']) + 1, entries: [], texts: '' }
    const openBlock = this.#open
    const place = { block: openBlock.id, place: openBlock.entries.length }
    openBlock.entries.push([pageId, Buffer.byteLength(text), keywords, entities])
    openBlock.texts += text
    if (openBlock.texts.length >= MAX_CHARACTERS) this.flush()
    return place
  }
}

class TextBlock {
  readonly #content: Buffer
  readonly #entries: BlockEntry[]
  readonly #start: number

  constructor(packed: Uint8Array) {
    this.#content = zstdDecompressSync(packed, { chunkSize: LARGE_CHUNK })
    const end = this.#content.indexOf(LINE_END)
    this.#entries = JSON.parse(this.#content.toString('utf8', 0, end)) as BlockEntry[]
    this.#start = end + 1
  }

  get pageIds(): number[] {
    return this.#entries.map(([pageId]) => pageId)
  }

  at(place: number): DisplayFields | null {
    let start = this.#start
    for (const [i, [, bytes, keywords, entities]] of this.#entries.entries()) {
      if (i === place) return { text: this.#content.toString('utf8', start, start + bytes), keywords, entities }
      start += bytes
    }
    return null
  }
}

/** Fields in the order of the ids; null for missing documents. */
export function readDisplayFields(db: DatabaseSync, pageIds: readonly number[]): (DisplayFields | null)[] {
  const select = prepareCached(
    db,
    'select d.block, d.place, b.content from documents d join text_blocks b on b.id = d.block where d.page_id = ?',
  )
  const blocks = new Map<number, TextBlock>()
  return pageIds.map((pageId) => {
    const row = select.get(pageId)
    if (row === undefined) return null
    const id = Number(row['block'])
    const block = blocks.get(id) ?? new TextBlock(row['content'] as Uint8Array)
    blocks.set(id, block)
    return block.at(Number(row['place']))
  })
}
