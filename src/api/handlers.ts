// The types of handlers and their dependencies.

import type { AuditRunner } from '../audit/audit-runner.ts'
import type { Config } from '../config/schema.ts'
import type { Fetcher } from '../engine/fetch/fetch-result.ts'
import type { PageCache } from '../engine/pages/page-cache.ts'
import type { PageReaderDependencies } from '../engine/pages/read-archived-page.ts'
import type { FilterList } from '../engine/url/filter-list.ts'
import type { Clock } from '../lib/clock.ts'
import type { LogLevel, OpenLog } from '../lib/log.ts'
import type { Access } from '../ports/access.ts'
import type { ArchiveReader } from '../ports/archive.ts'
import type { Audits } from '../ports/audits.ts'
import type { Browse } from '../ports/browse.ts'
import type { Changes } from '../ports/changes.ts'
import type { CrawlControl } from '../ports/control.ts'
import type { Cookies } from '../ports/cookies.ts'
import type { CrawlSettings, Crawls } from '../ports/crawls.ts'
import type { Diagnostics } from '../ports/diagnostics.ts'
import type { CrawlHistory } from '../ports/history.ts'
import type { MonitorHits, Monitors, ProtectedDocuments } from '../ports/monitors.ts'
import type { Pages } from '../ports/pages.ts'
import type { Policies } from '../ports/policies.ts'
import type { RobotsCopies } from '../ports/robots.ts'
import type { SearchIndex } from '../ports/search.ts'
import type { WriteTables } from '../ports/tables.ts'
import type { Urls } from '../ports/urls.ts'
import type { Workers } from '../ports/workers.ts'
import type { RequestGuard } from './auth/request-guard.ts'
import type { TokenCache } from './auth/tokens.ts'
import type { CrawlRemover } from './background/crawl-remover.ts'
import type { RouteName } from './contract/paths.ts'
import type { Scope } from './contract/route.ts'
import type { RouteInput, RouteResponse } from './contract/routes.ts'
import type { ReplayTokens } from './replay/replay-tokens.ts'
import type { ProgressView } from './views/progress-view.ts'

/** The client of a request, and the context of the call. */
export interface Caller {
  /** Null without a token, which only open routes allow. */
  scope: Scope | null
  /** Logged id of the token; null without a token. */
  tokenId: string | null
  address: string
  /** The URL of this server as the client knows it, without a path. */
  baseUrl: string
  /** Aborted when the client disconnects. */
  signal: AbortSignal
  requestId: string
  /** For streams: false if the token has been revoked in the meantime. */
  isStillValid(): Promise<boolean>
  /** Extra response headers, set by the handler. */
  headers: Headers
  /** Set by a handler whose work continues after the response. */
  continuesAfterResponse: boolean
}

export type Handler<N extends RouteName> = (input: RouteInput<N>, caller: Caller) => Promise<RouteResponse<N>>
export type Handlers = { [N in RouteName]: Handler<N> }
/** The handlers of one file in routes/. */
export type HandlersFor<N extends RouteName> = { [K in N]: Handler<K> }

export interface ApiDependencies {
  version: string
  config: Config
  clock: Clock
  log: OpenLog
  /** Sets the level of the store thread's log, if it has one. */
  setStoreLogLevel(level: LogLevel): Promise<void>
  crawls: Crawls
  control: CrawlControl
  cookies: Cookies
  workers: Workers
  browse: Browse
  urls: Urls
  /** Recounts, on a separate thread. */
  threadUrls: Pick<Urls, 'verify'>
  diagnostics: Diagnostics
  /** Slow measurements, on a separate thread. */
  threadDiagnostics: Pick<Diagnostics, 'measureHosts' | 'brokenSitemaps'>
  pages: Pages
  changes: Changes
  /** Reads versions to compare them. */
  versionReader: PageReaderDependencies
  robots: RobotsCopies
  archive: ArchiveReader
  /** Writes exports that are databases. */
  writeTables: WriteTables
  /** All reads of page content go through this cache. */
  pageCache: Pick<PageCache, 'read' | 'readUncached'>
  access: Access
  /** Registers a callback for when the process uses too much memory. */
  onMemoryPressure(clear: () => void): void
  /** Null if nothing is indexed. */
  search: SearchIndex | null
  progressView: ProgressView
  policies: Policies
  history: Pick<CrawlHistory, 'list'>
  monitors: Monitors
  protectedDocuments: ProtectedDocuments
  monitorHits: MonitorHits
  audits: Audits
  auditRunner: AuditRunner
  removals: Pick<CrawlRemover, 'waitUntilRemoved'>
  guard: RequestGuard
  tokens: TokenCache
  replayTokens: ReplayTokens
  /** Throws if a file cannot be read; null if there are no files. */
  loadFilterLists(files: string[]): Promise<FilterList | null>
  /** Why crawls cannot render; null if they can, or other processes crawl. */
  findRenderProblem(): Promise<string | null>
  /** Opens a fetcher for single requests outside a crawl, with the crawl's settings. */
  openFetcher(settings: CrawlSettings, startUrls: readonly string[]): Promise<Fetcher>
  /** The demo site; null if this process has no crawl thread that could visit it. */
  demo: { start(): Promise<string> } | null
}
