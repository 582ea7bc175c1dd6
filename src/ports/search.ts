// The text index: documents made from kept pages, found again by words. An implementation may be a file, a database or a
// search server; all give the same answers to the same documents, but for the order of hits of nearly the same score.

/** Weighted apart, in the order of their weights. Text is analysed already: terms with spaces between. */
export const FIELDS = ['title', 'headings', 'anchors', 'url', 'description', 'body', 'boilerplate'] as const
export type Field = (typeof FIELDS)[number]

export interface IndexDocument {
  /** The page it is made from, a new version of the url replaces the one before. */
  pageId: number
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
  fingerprint: string | null
  /** The text as people read it, for snippets; cut at a bound. */
  text: string
  /** Terms for the index. */
  terms: Record<Field, string>
  keywords: string[]
  entities: { kind: 'person' | 'place' | 'organisation'; text: string }[]
}

/** What a query means, made by search/query from its text. */
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
  /** Beginning of the path. */
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
  nearDuplicateOf: number | null
}

export interface Range {
  min: number | null
  max: number | null
}

export interface IndexQuery {
  /** Null: everything that passes the filter. */
  text: QueryNode | null
  filter: SearchFilter
  sort: 'relevance' | 'fresh' | 'newest'
  now: number
  limit: number
  offset: number
  wantsFacets: boolean
  folds: boolean
}

export interface IndexHit {
  pageId: number
  crawlId: string
  url: string
  host: string
  version: number
  title: string
  lang: string | null
  contentType: string | null
  visitedAt: number
  changedAt: number
  text: string
  similar: number
  score: number
  parts: { text: number; linkRank: number; freshness: number; fields: Partial<Record<Field, number>> }
}

export interface FacetCount {
  key: string
  count: number
}

export interface IndexAnswer {
  hits: IndexHit[]
  total: number
  isTotalExact: boolean
  hasMore: boolean
  facets: { host: FacetCount[]; lang: FacetCount[]; type: FacetCount[]; date: FacetCount[] } | null
}

export interface TermEntry {
  term: string
  documentFrequency: number
  /** Of the whole index. */
  documents: number
  entries: { pageId: number; url: string; frequency: number; positions: number[] }[]
}

export interface IndexStatus {
  documents: number
  bytes: number
  byLang: FacetCount[]
  /** What the indexer has done and what it has before it. */
  waiting: number
  lagMs: number
}

export interface SearchIndex {
  find(query: IndexQuery): Promise<IndexAnswer>
  /** Null when no document has it. */
  term(term: string, limit: number): Promise<TermEntry | null>
  /** Words of the corpus, as written, that begin so, commonest first. */
  wordsFrom(prefix: string, limit: number): Promise<FacetCount[]>
  titlesFrom(prefix: string, limit: number): Promise<string[]>
  /** How many documents have each of these words. */
  wordCounts(words: string[]): Promise<number[]>
  isIndexed(pageId: number): Promise<boolean>
  status(): Promise<IndexStatus>
}
