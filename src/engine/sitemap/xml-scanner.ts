// Scans sitemaps, indexes and feeds. It tracks only a part of the tree: the current record, the field whose text is
// collected, and other elements open inside the record, so that a loc of an image is not taken for the record's own.

import { type ParsedTag, readAttribute, TagReader } from '../xml/tag-reader.ts'
import { XmlTokeniser } from '../xml/xml-tokeniser.ts'
import { EntryDraft } from './entry-draft.ts'
import { type EntryScanner, noSkips, type SitemapEntry, type SitemapKind } from './sitemap-entry.ts'
import { FORMAT_BY_ROOT, type SitemapField, type SitemapFormat } from './sitemap-formats.ts'

// Elements nested deeper are only counted.
const MAX_OPEN = 32

export class XmlScanner implements EntryScanner {
  readonly skipped = noSkips()
  readonly #markup = new XmlTokeniser()
  readonly #tags = new TagReader()
  readonly #draft = new EntryDraft()
  #format: SitemapFormat | null = null
  #root = ''
  #isOver = false
  #entry: SitemapEntry | null = null
  // The prefix of the current record, which its own children share; null between records.
  #prefix: string | null = null
  #field: SitemapField | null = null
  #open: string[] = []
  #openBeyond = 0

  get kind(): SitemapKind {
    return this.#format?.kind ?? 'unknown'
  }

  get isDone(): boolean {
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

  /** A field truncated by the end of the file is not known to be complete. */
  end(): void {
    this.#finishRecord()
    this.#isOver = true
  }

  #readTag(raw: string): void {
    // Fields contain only text, so any tag ends one; its own end tag may be missing.
    this.#finishField()
    const parsedTag = this.#tags.read(raw)
    if (parsedTag.isEnd) this.#endElement(parsedTag)
    else this.#startElement(parsedTag, raw)
  }

  #startElement(parsedTag: ParsedTag, raw: string): void {
    const shape = this.#format ?? this.#readRoot(parsedTag)
    if (shape === null) return
    if (this.#isRecord(parsedTag, shape)) {
      this.#finishRecord()
      this.#prefix = parsedTag.prefix
      if (parsedTag.isSelfClosing) this.#finishRecord()
      return
    }
    if (this.#prefix === null) return
    const isChild = this.#open.length === 0 && parsedTag.prefix === this.#prefix
    const field = isChild ? shape.fields.get(parsedTag.local) : undefined
    if (field !== undefined) this.#startField(field, parsedTag, raw)
    else if (!parsedTag.isSelfClosing) this.#push(parsedTag.name)
  }

  /** Another vocabulary inside a record may have elements of the same name. */
  #isRecord(parsedTag: ParsedTag, sitemapFormat: SitemapFormat): boolean {
    return (
      parsedTag.local === sitemapFormat.recordElement && (this.#prefix === null || this.#prefix === parsedTag.prefix)
    )
  }

  #readRoot(parsedTag: ParsedTag): SitemapFormat | null {
    this.#format = FORMAT_BY_ROOT.get(parsedTag.local) ?? null
    this.#root = parsedTag.local
    this.#isOver = this.#format === null
    return this.#format
  }

  #startField(sitemapField: SitemapField, parsedTag: ParsedTag, raw: string): void {
    if (sitemapField === 'href') {
      const rel = readAttribute(raw, 'rel')
      if (rel === null || rel.toLowerCase() === 'alternate') this.#draft.set('href', readAttribute(raw, 'href') ?? '')
      if (!parsedTag.isSelfClosing) this.#push(parsedTag.name)
      return
    }
    if (parsedTag.isSelfClosing) return
    if (sitemapField === 'guid' && readAttribute(raw, 'ispermalink')?.toLowerCase() === 'false') return
    // If the tags between two records are missing, the next loc separates them.
    if (sitemapField === 'loc' && this.#draft.hasLoc) this.#finishDraft()
    this.#field = sitemapField
    this.#markup.text.clear()
    this.#markup.wantsText = true
  }

  #finishField(): void {
    if (this.#field === null) return
    this.#draft.set(this.#field, this.#markup.text.read())
    this.#field = null
    this.#markup.wantsText = false
  }

  #endElement(parsedTag: ParsedTag): void {
    if (this.#prefix === null || this.#format === null) return
    if (this.#isRecord(parsedTag, this.#format) || parsedTag.local === this.#root) return this.#finishRecord()
    if (this.#openBeyond > 0) {
      this.#openBeyond--
      return
    }
    const at = this.#open.lastIndexOf(parsedTag.name)
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
