import { detach } from '../../lib/detach.ts'
import { readDate } from './date.ts'
import { MAX_LOC_LENGTH, type SitemapEntry, type SkipReason } from './entry.ts'
import { readChangefreq, readPriority } from './fields.ts'
import type { Field } from './shapes.ts'
import { looksLikeUrl } from './url-line.ts'

type Texts = Record<Field, string>

const NO_TEXTS: Readonly<Texts> = {
  loc: '',
  link: '',
  href: '',
  guid: '',
  lastmod: '',
  published: '',
  changefreq: '',
  priority: '',
}

/** What is known of the record that is being read: the text of its fields, of which the first that is not empty counts. */
export class Draft {
  #texts: Texts = { ...NO_TEXTS }
  #isTooLong = false

  clear(): void {
    this.#texts = { ...NO_TEXTS }
    this.#isTooLong = false
  }

  get hasLoc(): boolean {
    return this.#isTooLong || this.#texts.loc !== ''
  }

  /** Null is a text too long to keep. */
  set(field: Field, text: string | null): void {
    if (this.#texts[field] !== '') return
    if (text !== null) this.#texts[field] = text
    else if (field === 'loc' || field === 'link' || field === 'href') this.#isTooLong = true
  }

  finish(): SitemapEntry | SkipReason {
    const texts = this.#texts
    const loc = texts.loc || texts.link || texts.href || permalinkOf(texts.guid)
    if (this.#isTooLong || loc.length > MAX_LOC_LENGTH) return 'loc_too_long'
    if (loc === '') return 'loc_missing'
    return {
      loc: detach(loc),
      lastmod: readDate(texts.lastmod || texts.published),
      changefreq: readChangefreq(texts.changefreq),
      priority: readPriority(texts.priority),
    }
  }
}

/** Many a guid is a mere number that does not own up to it. */
function permalinkOf(guid: string): string {
  return looksLikeUrl(guid) ? guid : ''
}
