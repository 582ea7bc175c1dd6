// Reads a sitemap in slices, each of bounded work. Open it with the unpacked bytes of the file, and call it for
// entries until it is done. No input makes it throw.

import { isSpace, LESS } from '../parse/characters.ts'
import { ChunkQueue } from './chunk-queue.ts'
import { LineScanner } from './line-scanner.ts'
import { encodingOf, PieceDecoder } from './piece-decoder.ts'
import { type EntryScanner, noSkips, type SitemapEntry, type SitemapKind, type SkippedCounts } from './sitemap-entry.ts'
import { XmlScanner } from './xml-scanner.ts'

export interface SliceBudget {
  maxEntries: number
  maxBytes: number
}

// Maximum number of bytes decoded ahead for the next call.
const PIECE_BYTES = 65_536

const MARK = 0xfeff

export class SitemapReader {
  readonly #chunks: ChunkQueue
  readonly #decoder: PieceDecoder
  readonly #maxEntries: number
  /** The file continues after these bytes. */
  readonly isCut: boolean
  #scanner: EntryScanner | null = null
  #piece = ''
  #pos = 0
  #isDecoded = false
  #entries = 0
  #isDone = false
  #truncatedBy: 'entries' | null = null

  constructor(chunks: readonly Buffer[], limits: { maxEntries: number }, isCut = false) {
    this.#chunks = new ChunkQueue(chunks)
    this.#decoder = new PieceDecoder(encodingOf(this.#chunks.head))
    this.#maxEntries = limits.maxEntries
    this.isCut = isCut
  }

  /** Known before the first entry is returned. */
  get kind(): SitemapKind {
    return this.#scanner?.kind ?? 'unknown'
  }

  /** Skipped entries so far, by reason. */
  get skipped(): Readonly<SkippedCounts> {
    return this.#scanner?.skipped ?? noSkips()
  }

  get isDone(): boolean {
    return this.#isDone
  }

  get truncatedBy(): 'entries' | null {
    return this.#truncatedBy
  }

  /** May be empty before the end: large parts of a file may contain no entries. */
  next(budget: SliceBudget): SitemapEntry[] {
    const batch: SitemapEntry[] = []
    let bytesLeft = budget.maxBytes
    while (!this.#isDone && batch.length < budget.maxEntries && (bytesLeft > 0 || this.#hasText)) {
      if (this.#hasText) this.#scan()
      else bytesLeft -= this.#readPiece(bytesLeft)
      this.#collect(batch)
    }
    return batch
  }

  get #hasText(): boolean {
    return this.#pos < this.#piece.length
  }

  #scan(): void {
    this.#scanner ??= this.#chooseScanner()
    if (this.#scanner !== null) this.#pos = this.#scanner.read(this.#piece, this.#pos)
  }

  /** Chooses by the first non-blank character; null if there is none in this chunk. */
  #chooseScanner(): EntryScanner | null {
    const piece = this.#piece
    while (this.#hasText && isBlank(piece.charCodeAt(this.#pos))) this.#pos++
    if (!this.#hasText) return null
    return piece.charCodeAt(this.#pos) === LESS ? new XmlScanner() : new LineScanner()
  }

  /** Returns the number of bytes read. */
  #readPiece(maxBytes: number): number {
    const bytes = this.#chunks.take(Math.min(maxBytes, PIECE_BYTES))
    this.#pos = 0
    if (bytes !== null) {
      this.#piece = this.#decoder.decode(bytes)
      return bytes.length
    }
    this.#piece = this.#isDecoded ? '' : this.#decoder.end()
    this.#isDecoded = true
    if (!this.#hasText) {
      this.#scanner?.end(this.isCut)
      this.#isDone = true
    }
    return 0
  }

  #collect(batch: SitemapEntry[]): void {
    const entry = this.#scanner?.take() ?? null
    if (entry !== null && this.#entries === this.#maxEntries) this.#truncatedBy = 'entries'
    else if (entry !== null) {
      this.#entries++
      batch.push(entry)
    }
    if (this.#truncatedBy !== null || this.#scanner?.isDone === true) this.#isDone = true
  }
}

function isBlank(code: number): boolean {
  return isSpace(code) || code === MARK
}
