// Reads all versions of RSS and Atom in one pass. It tracks only a part of the tree: the current entry, the field
// whose text is collected, and other elements open inside the entry, so that the title of an image is not taken for
// the title of the feed.

import { decodeHtml } from '../../parse/charset/decode-html.ts'
import { type ParsedTag, readAttribute, TagReader } from '../../xml/tag-reader.ts'
import { XmlTokeniser } from '../../xml/xml-tokeniser.ts'
import { type ExtractedContent, NO_CONTENT, truncateToLimits } from '../content-type.ts'
import {
  type FeedEntry,
  type FeedField,
  feedLinks,
  feedText,
  itemLinks,
  newEntry,
  setField,
  toPlainText,
} from './feed-entry.ts'

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
  ['updated', 'updated'],
  ['atom:updated', 'updated'],
  ['dcterms:modified', 'updated'],
  ['published', 'published'],
  ['pubdate', 'published'],
  ['dc:date', 'published'],
])
const RECORDS: ReadonlySet<string> = new Set(['item', 'entry'])
const WRAPPERS: ReadonlySet<string> = new Set(['rss', 'rdf', 'feed', 'channel'])

// Elements nested deeper are ignored.
const MAX_OPEN = 32

export function readFeed(body: Buffer, { contentType }: { contentType: string }): ExtractedContent {
  const { channel, items } = new FeedReader(decodeHtml(body, contentType).text)
  const { title, summary, lang } = channel.texts
  return truncateToLimits({
    ...NO_CONTENT,
    title,
    description: summary,
    keywords: channel.categories.join(', '),
    lang,
    text: items.map(feedText).join('\n'),
    links: [...feedLinks(channel), ...items.flatMap(itemLinks)],
  })
}

class FeedReader {
  readonly channel = newEntry()
  readonly items: FeedEntry[] = []
  readonly #markup = new XmlTokeniser()
  readonly #tags = new TagReader()
  #entry = this.channel
  // The prefix of the root, which its fields share: others belong to another vocabulary.
  #prefix: string | null = null
  #isAtom = false
  #field: { key: FeedField; name: string; isHtml: boolean } | null = null
  #pieces: string[] = []
  #open: string[] = []

  constructor(xml: string) {
    const xmlTokeniser = this.#markup
    for (let pos = 0; pos < xml.length; ) {
      pos = xmlTokeniser.read(xml, pos)
      if (xmlTokeniser.tag !== null) this.#readTag(xmlTokeniser.tag)
    }
    this.#finishField()
  }

  #readTag(raw: string): void {
    const parsedTag = this.#tags.read(raw)
    if (this.#prefix === null) this.#readRoot(parsedTag, raw)
    if (this.#field !== null) {
      const isItsEnd = parsedTag.isEnd && parsedTag.name === this.#field.name
      if (!isItsEnd && !this.#isRecord(parsedTag)) return this.#takeText()
      this.#finishField()
      if (isItsEnd) return
    }
    if (this.#isRecord(parsedTag)) this.#turnRecord(parsedTag)
    else if (parsedTag.isEnd) this.#endElement(parsedTag)
    else this.#startElement(parsedTag, raw)
  }

  #readRoot(parsedTag: ParsedTag, raw: string): void {
    this.#prefix = parsedTag.local === 'rdf' ? '' : parsedTag.prefix
    this.#isAtom = parsedTag.local === 'feed'
    this.channel.texts.lang = readAttribute(raw, 'xml:lang') ?? ''
  }

  #isRecord(parsedTag: ParsedTag): boolean {
    return RECORDS.has(parsedTag.local) && parsedTag.prefix === this.#prefix
  }

  #turnRecord(parsedTag: ParsedTag): void {
    this.#open.length = 0
    this.#entry = this.channel
    if (parsedTag.isEnd) return
    const item = newEntry()
    this.items.push(item)
    if (!parsedTag.isSelfClosing) this.#entry = item
  }

  #startElement(parsedTag: ParsedTag, raw: string): void {
    if (WRAPPERS.has(parsedTag.local)) return
    const key =
      this.#open.length > 0
        ? undefined
        : FIELDS.get(parsedTag.prefix === this.#prefix ? parsedTag.local : parsedTag.name)
    const isNoUrl = key === 'guid' && readAttribute(raw, 'ispermalink')?.toLowerCase() === 'false'
    if (key === undefined || isNoUrl) {
      if (!parsedTag.isSelfClosing && this.#open.length < MAX_OPEN) this.#open.push(parsedTag.name)
      return
    }
    this.#readAttributes(key, raw)
    if (parsedTag.isSelfClosing) return
    const isHtml = !this.#isAtom || readAttribute(raw, 'type')?.toLowerCase() === 'html'
    this.#field = { key, name: parsedTag.name, isHtml }
    this.#markup.text.clear()
    this.#markup.wantsText = true
  }

  /** Atom has links and categories without text. */
  #readAttributes(key: FeedField, raw: string): void {
    if (key === 'category') setField(this.#entry, key, readAttribute(raw, 'term') ?? '')
    if (key !== 'link') return
    const href = readAttribute(raw, 'href')
    if (href !== null) this.#entry.hrefs.push({ href, rel: (readAttribute(raw, 'rel') ?? '').toLowerCase() })
  }

  #endElement(parsedTag: ParsedTag): void {
    const at = this.#open.lastIndexOf(parsedTag.name)
    if (at !== -1) this.#open.length = at
  }

  /** A field that is too long is dropped: an item then has a summary, or its page. */
  #takeText(): void {
    this.#pieces.push(this.#markup.text.read() ?? '')
    this.#markup.text.clear()
  }

  #finishField(): void {
    if (this.#field === null) return
    this.#takeText()
    const { key, isHtml } = this.#field
    setField(this.#entry, key, toPlainText(this.#pieces.join(' '), isHtml))
    this.#field = null
    this.#pieces = []
    this.#markup.wantsText = false
  }
}
