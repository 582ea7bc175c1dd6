// Turns an archived page into an index document: its language, the terms of each field, the text for snippets and the
// keywords. Also collects anchor texts for the pages it links to. Holds state from earlier pages: known words and
// stems, and the lines that hosts of the batch repeat.

import type { ExtractedContent } from '../../engine/media/content-type.ts'
import { type HtmlFacts, readHtml } from '../../engine/parse/html-reader.ts'
import { copyCodes } from '../../engine/parse/utf16-codes.ts'
import type { AnchorText, FeedBatch, FeedPage } from '../../ports/index-feed.ts'
import { BLOCK_BREAK, type Field, type IndexDocument } from '../../ports/search.ts'
import { chooseLanguage, type DocumentLanguage, ownLanguage } from '../host-languages.ts'
import { hostOf } from '../url-parts.ts'
import { AnchorTextCollector } from './anchor-texts.ts'
import { BatchHosts } from './batch-hosts.ts'
import { type Block, BlockReader } from './block-reader.ts'
import { markBoilerplate } from './boilerplate.ts'
import { type SeparatedText, separateText, toDisplayText } from './display-text.ts'
import type { EntityFinder } from './entity-finder.ts'
import { type TermCache, TermCaches, toIndexTerm } from './index-terms.ts'
import { KeywordPicker } from './keyword-picker.ts'
import { type DetectLanguage, LanguageIdentifier } from './language-identifier.ts'
import { hasSentence, isMostlyNonLatin } from './prose-sample.ts'
import { urlToText } from './split-words.ts'
import { Tokeniser } from './tokeniser.ts'
import { wordOfMarkedTerm } from './word-segmenter.ts'
import { WordTable } from './word-table.ts'

/**
 * A page is HTML, or a file from which content was extracted. Content reported by an external indexer (title,
 * description, text) replaces what the HTML contains.
 */
export type PageSource = { html: string; reported?: ExtractedContent | null } | { extracted: ExtractedContent }

export interface AnalysedPage {
  document: IndexDocument
  /** The visible text of an HTML page; null if an external indexer reported another one. */
  text: string | null
  anchors: AnchorText[]
}

export interface AnalyserDependencies {
  detect: DetectLanguage
  /** Null turns entity recognition off. */
  findEntities: EntityFinder | null
}

const MAX_WORDS = 120_000
/** Room for new words; most pages add fewer. A page that adds more is read again with an empty table. */
const SPARE_WORDS = 40_000
/** Limit for titles, descriptions, URLs and anchor texts. */
const MAX_SHORT_WORDS = 10_000
const MAX_BODY_TERMS = 20_000
const MAX_OTHER_TERMS = 1000
/** Keywords, and the first of all other words. Indexing all words would be half the cost of writing a page. */
const MAX_VOCABULARY = 32
const MAX_TITLE = 300
const BREAK = `${BLOCK_BREAK} `
const NO_LINKS = 0
const LINE_FEED = 10

export class Analyser {
  readonly #dependencies: AnalyserDependencies
  readonly #languages: LanguageIdentifier
  readonly #hosts = new BatchHosts()
  readonly #anchors = new AnchorTextCollector()
  readonly #stems = new TermCaches()
  #table = new WordTable(MAX_WORDS)
  #blocks = new BlockReader(this.#table)
  #shortTokeniser = new Tokeniser(this.#table, { marksWords: true })
  #keywords = new KeywordPicker(this.#table)

  constructor(dependencies: AnalyserDependencies) {
    this.#dependencies = dependencies
    this.#languages = new LanguageIdentifier(dependencies.detect)
  }

  /** Sets what is known about the hosts of a batch. Must be called before its pages are analysed. */
  setHosts(hosts: FeedBatch['hosts']): void {
    this.#hosts.setCounts(hosts)
  }

  /** A page of the batch that must not be found; its URL loses its document. */
  excludePage(page: FeedPage): void {
    this.#hosts.excludePage(page)
  }

  /** Call after a failed batch, so that its anchor texts are collected again. */
  clearSeenAnchors(): void {
    this.#anchors.clear()
  }

