import { makeCorpusPage, wordAt } from '../../test/relevance/corpus.ts'

/** Typical kinds of queries; `n` varies the words. */
export const QUERY_KINDS: Record<string, (n: number) => string> = {
  'a rare word': (n) => wordAt(20_000 + n * 37),
  'a common word': (n) => wordAt(n % 50),
  'two words': (n) => `${wordAt(n % 200)} ${wordAt(300 + n)}`,
  'three common words': (n) => `${wordAt(n % 30)} ${wordAt(31 + (n % 30))} ${wordAt(62 + (n % 30))}`,
  'a phrase': (n) => `"${makeCorpusPage(n * 31).phrase}"`,
  'a title': (n) => makeCorpusPage(n * 17).title,
  'a prefix': (n) => `${wordAt(500 + n).slice(0, 4)}*`,
  'one of two': (n) => `${wordAt(n % 100)} OR ${wordAt(100 + n)}`,
  'a word on a site': (n) => `${wordAt(n % 100)} site:site${n % 10}.test`,
  'a word not another': (n) => `${wordAt(n % 100)} -${wordAt(100 + n)}`,
}

/** The first ten hits with snippets, in all crawls. */
export const FIRST_HITS = {
  crawl: null,
  allowedCrawlIds: null,
  preferredLang: null,
  limit: 10,
  offset: 0,
  sort: 'relevance',
  wantsFacets: false,
  explains: false,
  groupsSimilar: true,
} as const
