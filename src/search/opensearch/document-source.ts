// A document as the engine stores it. The terms come analysed, as in the other indexes, so that every script and language
// is treated alike: the engine only splits them at spaces.

import { BLOCK_BREAK, FIELDS, type Field, type IndexDocument } from '../../ports/search.ts'
import { entityTerms } from '../entity-terms.ts'
import { fingerprintQuarters } from '../postgres/fingerprint-quarters.ts'
import { BagPacker } from '../rank/term-bag.ts'
import { packCard } from './document-card.ts'

/** The limit of field-vectors.ts; the engine would split longer terms. */
const MAX_TERM = 255
/** Keys of more bytes are refused. */
const MAX_KEY = 2000
const MAX_WORD = 100

export interface StoredDocument {
  page: number
  crawl: string
  version: number
  url: string
  host: string
  /** The host and the domains above it. */
  domains: string[]
  path: string
  title: string
  title_key: string
  lang: string | null
  content_type: string | null
  http_status: number | null
  depth: number
  content_length: number
  inlinks: number
  link_rank: number
  visited_at: number
  changed_at: number
  expires_at: number | null
  fingerprint: string | null
  quarters: number[]
  length: number
  text: string
  keywords: string[]
  words: string[]
  names: string[]
  fields: Record<Field, string>
}

/** Data derived from the stored document and not stored again: distinct terms of all fields, and the card. */
export interface IndexedDocument extends StoredDocument {
  terms: string[]
  card: string
}

export function toStoredDocument(document: IndexDocument): StoredDocument {
  const { url, host } = document
  const fields = Object.fromEntries(FIELDS.map((field) => [field, cutTerms(document.terms[field])]))
  return {
    page: document.pageId,
    crawl: document.crawlId,
    version: document.version,
    url: url.toWellFormed(),
    host,
    domains: domainsOf(host),
    path: pathOf(url).slice(0, MAX_KEY).toWellFormed(),
    title: document.title.toWellFormed(),
    title_key: titleKey(document.title),
    lang: document.lang,
    content_type: document.contentType?.slice(0, MAX_KEY).toWellFormed() ?? null,
    http_status: document.httpStatus,
    depth: document.depth,
    content_length: document.contentLength,
    inlinks: document.inlinks,
    link_rank: document.linkRank,
    visited_at: document.visitedAt,
    changed_at: document.changedAt,
    expires_at: document.expiresAt,
    fingerprint: document.fingerprint,
    quarters: fingerprintQuarters(document.fingerprint),
    length: 0,
    text: document.text.toWellFormed(),
    keywords: document.keywords.map((keyword) => keyword.toWellFormed()),
    words: [...new Set(document.words.map((word) => word.slice(0, MAX_WORD).toWellFormed()))],
    names: entityTerms(document.entities).map((name) => name.slice(0, MAX_KEY).toWellFormed()),
    fields: fields as Record<Field, string>,
  }
}

/** Holds working memory. */
export class DocumentIndexer {
  readonly #bagPacker = new BagPacker()

  toIndexed(stored: StoredDocument): IndexedDocument {
    const { length, content } = this.#bagPacker.pack(stored.fields)
    const document = { ...stored, length }
    const terms = new Set(FIELDS.flatMap((field) => splitTerms(stored.fields[field])))
    terms.delete(BLOCK_BREAK)
    return { ...document, terms: [...terms], card: packCard(document, content) }
  }
}

export function splitTerms(terms: string): string[] {
  return terms === '' ? [] : terms.split(' ')
}

/** The term as it is stored. */
export function cutTerm(term: string): string {
  return term.length > MAX_TERM ? term.slice(0, MAX_TERM).toWellFormed() : term
}

const LONG_TERM = new RegExp(`[^ ]{${MAX_TERM + 1},}`, 'g')

function cutTerms(terms: string): string {
  return terms.replace(LONG_TERM, cutTerm).toWellFormed()
}

/** Titles are found by their start. */
export function titleKey(title: string): string {
  return title.toLowerCase().slice(0, MAX_WORD).toWellFormed()
}

function domainsOf(host: string): string[] {
  const labels = host.split('.')
  return labels.map((_, i) => labels.slice(i).join('.'))
}

function pathOf(url: string): string {
  const at = url.indexOf('/', url.indexOf('://') + 3)
  return at === -1 ? '' : url.slice(at)
}
