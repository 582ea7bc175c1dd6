// From a kept page to its document: language, fields of terms, the text for snippets, keywords; and the texts of its
// links for the pages they lead to. Holds what was learnt from pages before: words and stems; and the lines that
// hosts of the batch repeat.

import type { Extracted } from '../../engine/media/type.ts'
import { copyCodes } from '../../engine/parse/codes.ts'
import { type HtmlFacts, readHtml } from '../../engine/parse/html.ts'
import type { AnchorText, FeedBatch, FeedPage, Field, IndexDocument } from '../../ports/search.ts'
import { hostOf } from '../url-parts.ts'
import { AnchorTexts } from './anchors.ts'
import { findAround, RepeatedLines } from './around.ts'
import { type Block, BlockReader } from './blocks.ts'
import type { FindEntities } from './entities.ts'
import { Keywords } from './keywords.ts'
import { type Detect, LanguageCheck } from './language.ts'
import { type StemList, Stems, termOf } from './stems.ts'
import { urlText } from './text-words.ts'
import { Tokeniser } from './tokeniser.ts'
import { WordTable } from './word-table.ts'

/** A page is html, or a file that something else was read from. */
export type PageSource = { html: string } | { extracted: Extracted }

export interface Analysed {
  document: IndexDocument
  anchors: AnchorText[]
}

export interface AnalyserParts {
  detect: Detect
  /** Null: no names are looked for. */
  findEntities: FindEntities | null
}

const MAX_WORDS = 120_000
/** Most pages bring fewer new ones. One that brings more is read again with an empty table. */
const SPARE_WORDS = 40_000
/** In titles, descriptions, urls and texts of links. */
const MAX_SHORT_WORDS = 10_000
const MAX_BODY_TERMS = 20_000
const MAX_OTHER_TERMS = 1000
const MAX_TEXT = 50_000
/** Keywords, and the first of all others. All of them would be half of what writing a page costs. */
const MAX_VOCABULARY = 32
const MAX_TITLE = 300

export class Analyser {
  readonly #parts: AnalyserParts
  readonly #languages: LanguageCheck
  readonly #repeated = new RepeatedLines()
  readonly #anchors = new AnchorTexts()
  readonly #stems = new Stems()
  #table = new WordTable(MAX_WORDS)
  #blocks = new BlockReader(this.#table)
  #short = new Tokeniser(this.#table)
  #keywords = new Keywords(this.#table)

  constructor(parts: AnalyserParts) {
    this.#parts = parts
    this.#languages = new LanguageCheck(parts.detect)
  }

  /** Before pages of hosts: which lines their documents have, as far as it is known. */
  knowLines(lines: FeedBatch['lines']): void {
    this.#repeated.know(lines)
  }

  /** A page of the batch that shall not be found: its url has no document any more. */
  leaveOut(page: FeedPage): void {
    this.#repeated.leaveOut(page)
  }

  /** A batch came to nothing: what its pages said of others is to be said again. */
  forgetAnchors(): void {
    this.#anchors.forget()
  }

