// Sitemaps, indexes and feeds. All that is kept of the tree is the record being read, which child of it has text that
// counts, and the other elements open inside it: a loc there, such as that of an image, is not the record's own.

import { Draft } from './draft.ts'
import { type EntryScanner, nothingSkipped, type SitemapEntry, type SitemapKind } from './entry.ts'
import { Markup } from './markup.ts'
import { type Field, SHAPES, type Shape } from './shapes.ts'
import { attributeOf, type Tag, TagReader } from './tag.ts'

// Elements nested deeper are only counted.
const MAX_OPEN = 32

export class XmlScanner implements EntryScanner {
  readonly skipped = nothingSkipped()
  readonly #markup = new Markup()
  readonly #tags = new TagReader()
  readonly #draft = new Draft()
  #shape: Shape | null = null
  #root = ''
  #isOver = false
  #entry: SitemapEntry | null = null
  // The prefix of the record being read, which its own children share; null between records.
  #prefix: string | null = null
  #field: Field | null = null
  #open: string[] = []
  #openBeyond = 0

  get kind(): SitemapKind {
    return this.#shape?.kind ?? 'unknown'
  }

  get isOver(): boolean {
    return this.#isOver
  }

  read(text: string, pos: number): number {
    while (pos < text.length && this.#entry === null && !this.#isOver) {
      pos = this.#markup.read(text, pos)
      if (this.#markup.tag !== null) this.#readTag(this.#markup.tag)
    }
    return pos
  }

  take(): SitemapEntry | null {
    const entry = this.#entry
    this.#entry = null
    return entry
  }

  /** A field that the end of the file cut is not known to be complete. */
  end(): void {
    this.#finishRecord()
    this.#isOver = true
  }

  #readTag(raw: string): void {
    // Fields hold nothing but text, so any tag ends one; its own end tag may be missing.
    this.#finishField()
    const tag = this.#tags.read(raw)
    if (tag.isEnd) this.#endElement(tag)
    else this.#startElement(tag, raw)
  }

  #startElement(tag: Tag, raw: string): void {
    const shape = this.#shape ?? this.#readRoot(tag)
    if (shape === null) return
    if (this.#isRecord(tag, shape)) {
      this.#finishRecord()
      this.#prefix = tag.prefix
      if (tag.isSelfClosing) this.#finishRecord()
      return
    }
    if (this.#prefix === null) return
    const isChild = this.#open.length === 0 && tag.prefix === this.#prefix
    const field = isChild ? shape.fields.get(tag.local) : undefined
    if (field !== undefined) this.#startField(field, tag, raw)
    else if (!tag.isSelfClosing) this.#push(tag.name)
  }

  /** Another vocabulary inside a record may have elements of the same name. */
  #isRecord(tag: Tag, shape: Shape): boolean {
    return tag.local === shape.record && (this.#prefix === null || this.#prefix === tag.prefix)
  }

  #readRoot(tag: Tag): Shape | null {
    this.#shape = SHAPES.get(tag.local) ?? null
    this.#root = tag.local
    this.#isOver = this.#shape === null
    return this.#shape
  }

  #startField(field: Field, tag: Tag, raw: string): void {
    if (field === 'href') {
      const rel = attributeOf(raw, 'rel')
      if (rel === null || rel.toLowerCase() === 'alternate') this.#draft.set('href', attributeOf(raw, 'href') ?? '')
      if (!tag.isSelfClosing) this.#push(tag.name)
      return
    }
    if (tag.isSelfClosing) return
    if (field === 'guid' && attributeOf(raw, 'ispermalink')?.toLowerCase() === 'false') return
    // Where the tags between two records are missing, the next loc tells them apart.
    if (field === 'loc' && this.#draft.hasLoc) this.#finishDraft()
    this.#field = field
    this.#markup.text.clear()
    this.#markup.wantsText = true
  }

  #finishField(): void {
    if (this.#field === null) return
    this.#draft.set(this.#field, this.#markup.text.read())
    this.#field = null
    this.#markup.wantsText = false
  }

  #endElement(tag: Tag): void {
    if (this.#prefix === null || this.#shape === null) return
    if (this.#isRecord(tag, this.#shape) || tag.local === this.#root) return this.#finishRecord()
    if (this.#openBeyond > 0) {
      this.#openBeyond--
      return
    }
    const at = this.#open.lastIndexOf(tag.name)
    if (at !== -1) this.#open.length = at
  }

  #push(name: string): void {
    if (this.#open.length < MAX_OPEN) this.#open.push(name)
    else this.#openBeyond++
  }

  #finishRecord(): void {
    if (this.#prefix === null) return
    this.#finishDraft()
    this.#prefix = null
    this.#open.length = 0
    this.#openBeyond = 0
  }

  #finishDraft(): void {
    const finished = this.#draft.finish()
    this.#draft.clear()
    if (typeof finished === 'string') this.skipped[finished]++
    else this.#entry = finished
  }
}
