// The text index: documents made from kept pages, found again by words. An implementation may be a file, a database or a
// search server; all give the same answers to the same documents, but for the order of hits of nearly the same score.
// What they have in common beyond this (folding, hosts, the weight of links and age) is in search/rank.

import type { PageToIndex } from './pages.ts'

/** Weighted apart, in the order of their weights. */
export const FIELDS = ['title', 'headings', 'anchors', 'url', 'description', 'body', 'boilerplate'] as const
export type Field = (typeof FIELDS)[number]

/** How much a term counts where it stands; a document that has it in the title should come first. */
export const FIELD_WEIGHTS: Readonly<Record<Field, number>> = {
  title: 10,
  headings: 4,
  anchors: 5,
  url: 3,
  description: 2,
  body: 1,
  boilerplate: 0.1,
}

/** Digits and small letters of ASCII, and anything beyond ASCII: no term has another character. */
export const TERM_PATTERN = /^[0-9a-z\u0080-\uffff]+$/

/** There is one document of a url, over all crawls: that of its highest version. */
export interface IndexDocument {
  /** The page it is made from; also the id of the document. */
  pageId: number
  /** Of the url in its crawl: link ranks come by it. */
  urlId: number
  crawlId: string
  url: string
  host: string
  version: number
  title: string
  lang: string | null
  contentType: string | null
  httpStatus: number | null
  depth: number
  contentLength: number
  inlinks: number
  /** 0 to 1, from the link graph of its crawl; 0 when it is not known yet. */
  linkRank: number
  visitedAt: number
  changedAt: number
  /** From then on it is not found any more; null: never. */
  expiresAt: number | null
  /** 56 bits in decimal digits. */
  fingerprint: string | null
  /** The text as people read it, for snippets; cut at a bound. */
  text: string
  /** Analysed already: terms as in `TERM` with one space between; the index changes nothing about them. */
  terms: Record<Field, string>
  /** Different words as people write them, in lower case, for suggestions; some of them, when there are very many. */
  words: string[]
  keywords: string[]
  /** Hashes of its short lines, each once: what many documents of a host have is no part of their text. */
  lines: number[]
  /** Hashes of those of its lines that many documents had when it was analysed first. */
  repeated: number[]
  entities: { kind: 'person' | 'place' | 'organisation'; text: string }[]
}

/**
 * What a query means, made by search/query from its text. A term is any one of `terms`; a phrase has all of them one
 * after the other in one field; near has them in any order in one field, with at most `distance` terms between the
 * first and the last of them. A text that is only `not` finds nothing; an empty `and` or `or` does not occur.
 */
export type QueryNode =
  | { kind: 'term'; terms: string[]; isPrefix: boolean; field: Field | null }
  | { kind: 'phrase'; terms: string[]; field: Field | null }
  | { kind: 'near'; terms: string[]; distance: number }
  | { kind: 'and' | 'or'; parts: QueryNode[] }
  | { kind: 'not'; part: QueryNode }

/** Conditions on what is known of a page besides its text; null: any. */
export interface SearchFilter {
  crawlId: string | null
  /** A host, or with a leading dot it and everything below. */
  hosts: string[]
  notHosts: string[]
  /** Beginning of the path, from its slash on. */
  path: string | null
  lang: string | null
  /** Beginning of the content type. */
  type: string | null
  httpStatus: number | null
  depth: Range | null
  size: Range | null
  inlinks: Range | null
  visited: Range | null
  changed: Range | null
  /** A page; what differs from it in at most three bits of the fingerprint, itself too. Nothing if it is not indexed. */
  nearDuplicateOf: number | null
}

export const NO_FILTER: Readonly<SearchFilter> = {
  crawlId: null,
  hosts: [],
  notHosts: [],
  path: null,
  lang: null,
  type: null,
  httpStatus: null,
  depth: null,
  size: null,
  inlinks: null,
  visited: null,
  changed: null,
  nearDuplicateOf: null,
}

/** Both ends belong to it. */
export interface Range {
  min: number | null
  max: number | null
}

export interface IndexQuery {
  /** Null: everything that passes the filter. */
  text: QueryNode | null
  filter: SearchFilter
  /** Fresh: by relevance times freshness. Newest: by the time it changed last, latest first. */
  sort: 'relevance' | 'fresh' | 'newest'
  now: number
  limit: number
  /** At most MAX_OFFSET: who looks further narrows the query down. */
  offset: number
  wantsFacets: boolean
  /** Fold pages that are nearly the same under the best of them, and put off a host's third hit in the first ten. */
  groupsSimilar: boolean
  /** Tell what each field adds to the score; costs time. */
  explains: boolean
}

export const MAX_OFFSET = 1000

type ShownField =
  | ('pageId' | 'crawlId' | 'url' | 'host' | 'version' | 'title' | 'lang')
  | ('contentType' | 'visitedAt' | 'changedAt' | 'text' | 'keywords')

export interface IndexHit extends Pick<IndexDocument, ShownField> {
  /** Documents folded under it. */
  similar: number
  /** Higher is better: text times linkRank times freshness. */
  score: number
  /** Fields are empty unless the query asks to explain; they need not add up to the text's part. */
  parts: { text: number; linkRank: number; freshness: number; fields: Partial<Record<Field, number>> }
}

