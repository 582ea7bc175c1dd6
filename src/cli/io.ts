// Everything a command gets from outside: streams, the environment and functions that open a store. Built by main.ts.

import type { Readable, Writable } from 'node:stream'
import type { WriteStream } from 'node:tty'
import type { Config, SettingName } from '../config/schema.ts'
import type { HostWait } from '../engine/crawl/hosts/host-waits.ts'
import type { Fetcher } from '../engine/fetch/fetch-result.ts'
import type { DocumentReaderFunction } from '../engine/media/content-type.ts'
import type { RetentionStep } from '../engine/pages/retention-run.ts'
import type { FilterList } from '../engine/url/filter-list.ts'
import type { CrawlStatus } from '../lib/states.ts'
import type { Tokens } from '../ports/access.ts'
import type { ArchiveReader, RecordCheck, UploadStatus } from '../ports/archive.ts'
import type { Audits } from '../ports/audits.ts'
import type { CrawlControl } from '../ports/control.ts'
import type { Crawl, Crawls } from '../ports/crawls.ts'
import type { Diagnostics } from '../ports/diagnostics.ts'
import type { HoldReason } from '../ports/hold-reasons.ts'
import type { MonitorHits, Monitors, ProtectedDocuments } from '../ports/monitors.ts'
import type { Pages } from '../ports/pages.ts'
import type { Policies } from '../ports/policies.ts'
import type { Renderer } from '../ports/renderer.ts'
import type { SearchIndex } from '../ports/search.ts'
import type { StoreReader } from '../ports/store.ts'
import type { WriteTables } from '../ports/tables.ts'
import type { Workers } from '../ports/workers.ts'

/** A store and its archive, opened for reading. */
export interface ReadSession extends StoreReader {
  archive: ArchiveReader
  readDocument: DocumentReaderFunction
  /** Writes exports that are databases. */
  writeTables: WriteTables
  /** Fails current and later reads of documents with INTERRUPTED. */
  stopDocuments(): Promise<void>
  /** Reads and checks every record of the archive. */
  checkArchive(): AsyncIterable<RecordCheck>
  /** Why a running crawl is on hold. Meaningless for other crawls. */
  holdReason(crawlId: string): Promise<HoldReason | null>
}

export interface CrawlHandleStats {
  inFlight: number
  requests: number
  hosts: { host: string; requests: number; responseMs: number }[]
  waits: HostWait[]
  held: HoldReason | null
}

/** A crawl that this process runs. */
export interface CrawlHandle {
  run(): Promise<CrawlStatus | 'stopped'>
  stop(): void
  stats(): CrawlHandleStats
}

/** A store opened for crawling. */
export interface CrawlSession {
  crawls: Crawls
  diagnostics: Pick<Diagnostics, 'brokenSitemaps' | 'patterns'>
  startCrawl(crawl: Crawl): Promise<CrawlHandle>
  /** Whether other processes are working on the crawl, so that it continues without this one. */
  hasOtherWorkers(crawlId: string): Promise<boolean>
  /** Runs one retention step while no crawl is running; null if nothing is left to do. */
  runRetentionStep(): Promise<RetentionStep | null>
  /** Opens the archive with --archive-store, which starts uploading waiting segments. */
  uploadStatus(): Promise<UploadStatus>
  close(): Promise<void>
}

/** The process that has the data directory. */
export interface StoreOwner {
  pid: number
  /** Roles that a server performs for every crawl. Empty for a process that runs a single crawl. */
  roles: readonly string[]
  /** Address of the web app and the API; null if the process has none, or is still starting. */
  address: string | null
}

/** A store opened to control crawls and workers of other processes. */
export interface ControlSession {
  /** The process that owns the data directory; null if it is this process, and for a database. */
  owner: StoreOwner | null
  crawls: Crawls
  control: Pick<CrawlControl, 'remove' | 'removeNextBatch'>
  workers: Workers
  tokens: Tokens
  monitors: Monitors
  protectedDocuments: ProtectedDocuments
  monitorHits: MonitorHits
  audits: Audits
  policies: Policies
  close(): Promise<void>
}

