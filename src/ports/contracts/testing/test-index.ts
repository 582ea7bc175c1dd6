// An index to fill by hand, and documents that differ only where a case says so.

import type { ManualClock } from '../../../lib/testing/manual-clock.ts'
import type { IndexFeed, PageResult } from '../../index-feed.ts'
import {
  FIELDS,
  type IndexDocument,
  type IndexQuery,
  type LinkRank,
  NO_FILTER,
  type SearchFilter,
  type SearchIndex,
} from '../../search.ts'
import type { TestStore } from './store-harness.ts'

/** An empty index over an empty store, on one clock. */
export interface TestIndex {
  index: SearchIndex
  feed: IndexFeed
  store: TestStore
  clock: ManualClock
  /** Writes like `IndexFeed.finish`, for pages that no store has. */
  write(documents: IndexDocument[], leftOut?: { url: string; version: number }[]): Promise<void>
  /** Simulates a crash: another process opens the same data. */
  reopen(): Promise<TestIndex>
  close(): Promise<void>
}

export const NOW = Date.UTC(2026, 10, 15)
export const DAY_MS = 86_400_000
export const CRAWL = '01930000-0000-7000-8000-000000000001'

export type DocumentChanges = Partial<Omit<IndexDocument, 'terms'>> & { terms?: Partial<IndexDocument['terms']> }

/** Document `n`, at /n on its own host. */
export function makeDocument(n: number, { terms = {}, ...changes }: DocumentChanges = {}): IndexDocument {
  const host = changes.host ?? `h${n}.test`
  const empty = Object.fromEntries(FIELDS.map((field) => [field, ''])) as IndexDocument['terms']
  return {
    pageId: n,
    urlId: n,
    crawlId: CRAWL,
    url: `http://${host}/${n}`,
    host,
    version: 1,
    title: `Page ${n}`,
    lang: 'en',
    possibleLangs: null,
    contentType: 'text/html',
    httpStatus: 200,
    depth: 1,
    contentLength: 1000,
    inlinks: 1,
    linkRank: 0,
    visitedAt: NOW - DAY_MS,
    changedAt: NOW - DAY_MS,
    expiresAt: null,
    fingerprint: null,
    text: `The text of page ${n}.`,
    words: [],
    keywords: [],
    lines: [],
    repeated: [],
    entities: [],
    ...changes,
    terms: { ...empty, ...terms },
  }
}

/** The rank of document `n` in a crawl that visited one page of its host. */
export function makeRank(n: number, changes: Partial<LinkRank> = {}): LinkRank {
  const { urlId, url } = makeDocument(n)
  return { urlId, url, linkRank: 0.5, inlinks: 1, hostPages: 1, isLinkList: false, ...changes }
}

/** Results of pages: documents, and pages left out. */
export function toPageResults(
  documents: IndexDocument[],
  leftOut: { url: string; version: number }[] = [],
): PageResult[] {
  return [...documents.map((document) => ({ document })), ...leftOut.map((page) => ({ leftOut: page }))]
}

export const ANY_FILTER: SearchFilter = NO_FILTER

export function termNode(...terms: string[]) {
  return { kind: 'term' as const, terms, isPrefix: false, field: null }
}

/** A query for these words; `changes` overrides the defaults. */
export function makeIndexQuery(text: IndexQuery['text'] | string, changes: Partial<IndexQuery> = {}): IndexQuery {
  return {
    text: typeof text === 'string' ? termNode(text) : text,
    anyWord: null,
    words: [],
    filter: ANY_FILTER,
    sort: 'relevance',
    now: NOW,
    limit: 10,
    offset: 0,
    wantsFacets: false,
    preferredLang: null,
    groupsSimilar: true,
    explains: false,
    ...changes,
  }
}

export async function findPageIds(
  { index }: Pick<TestIndex, 'index'>,
  text: IndexQuery['text'] | string,
  changes: Partial<IndexQuery> = {},
): Promise<number[]> {
  return (await index.find(makeIndexQuery(text, changes))).hits.map(({ pageId }) => pageId)
}

/** Like `findPageIds`, but sorted by id, for cases that are not about the score. */
export async function findPageIdsSorted(...args: Parameters<typeof findPageIds>): Promise<number[]> {
  return (await findPageIds(...args)).sort((a, b) => a - b)
}
