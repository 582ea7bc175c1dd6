// The text index: documents built from archived pages, found by their words. An implementation may use a file, a
// database or a search server; index-feed.ts fills it. All return the same results for the same documents, except
// for the order of hits with nearly equal scores. The ranking that they share (host grouping, the weight of links
// and age) is in search/rank.

/** Each field has its own weight. */
export const FIELDS = ['title', 'headings', 'anchors', 'url', 'description', 'body', 'boilerplate'] as const
export type Field = (typeof FIELDS)[number]

/** The weight of a term in each field. A document with the term in its title should come first. */
export const FIELD_WEIGHTS: Readonly<Record<Field, number>> = {
  title: 5,
  headings: 4,
  anchors: 5,
  url: 3,
  description: 2,
  body: 1,
  boilerplate: 0.1,
}

/** Terms consist of ASCII digits, lower-case ASCII letters and non-ASCII characters. */
export const TERM_PATTERN = /^[0-9a-z\u0080-\uffff]+$/

/** Separates the main text of a document from its boilerplate. */
export const BOILERPLATE_MARK = '\f'

/** Separates two blocks of a field, so that no phrase spans them. It is not a term: no query contains it. */
export const BLOCK_BREAK = '\u00b6'

/** A name that a page mentions. */
export interface Entity {
  kind: 'person' | 'place' | 'organisation'
  text: string
}

/** One document per URL over all crawls, built from its highest version. */
export interface IndexDocument {
  /** The page it is built from, and the id of the document. */
  pageId: number
  /** Id of the URL in its crawl; link ranks are stored by it. */
  urlId: number
  crawlId: string
  url: string
  host: string
  version: number
  title: string
  lang: string | null
  /**
   * Candidate languages, most likely first, if the page does not state its language; empty if it gives no hint.
   * `lang` is then the main language of the host, if that is a candidate. Null if the page states its language.
   */
  possibleLangs: readonly string[] | null
  contentType: string | null
  httpStatus: number | null
  depth: number
  contentLength: number
  inlinks: number
  /** 0 to 1, from the fullest link graph of its host (see LinkRank); 0 if it is not known yet. */
  linkRank: number
  visitedAt: number
  changedAt: number
  /** The document is not found after this time; null: never. */
  expiresAt: number | null
  /** 56 bits in decimal digits. */
  fingerprint: string | null
  /** The readable text for snippets, one line per block, truncated. Boilerplate follows BOILERPLATE_MARK. */
  text: string
  /** Analysed terms as in `TERM_PATTERN`, and block breaks, separated by single spaces. The index stores them unchanged. */
  terms: Record<Field, string>
  /** Distinct words in lower case, unstemmed, for suggestions. Only some of them if there are very many. */
  words: string[]
  keywords: string[]
  /** Hashes of its short lines, each once. A line shared by many documents of a host is boilerplate. */
  lines: number[]
  /** Hashes of the lines that were boilerplate when the document was first analysed. */
  repeated: number[]
  entities: Entity[]
}

/**
 * The meaning of a query, parsed from its text by search/query. A term matches any of `terms`. A phrase has all of them
 * in sequence in one field. `near` has them in any order in one field, with at most `distance` terms between the first
 * and the last. A query with only `not` finds nothing; `and` and `or` are never empty. An `or` of forms of one word,
 * such as wi-fi and wifi, counts as one word in the score.
 */
export type QueryNode =
  | { kind: 'term'; terms: string[]; isPrefix: boolean; field: Field | null }
  | { kind: 'phrase'; terms: string[]; field: Field | null }
  | { kind: 'near'; terms: string[]; distance: number }
  | { kind: 'and' | 'or'; parts: QueryNode[]; areForms?: true }
  | { kind: 'not'; part: QueryNode }

/** Conditions on a page besides its text; null: any. */
export interface SearchFilter {
  /** Only documents of these crawls; null for all. */
  crawlIds: readonly string[] | null
  /** A host, or with a leading dot the host and its subdomains. */
  hosts: string[]
  notHosts: string[]
  /** Prefix of the path, starting with a slash. */
  path: string | null
  /** The page mentions all of these names, or longer ones that contain them. */
  names: Entity[]
  lang: string | null
  /** Prefix of the content type. */
  type: string | null
  httpStatus: number | null
  depth: Range | null
  size: Range | null
  inlinks: Range | null
  visited: Range | null
  changed: Range | null
  /** Near-duplicates of this page, including itself. Nothing if it is not indexed. */
  nearDuplicateOf: number | null
}

