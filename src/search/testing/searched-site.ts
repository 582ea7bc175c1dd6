// A few pages in an index, and searches over them from the text a person types.

import assert from 'node:assert/strict'
import { NO_CONTENT } from '../../engine/media/content-type.ts'
import { makeDocument, NOW, type TestIndex } from '../../ports/contracts/testing/test-index.ts'
import type { PageVersion } from '../../ports/pages.ts'
import { Analyser } from '../analyse/analyser.ts'
import { loadLanguageDetector } from '../analyse/language-identifier.ts'
import { NO_SYNONYMS } from '../query/synonyms.ts'
import { IndexLanguages } from '../service/index-languages.ts'
import { runSearch, type SearchResults } from '../service/run-search.ts'

export type TypedQueryCases = Record<string, (testIndex: TestIndex) => Promise<void>>

/** Text by the name of its page; lines are blocks. */
export type SiteTexts = Readonly<Record<string, string>>

export interface SearchedSite {
  search(text: string, preferredLang?: string): Promise<SearchResults>
  /** Names of the pages found, in alphabetical order. */
  find(text: string): Promise<string[]>
}

export async function indexTexts(testIndex: TestIndex, texts: SiteTexts, lang: string): Promise<SearchedSite> {
  const analyser = new Analyser({ detect: await loadLanguageDetector(), findEntities: null })
  const documents = Object.entries(texts).map(([name, text], i) => {
    const { document } = analyser.analyse(makePage(name), { extracted: { ...NO_CONTENT, title: name, text, lang } })
    return { ...makeDocument(i + 1), ...document, pageId: i + 1, urlId: i + 1 }
  })
  await testIndex.write(documents)
  const dependencies = {
    index: testIndex.index,
    synonyms: NO_SYNONYMS,
    languages: new IndexLanguages(() => NOW),
    now: () => NOW,
    resolveCrawlId: async () => null,
  }
  const request = {
    crawl: null,
    allowedCrawlIds: null,
    limit: 100,
    offset: 0,
    sort: 'relevance' as const,
  }
  const options = { wantsFacets: false, explains: false, groupsSimilar: false }
  const search = (text: string, preferredLang: string | null = null) =>
    runSearch({ text, preferredLang, ...request, ...options }, dependencies)
  return {
    search,
    async find(text) {
      const { hits, fullMatches } = await search(text)
      const shown = fullMatches === 0 ? hits : hits.slice(0, fullMatches)
      return shown.map(({ title }) => title).sort()
    },
  }
}

function makePage(name: string) {
  const { crawlId, version, visitedAt, expiresAt, fingerprint, contentType, httpStatus } = makeDocument(1)
  const facts = {
    id: 1,
    crawlId,
    version,
    visitedAt,
    expiresAt,
    fingerprint,
    contentType,
    httpStatus,
    contentLength: 1,
  }
  const page = { ...facts, url: `http://${name}.test/`, lang: null, title: null } as PageVersion
  return {
    version: page,
    urlId: 1,
    depth: 0,
    changedAt: NOW,
    anchors: [],
    linkRank: 0,
    inlinks: 0,
    previous: null,
    hasUnreadLinks: false,
  }
}

/** Each query finds exactly these pages. */
export async function assertFound(
  testIndex: TestIndex,
  { texts, lang = 'en' }: { texts: SiteTexts; lang?: string },
  expected: Record<string, string[]>,
): Promise<void> {
  const { find } = await indexTexts(testIndex, texts, lang)
  const found: Record<string, string[]> = {}
  for (const query of Object.keys(expected)) found[query] = await find(query)
  assert.deepEqual(found, expected)
}
