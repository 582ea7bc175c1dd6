// Reads crawls, pages and the search index from a program.

import type { ReadSession } from '../cli/io.ts'
import type { ExportFormat } from '../config/values/export-formats.ts'
import { systemClock } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'
import type { CrawlStatus, Ledger } from '../lib/states.ts'
import type { CrawlProgress } from '../ports/crawls.ts'
import { NO_SYNONYMS } from '../search/query/synonyms.ts'
import type { IndexLanguages } from '../search/service/index-languages.ts'
import { openReadSession } from '../setup/read-session.ts'
import { openSearchIndex } from '../setup/search-index.ts'
import { type ChangeOptions, listChanges, type PageChange } from './changes.ts'
import { exportCrawl } from './export.ts'
import { type StoreOptions, toStoreConfig } from './options.ts'
import { type Page, toPage } from './page.ts'

export interface CrawlInfo {
  crawlId: string
  startUrl: string
  status: CrawlStatus
  startedAt: Date
  /** URLs by state. */
  urls: Ledger
}

export interface SearchHit {
  url: string
  title: string
  /** The passage that matches best. */
  snippet: string
  score: number
  pageId: number
}

export interface SearchAnswer {
  hits: SearchHit[]
  /** Matching pages; at least this many if `isTotalExact` is false. */
  total: number
  isTotalExact: boolean
  didYouMean: string | null
}

/** Why a crawl visited a URL or not. */
export interface UrlExplanation {
  url: string
  /** The result in one sentence. */
  answer: string
  /** False if the crawl has not found the URL. */
  isKnown: boolean
  /** The checks before a request, in order. */
  steps: { step: string; outcome: 'passed' | 'refused' | 'unknown'; detail: string }[]
}

/** A store opened for reading, also while others crawl into it. */
export interface Store {
  /** The newest first. */
  crawls(): Promise<CrawlInfo[]>
  /** All archived pages of a crawl, by its id or the start of it. */
  pages(crawlId: string): AsyncIterable<Page>
  /** All versions of a URL, the oldest first. */
  history(url: string): Promise<Page[]>
  /** Searches the index that `orbweaver index run` or a server fills. */
  search(query: string, options?: { limit?: number; crawlId?: string }): Promise<SearchAnswer>
  /** What has changed on sites that are crawled again, the newest first. */
  changes(options?: ChangeOptions): AsyncIterable<PageChange>
  /** Also for URLs that the crawl does not know. */
  explain(crawlId: string, url: string): Promise<UrlExplanation>
  /** A crawl in a format of `orbweaver export`. */
  export(crawlId: string, format: ExportFormat): AsyncIterable<Buffer>
  close(): Promise<void>
}

export async function openStore(options: StoreOptions = {}): Promise<Store> {
  const config = toStoreConfig(options)
  const session = await openReadSession(config)
  const search = openSearch(() => openSearchIndex(config, session.pages), session)
  return {
    crawls: async () => (await session.crawls.list()).map(toCrawlInfo),
    async *pages(crawlId) {
      const { id } = await session.crawls.find(crawlId)
      for await (const version of session.pages.listByCrawl(id))
        if (!version.isRequisite) yield toPage(version, session)
    },
    history: async (url) => (await session.pages.history(url)).map((version) => toPage(version, session)),
    search: search.run,
    async *changes(options = {}) {
      const { crawlId } = options
      const id = crawlId === undefined ? null : (await session.crawls.find(crawlId)).id
      yield* listChanges(session.changes, options, id)
    },
    explain: (crawlId, url) => explain(crawlId, url, session),
    export: (crawlId, format) =>
      exportCrawl(crawlId, format, session, async () => (await search.open())?.index ?? null),
    async close() {
      await search.close()
      await session.close()
    },
  }
}

function toCrawlInfo({ crawl, ledger }: CrawlProgress): CrawlInfo {
  const { id, rootUrl, status, createdAt } = crawl
  return { crawlId: id, startUrl: rootUrl, status, startedAt: new Date(createdAt), urls: ledger }
}

async function explain(idOrPrefix: string, url: string, session: ReadSession): Promise<UrlExplanation> {
  const [{ explainUrlHandler }, { localCaller }, { loadFilterLists }] = await Promise.all([
    import('../api/routes/urls.ts'),
    import('../api/local-caller.ts'),
    import('../setup/on-demand.ts'),
  ])
  const handler = explainUrlHandler({ ...session, clock: systemClock, loadFilterLists })
  const { id } = await session.crawls.find(idOrPrefix)
  const found = await handler({ params: { crawl_id: id }, query: { url } }, localCaller())
  return { url: found.url, answer: found.answer, isKnown: found.is_known, steps: found.steps }
}

/** The index is opened by the first search. */
function openSearch(open: () => ReturnType<typeof openSearchIndex>, { crawls }: ReadSession) {
  let opened: ReturnType<typeof openSearchIndex> | null = null
  let languages: IndexLanguages | null = null
  /** Null if nothing is indexed yet; then it is tried again the next time. */
  const openOnce = async () => {
    opened ??= open()
    const current = await opened
    if (current === null) opened = null
    return current
  }
  return {
    open: openOnce,
    async run(text: string, { limit = 10, crawlId }: { limit?: number; crawlId?: string } = {}): Promise<SearchAnswer> {
      const current = await openOnce()
      if (current === null) {
        throw new AppError('INDEX_OFF', 'No page is indexed yet. Run "orbweaver index run", or a server.')
      }
      const [{ runSearch }, service] = await Promise.all([
        import('../search/service/run-search.ts'),
        import('../search/service/index-languages.ts'),
      ])
      languages ??= new service.IndexLanguages(systemClock.now)
      const { hits, total, isTotalExact, didYouMean } = await runSearch(
        {
          text,
          crawl: crawlId ?? null,
          allowedCrawlIds: null,
          preferredLang: null,
          limit,
          offset: 0,
          explains: false,
          sort: 'relevance',
          wantsFacets: false,
          groupsSimilar: true,
        },
        {
          index: current.index,
          synonyms: NO_SYNONYMS,
          languages,
          now: systemClock.now,
          resolveCrawlId: async (idOrPrefix) => (await crawls.find(idOrPrefix)).id,
        },
      )
      const found = hits.map(({ url, title, snippet, score, pageId }) => ({
        url,
        title,
        snippet: snippet.text,
        score,
        pageId,
      }))
      return { hits: found, total, isTotalExact, didYouMean }
    },
    close: async () => (await opened)?.close(),
  }
}