/** The search index opened for writing. */
export interface IndexSession {
  startRebuild(): Promise<void>
  /** Indexes until no page is waiting, or until `stop` is called. */
  catchUp(): Promise<void>
  stop(): void
  counts(): { indexed: number; again: number; leftOut: Record<string, number> }
  lag(): Promise<{ waiting: number; lagMs: number }>
  close(): Promise<void>
}

export interface MoveRequest {
  /** `from` and `to` are data directories or database URLs. */
  from: string
  to: string
  /** The data directory that holds the archive of a database. */
  data: string
  /** Buckets of the archive of both stores. */
  archiveStore: readonly string[]
  /** Move even if segments are missing. */
  isForced: boolean
}

export type MoveEvent =
  | { kind: 'rows'; table: string; rows: number; isDone: boolean }
  | { kind: 'recount' }
  | { kind: 'warning'; text: string }

export interface MoveSummary {
  from: string
  to: string
  /** Number of rows by table. */
  rows: Record<string, number>
  segments: { isSameFolder: boolean; linked: number; copied: number; copiedBytes: number }
}

/** What commands and the library can open, except a crawl. */
export interface Openers {
  openReadSession(config: Config): Promise<ReadSession>
  openControlSession(config: Config, create: boolean): Promise<ControlSession>
  /** Null if nothing is indexed yet. */
  openSearchIndex(
    config: Config,
    pages: Pick<Pages, 'listAfter' | 'newestId'>,
  ): Promise<{ index: SearchIndex; close(): Promise<void> } | null>
  openIndexSession(config: Config): Promise<IndexSession>
  /** Opens a fetcher for single requests outside a crawl. */
  openFetcher(config: Config, startUrls: readonly string[]): Promise<Fetcher>
  /** Throws BROWSER_MISSING if the machine has no browser. */
  openRenderer(config: Config): Promise<Renderer>
  /** Throws if a file cannot be read; null if there are no files. */
  loadFilterLists(files: string[]): Promise<FilterList | null>
}

export interface Io extends Openers {
  stdin: Readable & { isTTY?: boolean }
  stdout: WriteStream
  stderr: Writable
  env: NodeJS.ProcessEnv
  /** The program name as it was called, for commands that users can copy. */
  program: string
  /** What the machine offers for rendering, one line per component. */
  describeBrowser(config: Config): Promise<{ isUp: boolean; text: string }[]>
  /** Throws BROWSER_MISSING if there is none. */
  checkBrowser(config: Config): Promise<void>
  /** Throws if a file cannot be read. */
  checkFilterLists(files: string[]): Promise<void>
  openCrawlSession(config: Config, create: boolean): Promise<CrawlSession>
  /** Runs the configured roles until the process is stopped. Calls `onOpen` when the API listens. */
  serve(config: Config, onOpen?: (address: string) => void): Promise<void>
  runFleet(config: Config): Promise<void>
  /** Serves MCP on standard input and output until the client ends. */
  serveMcp(config: Config): Promise<void>
  /** Moves the segments of read-only buckets to the others; the generator yields each. */
  drainBuckets(config: Config): AsyncGenerator<{ segment: string; bytes: number }>
  /** An abort takes effect between two batches. */
  moveStore(request: MoveRequest, onEvent: (event: MoveEvent) => void, signal: AbortSignal): Promise<MoveSummary>
  /** Opens a URL in the browser of the user. False if the system has no way to do that. */
  openBrowser(url: string): Promise<boolean>
  /** Calls back on the first Ctrl-C, SIGTERM or SIGHUP; a second one ends the process. Returns a function that unregisters. */
  onInterrupt(callback: () => void): () => void
}

export interface Command {
  /** Arguments as shown in help. */
  usage: string
  /** The help of the program shows the first sentence. */
  help: string
  /** Example with an argument that starts with a dash, shown if `--` is missing. */
  dashExample?: string
  /** Maximum number of positional arguments. */
  maxArguments: number
  settings: readonly SettingName[]
  /** Why a command has no --server, if so. */
  localReason?: string
  run(config: Config, args: string[], io: Io): Promise<number>
}