  analyse(page: FeedPage, source: PageSource): Analysed {
    const { url } = page.version
    const facts = this.#read(source)
    const reader = this.#blocks
    const host = hostOf(url)
    const { lines, repeated } = this.#repeated.note(page, reader.blocks)
    findAround(reader.blocks, repeated)
    const { text, mainLength } = orderText(facts.text, reader.lines, reader.blocks)
    const lang = this.#languages.languageOf(facts.lang || page.version.lang, text.slice(0, mainLength))
    const title = (facts.title || page.version.title || firstHeading(facts.text, reader)).slice(0, MAX_TITLE)
    const terms = this.#termsOf(page, { ...facts, title }, lang)
    const { words, keywords } = this.#wordsOf(title, lang)
    const document: IndexDocument = {
      ...knownOf(page),
      host,
      title,
      lang,
      text,
      terms,
      words,
      keywords,
      lines,
      repeated,
      entities: lang === 'en' ? (this.#parts.findEntities?.(text.slice(0, mainLength)) ?? []) : [],
    }
    return { document, anchors: 'html' in source ? this.#anchors.of(facts as HtmlFacts, url) : [] }
  }

  #startOver(): void {
    this.#table = new WordTable(MAX_WORDS)
    this.#blocks = new BlockReader(this.#table)
    this.#short = new Tokeniser(this.#table)
    this.#keywords = new Keywords(this.#table)
    this.#stems.clear()
  }

  /** With room for all words of the page in the table, unless it has more of them than an empty table holds. */
  #read(source: PageSource): HtmlFacts | Extracted {
    if (this.#table.size > MAX_WORDS - SPARE_WORDS) this.#startOver()
    const wasEmpty = this.#table.size === 0
    const read = () => ('html' in source ? this.#readHtml(source.html) : this.#readText(source.extracted))
    const facts = read()
    if (wasEmpty || this.#table.size <= MAX_WORDS - MAX_SHORT_WORDS) return facts
    this.#startOver()
    return read()
  }

  #readHtml(html: string): HtmlFacts {
    this.#blocks.clear()
    const facts = readHtml(html, true, this.#blocks)
    this.#blocks.finish()
    return facts
  }

  #readText(extracted: Extracted): Extracted {
    this.#blocks.clear()
    for (const line of extracted.text.split('\n')) {
      this.#blocks.add(copyCodes(line), 0, line.length)
      this.#blocks.separate()
    }
    return extracted
  }

  #termsOf(
    page: FeedPage,
    { title, description }: { title: string; description: string },
    lang: string | null,
  ): Record<Field, string> {
    const stems = this.#stems.of(lang)
    const { blocks, ids } = this.#blocks
    const inBlocks = (kind: Block['kind'], max: number) => {
      let out = ''
      let left = max
      for (const block of blocks) {
        if (block.kind !== kind) continue
        const end = Math.min(block.end, block.start + left)
        left -= end - block.start
        out += this.#join(ids, block.start, end, stems)
        if (left === 0) break
      }
      return out
    }
    const inText = (text: string) => {
      const short = this.#short
      short.count = 0
      short.add(copyCodes(text), 0, text.length)
      short.end()
      return this.#join(short.ids, 0, Math.min(short.count, MAX_OTHER_TERMS), stems)
    }
    return {
      title: inText(title).trimEnd(),
      headings: inBlocks('heading', MAX_OTHER_TERMS).trimEnd(),
      anchors: inText(page.anchors.join('\n')).trimEnd(),
      url: inText(urlText(page.version.url)).trimEnd(),
      description: inText(description).trimEnd(),
      body: inBlocks('body', MAX_BODY_TERMS).trimEnd(),
      boilerplate: inBlocks('around', MAX_OTHER_TERMS).trimEnd(),
    }
  }

  #join(ids: Int32Array, start: number, end: number, { terms, lang }: StemList): string {
    let out = ''
    for (let i = start; i < end; i++) {
      const id = ids[i] ?? 0
      let term = terms[id]
      if (term === undefined) {
        term = `${termOf(this.#table.wordOf(id), lang)} `
        terms[id] = term
      }
      out += term
    }
    return out
  }

  /** Words for suggestions, and keywords. */
  #wordsOf(title: string, lang: string | null): { words: string[]; keywords: string[] } {
    const different: number[] = []
    const short = this.#short
    short.count = 0
    short.add(copyCodes(title), 0, title.length)
    short.end()
    this.#keywords.count(short.ids, 0, short.count, different)
    const inTitle = different.length
    for (const { kind, start, end } of this.#blocks.blocks) {
      if (kind !== 'around') this.#keywords.count(this.#blocks.ids, start, end, different)
    }
    const keywords = this.#keywords.pick(different, inTitle, lang)
    const words = new Set(keywords.filter(isSuggested))
    for (const id of different) {
      if (words.size >= MAX_VOCABULARY) break
      const word = this.#table.wordOf(id)
      if (isSuggested(word)) words.add(word)
    }
    return { words: [...words], keywords }
  }
}

function knownOf({ version, urlId, depth, changedAt, linkRank, inlinks }: FeedPage) {
  const {
    id: pageId,
    crawlId,
    url,
    version: number,
    contentType,
    httpStatus,
    visitedAt,
    expiresAt,
    fingerprint,
  } = version
  const contentLength = version.contentLength ?? version.wireBytes
  const about = { pageId, urlId, crawlId, url, version: number, contentType, httpStatus, depth, contentLength }
  return { ...about, inlinks, linkRank, visitedAt, changedAt, expiresAt, fingerprint }
}

/** The text of the page with what stands around it at the end. */
function orderText(text: string, lines: readonly number[], blocks: readonly Block[]) {
  let main = ''
  let around = ''
  text.split('\n').forEach((line, i) => {
    const block = blocks[lines[i] ?? -1]
    if (block?.kind === 'around') around += `${line}\n`
    else main += `${line}\n`
  })
  return { text: (main + around).slice(0, MAX_TEXT).trimEnd(), mainLength: Math.max(0, main.length - 1) }
}

function firstHeading(text: string, { lines, blocks }: BlockReader): string {
  const at = lines.findIndex((block) => blocks[block]?.kind === 'heading')
  return at === -1 ? '' : (text.split('\n')[at] ?? '')
}

const IS_WORD = /^\D{2,30}$/
/** Pairs of ideographs are no words. */
const FIRST_PAIRED = 0x1100

function isSuggested(word: string): boolean {
  return IS_WORD.test(word) && word.charCodeAt(0) < FIRST_PAIRED
}
