import { copyString } from '../../lib/copy-string.ts'
import { looksLikeUrl } from './looks-like-url.ts'
import { readDate } from './read-date.ts'
import { readChangefreq, readPriority } from './read-fields.ts'
import { MAX_LOC_LENGTH, type SitemapEntry, type SkipReason } from './sitemap-entry.ts'
import type { SitemapField } from './sitemap-formats.ts'

type FieldTexts = Record<SitemapField, string>

const NO_TEXTS: Readonly<FieldTexts> = {
  loc: '',
  link: '',
  href: '',
  guid: '',
  lastmod: '',
  published: '',
  changefreq: '',
  priority: '',
}

/** The record being read: the texts of its fields. The first non-empty text of a field is used. */
export class EntryDraft {
  #texts: FieldTexts = { ...NO_TEXTS }
  #isTooLong = false

  clear(): void {
    this.#texts = { ...NO_TEXTS }
    this.#isTooLong = false
  }

  get hasLoc(): boolean {
    return this.#isTooLong || this.#texts.loc !== ''
  }

  /** `text` is null if it is too long to keep. */
  set(sitemapField: SitemapField, text: string | null): void {
    if (this.#texts[sitemapField] !== '') return
    if (text !== null) this.#texts[sitemapField] = text
    else if (sitemapField === 'loc' || sitemapField === 'link' || sitemapField === 'href') this.#isTooLong = true
  }

  finish(): SitemapEntry | SkipReason {
    const fieldTexts = this.#texts
    const loc = fieldTexts.loc || fieldTexts.link || fieldTexts.href || permalinkOf(fieldTexts.guid)
    if (this.#isTooLong || loc.length > MAX_LOC_LENGTH) return 'loc_too_long'
    if (loc === '') return 'loc_missing'
    return {
      loc: copyString(loc),
      lastmod: readDate(fieldTexts.lastmod || fieldTexts.published),
      changefreq: readChangefreq(fieldTexts.changefreq),
      priority: readPriority(fieldTexts.priority),
    }
  }
}

/** Many guids are just numbers that are not declared as such. */
function permalinkOf(guid: string): string {
  return looksLikeUrl(guid) ? guid : ''
}