  analyse(page: FeedPage, source: PageSource): AnalysedPage {
    const facts = this.#read(source)
    const reader = this.#blocks
    const host = hostOf(page.version.url)
    const { lines, repeated, isCounted } = this.#hosts.findLines(page, reader.blocks)
    markBoilerplate(reader, repeated)
    const separated = separateText(facts.text, reader, repeated)
    const { lang, possibleLangs } = this.#identifyLanguage(host, facts.lang || page.version.lang, separated)
    if (isCounted) this.#hosts.count(page, { lines, ownLang: ownLanguage({ lang, possibleLangs }) })
    const title = (facts.title || page.version.title || firstHeading(facts.text, reader)).slice(0, MAX_TITLE)
    const terms = this.#termsOf(page, { ...facts, title }, lang)
    const { words, keywords } = this.#wordsOf(title, lang)
    const document: IndexDocument = {
      ...copyPageFields(page),
      host,
      title,
      lang,
      possibleLangs,
      text: toDisplayText(separated, title),
      terms,
      words,
      keywords,
      lines,
      repeated,
      entities: lang === 'en' ? (this.#dependencies.findEntities?.(separated.main) ?? []) : [],
    }
    const isUnread = page.hasUnreadLinks && 'html' in source
    const isReported = 'html' in source && source.reported != null
    const text = isReported ? null : facts.text
    return { document, text, anchors: isUnread ? this.collectAnchors(page.version.url, source.html) : [] }
  }

  /** The anchor texts of an HTML page for the pages it links to. */
  collectAnchors(url: string, html: string): AnchorText[] {
    return this.#anchors.collect(readHtml(html, 'anchors'), url)
  }

  /**
   * Code has more Latin letters than the Japanese text around it. In Latin script, preformatted text may also be the
   * message of a mailing list.
   */
  #identifyLanguage(host: string, declared: string | null, { prose, main }: SeparatedText): DocumentLanguage {
    const isOfProse = prose !== main && isMostlyNonLatin(prose) && hasSentence(prose)
    const identified = this.#languages.identify(declared, isOfProse ? prose : main)
    if (typeof identified === 'string') return { lang: identified, possibleLangs: null }
    return { lang: chooseLanguage(identified, this.#hosts.mainLanguage(host)), possibleLangs: identified }
  }

  #resetTables(): void {
    this.#table = new WordTable(MAX_WORDS)
    this.#blocks = new BlockReader(this.#table)
    this.#shortTokeniser = new Tokeniser(this.#table, { marksWords: true })
    this.#keywords = new KeywordPicker(this.#table)
    this.#stems.clear()
  }

  /** Makes sure that the table has room for all words of the page, unless an empty table is too small for them. */
  #read(source: PageSource): HtmlFacts | ExtractedContent {
    if (this.#table.size > MAX_WORDS - SPARE_WORDS) this.#resetTables()
    const wasEmpty = this.#table.size === 0
    const read = () => ('html' in source ? this.#readPage(source) : this.#readText(source.extracted))
    const facts = read()
    if (wasEmpty || this.#table.size <= MAX_WORDS - MAX_SHORT_WORDS) return facts
    this.#resetTables()
    return read()
  }

  #readPage({ html, reported = null }: Extract<PageSource, { html: string }>): HtmlFacts | ExtractedContent {
    if (reported === null) return this.#readHtml(html)
    const facts = reported.text === '' ? this.#readHtml(html) : readHtml(html, false, null, NO_LINKS)
    const about = {
      title: reported.title || facts.title,
      description: reported.description || facts.description,
      lang: reported.lang || facts.lang,
    }
    return reported.text === '' ? { ...facts, ...about } : this.#readText({ ...reported, ...about })
  }

  #readHtml(html: string): HtmlFacts {
    this.#blocks.clear()
    const facts = readHtml(html, true, this.#blocks, NO_LINKS)
    this.#blocks.finish()
    return facts
  }

  #readText(extractedContent: ExtractedContent): ExtractedContent {
    this.#blocks.clear()
    const codes = copyCodes(extractedContent.text)
    for (let start = 0; start <= codes.length; ) {
      const found = codes.indexOf(LINE_FEED, start)
      const end = found === -1 ? codes.length : found
      this.#blocks.add(codes, start, end)
      this.#blocks.endBlock()
      start = end + 1
    }
    return extractedContent
  }

  #termsOf(
    page: FeedPage,
    { title, description }: { title: string; description: string },
    lang: string | null,
  ): Record<Field, string> {
    const stems = this.#stems.forLanguage(lang)
    const { blocks, ids } = this.#blocks
    const inBlocks = (kind: Block['kind'], max: number) => {
      let out = ''
      let remaining = max
      for (const block of blocks) {
        if (block.kind !== kind) continue
        const end = Math.min(block.end, block.start + remaining)
        remaining -= end - block.start
        out += `${out === '' ? '' : BREAK}${this.#join(ids, block.start, end, stems)}`
        if (remaining === 0) break
      }
      return out
    }
    const inText = (text: string) => {
      const tokeniser = this.#shortTokeniser
      tokeniser.count = 0
      tokeniser.add(copyCodes(text), 0, text.length)
      tokeniser.flush()
      return this.#join(tokeniser.ids, 0, Math.min(tokeniser.count, MAX_OTHER_TERMS), stems)
    }
    return {
      title: inText(title).trimEnd(),
      headings: inBlocks('heading', MAX_OTHER_TERMS).trimEnd(),
      anchors: page.anchors.map(inText).filter(Boolean).join(BREAK).trimEnd(),
      url: inText(urlToText(page.version.url)).trimEnd(),
      description: inText(description).trimEnd(),
      body: inBlocks('body', MAX_BODY_TERMS).trimEnd(),
      boilerplate: inBlocks('boilerplate', MAX_OTHER_TERMS).trimEnd(),
    }
  }

