// Opens a store from a program.

import { readHistory } from '../api/replay/archived-urls.ts'
import { openStoreReadClient, type StoreReadClient } from '../cli/read-client/store-read-client.ts'
import { AppError } from '../lib/errors.ts'
import { openers } from '../setup/openers.ts'
import { type ArchiveControl, makeArchiveControl } from './archive.ts'
import { type ChangeOptions, listChanges, type PageChange } from './changes.ts'
import { plan } from './crawl.ts'
import { type IndexControl, makeIndexControl } from './index-control.ts'
import { type MonitorControl, makeMonitorControl } from './monitors.ts'
import { type CrawlOptions, type StoreOptions, toCrawlConfig, toStoreConfig } from './options.ts'
import { findVersion, type Page, toPage } from './page.ts'
import { makePolicyControl, type PolicyControl } from './policies.ts'
import { type StoredCrawl, toStoredCrawl } from './stored-crawl.ts'
import { makeTokenControl, type TokenControl } from './tokens.ts'
import { withWorkers } from './with-workers.ts'
import { type CrawlWorker, toCrawlWorker } from './workers.ts'

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

export interface SearchOptions {
  /** Maximum of results; by default 10. */
  limit?: number
  /** The id of a crawl or the start of it; by default all crawls. */
  crawlId?: string
}

/** Open for reading, also while others crawl into it. What changes the store opens it for that, or uses the process that has it. */
export interface Store {
  /** The newest first. */
  crawls(): Promise<StoredCrawl[]>
  /** Finds a crawl by its id or the start of it. */
  crawl(crawlId: string): Promise<StoredCrawl>
  /** Starts a crawl that the workers of a server or a database run. To crawl in this process, use crawl. */
  start(urls: string | readonly string[], options?: Omit<CrawlOptions, keyof StoreOptions>): Promise<StoredCrawl>
  page(pageId: number): Promise<Page>
  /** All versions of a URL, oldest first. */
  history(url: string): Promise<Page[]>
  /** Searches the index that `index.run` or a server fills. */
  search(query: string, options?: SearchOptions): Promise<SearchAnswer>
  /** Changes on sites that are crawled again, newest first. */
  changes(options?: ChangeOptions): AsyncIterable<PageChange>
  /** The search index. */
  index: IndexControl
  /** The archive of pages. */
  archive: ArchiveControl
  /** Rules that watch pages, and their hits. */
  monitors: MonitorControl
  /** Limits of hosts, for all crawls. */
  policies: PolicyControl
  /** Tokens of the API. */
  tokens: TokenControl
  /** Processes that crawl into the store, or did lately. */
  workers(): Promise<CrawlWorker[]>
  close(): Promise<void>
}

export async function openStore(options: StoreOptions = {}): Promise<Store> {
  const config = toStoreConfig(options)
  const client = await openStoreReadClient(config, openers)
  const { crawls, pages, changes } = client.session
  const find = async (crawlId: string) =>
    toStoredCrawl(await crawls.progress(await client.findCrawlId(crawlId)), config, client)
  return {
    crawls: async () => (await crawls.list()).map((progress) => toStoredCrawl(progress, config, client)),
    crawl: find,
    async start(urls, options = {}) {
      const planned = await plan([urls].flat(), toCrawlConfig(options))
      const { id } = await withWorkers(config, 'crawl', (writable) => writable.create(planned))
      return find(id)
    },
    page: async (pageId) => toPage(await findVersion(pageId, client.session), client.session),
    history: async (url) => (await readHistory(url, pages)).map((version) => toPage(version, client.session)),
    search: (query, options) => search(query, options, client),
    async *changes(options = {}) {
      const { crawlId } = options
      yield* listChanges(changes, options, crawlId === undefined ? null : await client.findCrawlId(crawlId))
    },
    index: makeIndexControl(config, client),
    archive: makeArchiveControl(config, client.session),
    monitors: makeMonitorControl(config),
    policies: makePolicyControl(config, client.session.policies),
    tokens: makeTokenControl(config),
    workers: async () => (await client.session.workers.list()).map((row) => toCrawlWorker(row, config)),
    close: () => client.close(),
  }
}

async function search(
  q: string,
  { limit = 10, crawlId }: SearchOptions = {},
  client: StoreReadClient,
): Promise<SearchAnswer> {
  if ((await client.openIndex()) === null)
    throw new AppError('INDEX_OFF', 'No page is indexed yet. Call store.index.run(), or run a server.')
  const flags = { facets: false, explain: false, fold: true }
  const crawl = crawlId === undefined ? {} : { crawl: await client.findCrawlId(crawlId) }
  const found = await client.search({ query: { q, limit, ...crawl, sort: 'relevance', ...flags } })
  const hits = found.results.map(({ url, title, snippet, score, page_id: pageId }) => ({
    url,
    title,
    snippet,
    score,
    pageId,
  }))
  return { hits, total: found.total, isTotalExact: found.total_is_exact, didYouMean: found.did_you_mean }
}