export interface FacetCount {
  key: string
  count: number
}

export interface IndexResult {
  hits: IndexHit[]
  /** Documents that fit, folded ones too. Not exact when there were more than an index looks at. */
  total: number
  isTotalExact: boolean
  hasMore: boolean
  /** Commonest first, at most ten each; dates are months of the last change, as 2026-11. */
  facets: { host: FacetCount[]; lang: FacetCount[]; type: FacetCount[]; date: FacetCount[] } | null
}

export interface TermEntry {
  term: string
  documentFrequency: number
  /** Of the whole index. */
  documents: number
  /** Highest frequency first. Positions count the terms before it in the field. */
  entries: { pageId: number; url: string; frequency: number; positions: Partial<Record<Field, number[]>> }[]
}

export interface IndexStatus {
  documents: number
  bytes: number
  byLang: FacetCount[]
  /** Kept pages that nobody has looked at yet. */
  waiting: number
  /** How long the first of those has waited. */
  lagMs: number
  /** Lately; 0 when nobody indexes. */
  pagesPerSecond: number
}

export interface SearchIndex {
  find(query: IndexQuery): Promise<IndexResult>
  /** Null when no document has it. */
  term(term: string, limit: number): Promise<TermEntry | null>
  /** Words of the corpus that begin so, commonest first; counts are of documents, about: those gone may still count. */
  wordsFrom(prefix: string, limit: number): Promise<FacetCount[]>
  /** Titles that begin so, in any case. */
  titlesFrom(prefix: string, limit: number): Promise<string[]>
  /** About how many documents have each of these words. */
  wordCounts(words: string[]): Promise<number[]>
  isIndexed(pageId: number): Promise<boolean>
  /** Of urls of a crawl behind an id, in the order of their ids; none when its links were never ranked. */
  linkRanks(crawlId: string, after: number, limit: number): Promise<Pick<LinkRank, 'urlId' | 'linkRank'>[]>
  /** What is broken in the index itself, a sentence each. Takes as long as to read all of it. */
  findDamage(): Promise<string[]>
  status(): Promise<IndexStatus>
}

export interface AnchorText {
  /** The url it leads to. */
  url: string
  text: string
}

/** A document, or a page that shall not be found: no document of its url with a version up to its own stays. */
export type PageResult = { document: IndexDocument } | { leftOut: { url: string; version: number } }

export interface IndexedPage extends Pick<IndexDocument, 'pageId' | 'version' | 'lines'> {
  /** Null: it was indexed before this was noted. */
  repeated: number[] | null
}

/** A page with what others say of it. */
export interface FeedPage extends PageToIndex {
  /** Different texts of links to its url: the first MAX_ANCHORS in the order of the pages that say them, sorted. */
  anchors: string[]
  linkRank: number
  inlinks: number
  /** What its url is indexed by now; null when it is not. */
  previous: IndexedPage | null
}

export const MAX_ANCHORS = 12

export interface FeedBatch {
  /** Names the batch to `finish`. */
  token: string
  /**
   * Another one than that of the batch before: the index was emptied since, and what pages say of others is to be said
   * again.
   */
  epoch: number
  pages: FeedPage[]
  /** By host of its pages, where any are known: how many documents have a line. */
  lines: ReadonlyMap<string, ReadonlyMap<number, number>>
}

/** Pages of the batch that it does not mention cannot be read now: a store of several processes gives them out again. */
export interface FeedOutcome {
  /** In the order of the batch. */
  pages: PageResult[]
  anchors: AnchorText[]
}

export interface LinkRank {
  urlId: number
  linkRank: number
  inlinks: number
}

/**
 * The side that fills the index. Every page that is kept is given out, in the order of keeping, and counts as done only
 * with `finish`, in one transaction with its documents: a process that ends in between loses nothing, and nothing is
 * indexed twice. Where several index at a time, each page is in one batch at a time. A page is given out once more when
 * no new one waits and links to it say what none said when it was indexed.
 */
export interface IndexFeed {
  /** At most so many pages, fewer if they are large. Null when nothing waits. */
  take(limit: number): Promise<FeedBatch | null>
  finish(token: string, outcome: FeedOutcome): Promise<void>
  /**
   * Looks at so many documents, on from where it was; drops those whose pages are gone. An earlier version that is left
   * of such a url is given out again.
   */
  deleteGone(limit: number): Promise<{ looked: number; dropped: number }>
  /** Of urls of a crawl; those that are not indexed yet have theirs when they are. */
  saveRanks(crawlId: string, ranks: LinkRank[]): Promise<void>
  /** How many urls a crawl had visited when its links were ranked last; 0 when they never were. */
  visitedWhenRanked(crawlId: string): Promise<number>
  recordRanking(crawlId: string, visited: number): Promise<void>
  /** Forgets the ranks of all other crawls, but for those that documents still have. */
  deleteOtherRanks(crawlIds: string[]): Promise<void>
  lag(): Promise<{ waiting: number; lagMs: number }>
  /** Empties the index; everything is given out again. */
  clear(): Promise<void>
}