  #join(ids: Int32Array, start: number, end: number, { terms, lang }: TermCache): string {
    let out = ''
    for (let i = start; i < end; i++) {
      const id = ids[i] ?? 0
      let term = terms[id]
      if (term === undefined) {
        term = `${toIndexTerm(this.#table.wordOf(id), lang)} `
        terms[id] = term
      }
      out += term
    }
    return out
  }

  /** Words for suggestions, and keywords. */
  #wordsOf(title: string, lang: string | null): { words: string[]; keywords: string[] } {
    const distinct: number[] = []
    const tokeniser = this.#shortTokeniser
    tokeniser.count = 0
    tokeniser.add(copyCodes(title), 0, title.length)
    tokeniser.flush()
    this.#keywords.countWords(tokeniser.ids, 0, tokeniser.count, distinct)
    const inTitle = distinct.length
    for (const { kind, start, end } of this.#blocks.blocks) {
      if (kind !== 'boilerplate') this.#keywords.countWords(this.#blocks.ids, start, end, distinct)
    }
    const keywords = this.#keywords.pick(distinct, inTitle, lang)
    const words = new Set(keywords)
    for (const id of distinct) {
      if (words.size >= MAX_VOCABULARY) break
      const word = this.#table.wordOf(id)
      const suggested = wordOfMarkedTerm(word) ?? (isSuggested(word) ? word : '')
      if (suggested.length >= MIN_SUGGESTED) words.add(suggested)
    }
    return { words: [...words], keywords }
  }
}

function copyPageFields({ version, urlId, depth, changedAt, linkRank, inlinks }: FeedPage) {
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

function firstHeading(text: string, { lines, blocks }: BlockReader): string {
  const at = lines.findIndex((block) => blocks[block]?.kind === 'heading')
  return at === -1 ? '' : (text.split('\n')[at] ?? '')
}

const MIN_SUGGESTED = 2
const IS_WORD = /^\D{1,30}$/
/** Pairs of ideographs are not words unless they are marked as words. */
const FIRST_PAIRED = 0x1100

function isSuggested(word: string): boolean {
  return IS_WORD.test(word) && word.charCodeAt(0) < FIRST_PAIRED
}
