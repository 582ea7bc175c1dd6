// RSS of every age and Atom, in one pass. Kept of the tree are the entry being read, the field whose text is gathered,
// and the other elements open inside the entry: the title of an image is not that of the feed.

import { decodeHtml } from '../parse/charset.ts'
import { Markup } from '../sitemap/markup.ts'
import { attributeOf, type Tag, TagReader } from '../sitemap/tag.ts'
import { type FeedEntry, type FeedField, linksOf, newEntry, plainText, setField, textOf } from './feed-entry.ts'
import { type Extracted, NOTHING, withinLimits } from './type.ts'

const FIELDS: ReadonlyMap<string, FeedField> = new Map([
  ['title', 'title'],
  ['link', 'link'],
  ['guid', 'guid'],
  ['description', 'summary'],
  ['summary', 'summary'],
  ['subtitle', 'summary'],
  ['content', 'content'],
  ['content:encoded', 'content'],
  ['language', 'lang'],
  ['category', 'category'],
])
const RECORDS: ReadonlySet<string> = new Set(['item', 'entry'])
const WRAPPERS: ReadonlySet<string> = new Set(['rss', 'rdf', 'feed', 'channel'])

// Elements nested deeper are forgotten.
const MAX_OPEN = 32

export function readFeed(body: Buffer, { contentType }: { contentType: string }): Extracted {
  const { channel, items } = new FeedReader(decodeHtml(body, contentType).text)
  const { title, summary, lang } = channel.texts
  return withinLimits({
    ...NOTHING,
    title,
    description: summary,
    keywords: channel.categories.join(', '),
    lang,
    text: items.map(textOf).join('\n'),
    links: [channel, ...items].flatMap(linksOf),
  })
}

class FeedReader {
  readonly channel = newEntry()
  readonly items: FeedEntry[] = []
  readonly #markup = new Markup()
  readonly #tags = new TagReader()
  #entry = this.channel
  // That of the root, which its fields share: others are of another vocabulary.
  #prefix: string | null = null
  #isAtom = false
  #field: { key: FeedField; name: string; isHtml: boolean } | null = null
  #pieces: string[] = []
  #open: string[] = []

  constructor(xml: string) {
    const markup = this.#markup
    for (let pos = 0; pos < xml.length; ) {
      pos = markup.read(xml, pos)
      if (markup.tag !== null) this.#readTag(markup.tag)
    }
    this.#finishField()
  }

  #readTag(raw: string): void {
    const tag = this.#tags.read(raw)
    if (this.#prefix === null) this.#readRoot(tag, raw)
    if (this.#field !== null) {
      const isItsEnd = tag.isEnd && tag.name === this.#field.name
      if (!isItsEnd && !this.#isRecord(tag)) return this.#takeText()
      this.#finishField()
      if (isItsEnd) return
    }
    if (this.#isRecord(tag)) this.#turnRecord(tag)
    else if (tag.isEnd) this.#endElement(tag)
    else this.#startElement(tag, raw)
  }

  #readRoot(tag: Tag, raw: string): void {
    this.#prefix = tag.local === 'rdf' ? '' : tag.prefix
    this.#isAtom = tag.local === 'feed'
    this.channel.texts.lang = attributeOf(raw, 'xml:lang') ?? ''
  }

  #isRecord(tag: Tag): boolean {
    return RECORDS.has(tag.local) && tag.prefix === this.#prefix
  }

  #turnRecord(tag: Tag): void {
    this.#open.length = 0
    this.#entry = this.channel
    if (tag.isEnd) return
    const item = newEntry()
    this.items.push(item)
    if (!tag.isSelfClosing) this.#entry = item
  }

  #startElement(tag: Tag, raw: string): void {
    if (WRAPPERS.has(tag.local)) return
    const key = this.#open.length > 0 ? undefined : FIELDS.get(tag.prefix === this.#prefix ? tag.local : tag.name)
    const isNoUrl = key === 'guid' && attributeOf(raw, 'ispermalink')?.toLowerCase() === 'false'
    if (key === undefined || isNoUrl) {
      if (!tag.isSelfClosing && this.#open.length < MAX_OPEN) this.#open.push(tag.name)
      return
    }
    this.#readAttributes(key, raw)
    if (tag.isSelfClosing) return
    const isHtml = !this.#isAtom || attributeOf(raw, 'type')?.toLowerCase() === 'html'
    this.#field = { key, name: tag.name, isHtml }
    this.#markup.text.clear()
    this.#markup.wantsText = true
  }

  /** Atom has links and categories without text. */
  #readAttributes(key: FeedField, raw: string): void {
    if (key === 'category') setField(this.#entry, key, attributeOf(raw, 'term') ?? '')
    if (key !== 'link') return
    const href = attributeOf(raw, 'href')
    if (href !== null) this.#entry.hrefs.push({ href, rel: (attributeOf(raw, 'rel') ?? '').toLowerCase() })
  }

  #endElement(tag: Tag): void {
    const at = this.#open.lastIndexOf(tag.name)
    if (at !== -1) this.#open.length = at
  }

  /** A field that is too long is left out: of an item there is a summary then, or its page. */
  #takeText(): void {
    this.#pieces.push(this.#markup.text.read() ?? '')
    this.#markup.text.clear()
  }

  #finishField(): void {
    if (this.#field === null) return
    this.#takeText()
    const { key, isHtml } = this.#field
    setField(this.#entry, key, plainText(this.#pieces.join(' '), isHtml))
    this.#field = null
    this.#pieces = []
    this.#markup.wantsText = false
  }
}
