// What a command may touch: streams, the environment, and ways to open a data directory. main.ts fills it in.

import type { Readable, Writable } from 'node:stream'
import type { WriteStream } from 'node:tty'
import type { Config, SettingName } from '../config/schema.ts'
import type { HostWait } from '../engine/crawl/hosts/host-waits.ts'
import type { Fetcher } from '../engine/fetch/fetch-result.ts'
import type { DocumentReaderFunction } from '../engine/media/content-type.ts'
import type { RetentionStep } from '../engine/pages/retention-run.ts'
import type { Tokens } from '../ports/access.ts'
import type { ArchiveReader, RecordCheck } from '../ports/archive.ts'
import type { Crawl, Crawls } from '../ports/crawls.ts'
import type { Diagnostics } from '../ports/diagnostics.ts'
import type { HoldReason } from '../ports/hold-reasons.ts'
import type { Pages } from '../ports/pages.ts'
import type { SearchIndex } from '../ports/search.ts'
import type { CrawlStatus } from '../ports/state.ts'
import type { StoreReader } from '../ports/store.ts'
import type { Workers } from '../ports/workers.ts'

/** A store and its archive open for looking. */
export interface ReadSession extends StoreReader {
  archive: ArchiveReader
  readDocument: DocumentReaderFunction
  /** What is being read fails with INTERRUPTED, and so does what comes later. */
  stopDocuments(): Promise<void>
  /** Reads every record of the archive back. */
  checkArchive(): AsyncIterable<RecordCheck>
  /** Why a crawl that is being worked on stands still; of any other this means nothing. */
  holdReason(crawlId: string): Promise<HoldReason | null>
}

export interface CrawlHandleStats {
  inFlight: number
  requests: number
  hosts: { host: string; requests: number; responseMs: number }[]
  waits: HostWait[]
  held: HoldReason | null
}

/** The threads at work on a crawl. */
export interface CrawlHandle {
  run(): Promise<CrawlStatus | 'stopped'>
  stop(): void
  stats(): CrawlHandleStats
}

/** A data directory open for work. */
export interface CrawlSession {
  crawls: Crawls
  diagnostics: Pick<Diagnostics, 'brokenSitemaps' | 'patterns'>
  startCrawl(crawl: Crawl): Promise<CrawlHandle>
  /** Other processes crawl here as well, so that a crawl goes on without this one. */
  hasOtherWorkers(crawlId: string): Promise<boolean>
  /** One step of what the archive drops and tidies, without a crew at work; null when nothing is left to do. */
  runRetentionStep(): Promise<RetentionStep | null>
  close(): Promise<void>
}

/** A store open for steering what others work on. */
export interface ControlSession {
  crawls: Crawls
  workers: Workers
  tokens: Tokens
  close(): Promise<void>
}

/** The search index open for being filled. */
export interface IndexSession {
  clear(): Promise<void>
  /** Until nothing waits, or it is told to stop. */
  catchUp(): Promise<void>
  stop(): void
  counts(): { indexed: number; again: number; leftOut: Record<string, number> }
  lag(): Promise<{ waiting: number; lagMs: number }>
  close(): Promise<void>
}

export interface MoveRequest {
  /** Data directories, or urls of databases. */
  from: string
  to: string
  /** Where the archive of a database is. */
  data: string
  /** Also when segments are missing. */
  isForced: boolean
}

export type MoveEvent =
  | { kind: 'rows'; table: string; rows: number; isDone: boolean }
  | { kind: 'recount' }
  | { kind: 'warning'; text: string }

export interface MoveSummary {
  from: string
  to: string
  /** By table. */
  rows: Record<string, number>
  segments: { isSameFolder: boolean; linked: number; copied: number; copiedBytes: number }
}

export interface Io {
  stdin: Readable
  stdout: WriteStream
  stderr: Writable
  env: NodeJS.ProcessEnv
  /** The program as it was called, so that what is told to type can be copied. */
  program: string
  openReadSession(config: Config): Promise<ReadSession>
  /** For single requests outside a crawl. */
  openFetcher(config: Config, startUrls: readonly string[]): Promise<Fetcher>
  /** Throws when one cannot be read. */
  checkFilterLists(files: string[]): Promise<void>
  openCrawlSession(config: Config, create: boolean): Promise<CrawlSession>
  openControlSession(config: Config, create: boolean): Promise<ControlSession>
  /** Null when nothing was ever indexed. */
  openSearchIndex(
    config: Config,
    pages: Pick<Pages, 'listAfter' | 'newestId'>,
  ): Promise<{ index: SearchIndex; close(): Promise<void> } | null>
  openIndexSession(config: Config): Promise<IndexSession>
  /** Runs the roles of the config until the process is told to end; says where the API is once it listens. */
  serve(config: Config, onOpen?: (address: string) => void): Promise<void>
  runFleet(config: Config): Promise<void>
  /** Stops between two batches when the signal says so. */
  moveStore(request: MoveRequest, onEvent: (event: MoveEvent) => void, signal: AbortSignal): Promise<MoveSummary>
  /** Calls back on the first Ctrl-C or SIGTERM; the second ends the process at once. */
  onInterrupt(callback: () => void): () => void
}

export interface Command {
  /** Arguments as shown in help. */
  usage: string
  help: string
  /** Arguments of which one begins with a dash, for those who forget to put them behind `--`. */
  dashExample?: string
  /** How many arguments it takes at most. */
  maxArguments: number
  settings: readonly SettingName[]
  run(config: Config, args: string[], io: Io): Promise<number>
}
