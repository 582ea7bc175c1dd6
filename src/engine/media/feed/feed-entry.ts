import { collapseSpaces } from '../../parse/characters.ts'
import { readHtml } from '../../parse/html-reader.ts'
import { looksLikeUrl } from '../../sitemap/looks-like-url.ts'
import type { ExtractedLink } from '../content-type.ts'

export type FeedField = 'title' | 'link' | 'guid' | 'summary' | 'content' | 'lang' | 'category'

/** The fields of a feed or of one of its items. The first non-empty text of each field is used. */
export interface FeedEntry {
  texts: Record<FeedField, string>
  categories: string[]
  hrefs: { href: string; rel: string }[]
}

export function newEntry(): FeedEntry {
  return {
    texts: { title: '', link: '', guid: '', summary: '', content: '', lang: '', category: '' },
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

export function feedText({ texts }: FeedEntry): string {
  return [texts.title, texts.content || texts.summary].filter((text) => text !== '').join('\n')
}

/** Many feeds contain HTML where the standard requires text, and vice versa. */
export function toPlainText(text: string, isHtml: boolean): string {
  return isHtml && /[<&]/.test(text) ? readHtml(text, true).text : collapseSpaces(text)
}
