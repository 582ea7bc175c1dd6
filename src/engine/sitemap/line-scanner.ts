import { copyString } from '../../lib/copy-string.ts'
import { CR } from '../parse/characters.ts'
import { looksLikeUrl } from './looks-like-url.ts'
import {
  type EntryScanner,
  MAX_FIELD_LENGTH,
  MAX_LOC_LENGTH,
  noSkips,
  type SitemapEntry,
  type SitemapKind,
} from './sitemap-entry.ts'

const LF = 10

/** Scans a file with one URL per line. If the first line is not a URL, the file is ignored. */
export class LineScanner implements EntryScanner {
  readonly skipped = noSkips()
  #kind: SitemapKind = 'unknown'
  #isOver = false
  #line = ''
  #entry: SitemapEntry | null = null

  get kind(): SitemapKind {
    return this.#kind
  }

  get isDone(): boolean {
    return this.#isOver
  }

  read(text: string, pos: number): number {
    while (pos < text.length && this.#entry === null && !this.#isOver) {
      const end = lineEnd(text, pos)
      this.#add(text.slice(pos, end))
      if (end === text.length) return end
      this.#finishLine()
      pos = end + 1
    }
    return pos
  }

  take(): SitemapEntry | null {
    const entry = this.#entry
    this.#entry = null
    return entry
  }

  end(isCut: boolean): void {
    // The last line of a truncated file may be half a URL.
    if (!this.#isOver && !isCut) this.#finishLine()
    this.#isOver = true
  }

  #add(piece: string): void {
    if (this.#line.length > MAX_FIELD_LENGTH) return
    this.#line = (this.#line + (this.#line === '' ? piece.trimStart() : piece)).slice(0, MAX_FIELD_LENGTH + 1)
  }

  #finishLine(): void {
    const isTooLong = this.#line.length > MAX_FIELD_LENGTH
    const line = this.#line.trimEnd()
    this.#line = ''
    if (line === '') return
    if (!looksLikeUrl(line)) {
      if (this.#kind === 'text') this.skipped.line_not_url++
      else this.#isOver = true
      return
    }
    this.#kind = 'text'
    if (isTooLong || line.length > MAX_LOC_LENGTH) this.skipped.loc_too_long++
    else this.#entry = { loc: copyString(line), lastmod: null, changefreq: null, priority: null }
  }
}

function lineEnd(text: string, pos: number): number {
  while (pos < text.length && text.charCodeAt(pos) !== LF && text.charCodeAt(pos) !== CR) pos++
  return pos
}