export const NO_FILTER: Readonly<SearchFilter> = {
  crawlIds: null,
  hosts: [],
  notHosts: [],
  path: null,
  names: [],
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

/** A range that includes both ends. */
export interface Range {
  min: number | null
  max: number | null
}

export interface IndexQuery {
  /** Null matches everything that passes the filter. */
  text: QueryNode | null
  /**
   * Matches everything that `text` matches, and documents with some of its words. These are only returned if fewer
   * than MIN_FULL_MATCHES documents match `text` in their content. Null: only full matches are returned.
   */
  anyWord: QueryNode | null
  /** Words of the query as typed, for highlights. */
  words: readonly string[]
  filter: SearchFilter
  /** Pages in other languages score less. Null: all languages are equal. */
  preferredLang: string | null
  /** Fresh: by relevance times freshness. Newest: by last change, latest first. */
  sort: 'relevance' | 'fresh' | 'newest'
  now: number
  /** 0 returns only the total. */
  limit: number
  /** At most MAX_OFFSET. To see more, narrow the query. */
  offset: number
  wantsFacets: boolean
  /** Group near-duplicates under the best of them, and let a host's third hit give way to nearly equal hits of others. */
  groupsSimilar: boolean
  /** Return the share of each field in the score. Costs time. */
  explains: boolean
}

export const MAX_OFFSET = 1000
export const MIN_FULL_MATCHES = 10

type ShownField =
  | ('pageId' | 'crawlId' | 'url' | 'host' | 'version' | 'title' | 'lang')
  | ('contentType' | 'visitedAt' | 'changedAt' | 'keywords')

/** Offsets of start and end, in UTF-16 code units. */
export type HighlightRange = [start: number, end: number]

export interface Snippet {
  text: string
  highlights: HighlightRange[]
}

export interface IndexHit extends Pick<IndexDocument, ShownField> {
  /** The part of the text that shows best why it matched. */
  snippet: Snippet
  titleHighlights: HighlightRange[]
  /** Documents grouped under it. */
  similar: number
  /** Higher is better: text times linkRank times freshness. */
  score: number
  /** Fields are empty unless the query asks to explain. They need not add up to the text score. */
  parts: { text: number; linkRank: number; language: number; freshness: number; fields: Partial<Record<Field, number>> }
}

export interface FacetCount {
  key: string
  count: number
}

export interface IndexResult {
  hits: IndexHit[]
  /** Matching documents, including grouped ones. Not exact if there are more than the index examines. */
  total: number
  isTotalExact: boolean
  /** Number of documents that match the whole query, not just some of its words. */
  fullMatches: number
  hasMore: boolean
  /** Up to ten values each, most common first. Dates are months of the last change, such as 2026-11. */
  facets: { host: FacetCount[]; lang: FacetCount[]; type: FacetCount[]; date: FacetCount[] } | null
}

export interface TermEntry {
  term: string
  documentFrequency: number
  /** Documents in the whole index. */
  documents: number
  /** Highest frequency first. A position is the number of terms and block breaks before it in the field. */
  entries: { pageId: number; url: string; frequency: number; positions: Partial<Record<Field, number[]>> }[]
}

export interface IndexStatus {
  documents: number
  bytes: number
  byLang: FacetCount[]
  /** Archived pages that are not indexed yet. */
  waiting: number
  /** How long the oldest waiting page has waited. */
  lagMs: number
  /** Recent rate; 0 if no process is indexing. */
  pagesPerSecond: number
}

export const MAX_PHRASE_COUNT = 250

/**
 * The rank of a URL in one crawl. If several crawls know the URL, the newest rank applies among the crawls whose
 * graphs have nearly as many pages of its host as the fullest: a second visit of a few pages must not replace the
 * rank that the links of the whole site gave them.
 */
export interface LinkRank {
  urlId: number
  url: string
  linkRank: number
  inlinks: number
  /** Pages of its host that the crawl visited. */
  hostPages: number
  /** It is an index or a table of contents: people look for the pages it lists, so its rank counts as 0 in searches. */
  isLinkList: boolean
}

/** A newer graph is used if it has this share of the pages of the fullest. */
export const MIN_GRAPH_SHARE = 0.75

export interface SearchIndex {
  find(query: IndexQuery): Promise<IndexResult>
  /** Entry of a term; null if no document contains it. */
  term(term: string, limit: number): Promise<TermEntry | null>
  /**
   * Words of the corpus with this prefix, most common first. The document counts are approximate: deleted documents may
   * still count.
   */
  wordsFrom(prefix: string, limit: number): Promise<FacetCount[]>
  /** Titles with this prefix, case-insensitive. */
  titlesFrom(prefix: string, limit: number): Promise<string[]>
  /** Index terms with this prefix and their document counts, most common first. Not all of them if there are many. */
  termsFrom(prefix: string, limit: number): Promise<FacetCount[]>
  /**
   * Number of documents with each phrase of index terms, up to MAX_PHRASE_COUNT. A phrase may be a single term, which is
   * counted up to `maxOfTerm` instead if that is given. Of common terms only some of the documents are examined.
   */
  phraseCounts(phrases: string[][], maxOfTerm?: number): Promise<number[]>
  isIndexed(pageId: number): Promise<boolean>
  /** Link ranks of a crawl for URLs after an id, by id. Empty if its links were never ranked. */
  linkRanks(crawlId: string, after: number, limit: number): Promise<Pick<LinkRank, 'urlId' | 'linkRank'>[]>
  /** Describes the damage to the index, one sentence each. Reads the whole index. */
  findDamage(): Promise<string[]>
  status(): Promise<IndexStatus>
}
