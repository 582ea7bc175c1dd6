import { collapseSpaces } from '../../parse/characters.ts'
import { readHtml } from '../../parse/html-reader.ts'
import { looksLikeUrl } from '../../sitemap/looks-like-url.ts'
import { readDate } from '../../sitemap/read-date.ts'
import type { ExtractedLink } from '../content-type.ts'

export type FeedField =
  | 'title'
  | 'link'
  | 'guid'
  | 'summary'
  | 'content'
  | 'lang'
  | 'category'
  | 'updated'
  | 'published'

/** The fields of a feed or of one of its items. The first non-empty text of each field is used. */
export interface FeedEntry {
  texts: Record<FeedField, string>
  categories: string[]
  hrefs: { href: string; rel: string }[]
}

export function newEntry(): FeedEntry {
  return {
    texts: {
      title: '',
      link: '',
      guid: '',
      summary: '',
      content: '',
      lang: '',
      category: '',
      updated: '',
      published: '',
    },
    categories: [],
    hrefs: [],
  }
}

export function setField(entry: FeedEntry, field: FeedField, text: string): void {
  if (field === 'category' && text !== '') entry.categories.push(text)
  entry.texts[field] ||= text
}

export function feedLinks({ texts, hrefs }: FeedEntry): ExtractedLink[] {
  const text = texts.title
  const links = hrefs.map(({ href, rel }) => ({ href, rel, text }))
  if (texts.link !== '') links.push({ href: texts.link, rel: '', text })
  if (links.length === 0 && looksLikeUrl(texts.guid)) links.push({ href: texts.guid, rel: '', text })
  return links
}

/** Links of an item. They have the time at which it was published or updated; links to other things do not. */
export function itemLinks(item: FeedEntry): ExtractedLink[] {
  const modifiedAt = readDate(item.texts.updated) ?? readDate(item.texts.published)
  if (modifiedAt === null) return feedLinks(item)
  return feedLinks(item).map((link) => (link.rel === '' || link.rel === 'alternate' ? { ...link, modifiedAt } : link))
}

export function feedText({ texts }: FeedEntry): string {
  return [texts.title, texts.content || texts.summary].filter((text) => text !== '').join('\n')
}

/** Many feeds contain HTML where the standard requires text, and vice versa. */
export function toPlainText(text: string, isHtml: boolean): string {
  return isHtml && /[<&]/.test(text) ? readHtml(text, true).text : collapseSpaces(text)
}
