// What a handler is, and what handlers are made from.

import type { Config } from '../config/schema.ts'
import type { Fetcher } from '../engine/fetch/fetch-result.ts'
import type { PageCache } from '../engine/pages/page-cache.ts'
import type { FilterList } from '../engine/url/filter-list.ts'
import type { Clock } from '../lib/clock.ts'
import type { LogLevel, OpenLog } from '../lib/log.ts'
import type { Access } from '../ports/access.ts'
import type { ArchiveReader } from '../ports/archive.ts'
import type { Browse } from '../ports/browse.ts'
import type { CrawlControl } from '../ports/control.ts'
import type { CrawlSettings, Crawls } from '../ports/crawls.ts'
import type { Diagnostics } from '../ports/diagnostics.ts'
import type { CrawlHistory } from '../ports/history.ts'
import type { Pages } from '../ports/pages.ts'
import type { RobotsCopies } from '../ports/robots.ts'
import type { SearchIndex } from '../ports/search.ts'
import type { Urls } from '../ports/urls.ts'
import type { Workers } from '../ports/workers.ts'
import type { RequestGuard } from './auth/request-guard.ts'
import type { TokenCache } from './auth/tokens.ts'
import type { CrawlRemover } from './background/crawl-remover.ts'
import type { RouteName } from './contract/paths.ts'
import type { Scope } from './contract/route.ts'
import type { RouteInput, RouteResponse } from './contract/routes.ts'
import type { ProgressView } from './views/progress-view.ts'

/** Who calls, and under which conditions. */
export interface Caller {
  /** Null: nobody has shown a token; on open routes only. */
  scope: Scope | null
  /** For the log; null when none was shown. */
  tokenId: string | null
  address: string
  /** Ends when the caller has gone. */
  signal: AbortSignal
  requestId: string
  /** For answers that stay open: false when the token was revoked since. */
  isStillValid(): Promise<boolean>
  /** Of the answer: what a handler puts here goes with it. */
  headers: Headers
  /** Set by a handler whose work goes on after the answer. */
  continuesAfterResponse: boolean
}

export type Handler<N extends RouteName> = (input: RouteInput<N>, caller: Caller) => Promise<RouteResponse<N>>
export type Handlers = { [N in RouteName]: Handler<N> }
/** The handlers of one file of routes/. */
export type HandlersFor<N extends RouteName> = { [K in N]: Handler<K> }

/** What the handlers are made from. */
export interface ApiDependencies {
  version: string
  config: Config
  clock: Clock
  log: OpenLog
  /** Of the thread of the store, if it has a log of its own. */
  setStoreLogLevel(level: LogLevel): Promise<void>
  crawls: Crawls
  control: CrawlControl
  workers: Workers
  browse: Browse
  urls: Urls
  diagnostics: Diagnostics
  /** Of hosts, in a thread that keeps nobody waiting. */
  threadDiagnostics: Pick<Diagnostics, 'measureHosts'>
  pages: Pages
  robots: RobotsCopies
  archive: ArchiveReader
  /** All that is read of the content of pages goes through it. */
  pageCache: Pick<PageCache, 'read' | 'readUncached'>
  access: Access
  /** Calls back when the process takes more memory than it may. */
  onMemoryPressure(clear: () => void): void
  /** Null while nothing is indexed here. */
  search: SearchIndex | null
  /** Progress as the contract has it. */
  progressView: ProgressView
  history: Pick<CrawlHistory, 'list'>
  removals: Pick<CrawlRemover, 'waitUntilRemoved'>
  guard: RequestGuard
  tokens: TokenCache
  /** Throws when one cannot be read; null when there are none. */
  loadFilterLists(files: string[]): Promise<FilterList | null>
  /** For single requests outside a crawl, under its settings. */
  openFetcher(settings: CrawlSettings, startUrls: readonly string[]): Promise<Fetcher>
  /** The generated sample site; null where no crawl thread of this process could visit it. */
  demo: { start(): Promise<string> } | null
}
