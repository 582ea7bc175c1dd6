// What a command may touch: streams, the environment, and ways to open a data directory. main.ts fills it in.

import type { Readable, Writable } from 'node:stream'
import type { WriteStream } from 'node:tty'
import type { Config, SettingName } from '../config/schema.ts'
import type { HoldReason, Wait } from '../engine/crawl/waits.ts'
import type { Fetcher } from '../engine/fetch/result.ts'
import type { ReadDocument } from '../engine/media/type.ts'
import type { RetentionStep } from '../engine/pages/retention.ts'
import type { Tokens } from '../ports/access.ts'
import type { ArchiveReader, RecordCheck } from '../ports/archive.ts'
import type { Crawl, Crawls } from '../ports/crawls.ts'
import type { Manners } from '../ports/manners.ts'
import type { Pages } from '../ports/pages.ts'
import type { SearchIndex } from '../ports/search.ts'
import type { CrawlStatus } from '../ports/state.ts'
import type { StoreReader } from '../ports/store.ts'
import type { Workers } from '../ports/workers.ts'

/** A store and its archive open for looking. */
export interface Reader extends StoreReader {
  archive: ArchiveReader
  readDocument: ReadDocument
  /** What is being read fails with INTERRUPTED, and so does what comes later. */
  stopDocuments(): Promise<void>
  /** Reads every record of the archive back. */
  checkArchive(): AsyncIterable<RecordCheck>
  /** Why a crawl that is being worked on stands still; of any other this means nothing. */
  heldBy(crawlId: string): Promise<HoldReason | null>
}

export interface CrewStats {
  inFlight: number
  requests: number
  hosts: { host: string; requests: number; responseMs: number }[]
  waits: Wait[]
  held: HoldReason | null
}

/** The threads at work on a crawl. */
export interface Crew {
  run(): Promise<CrawlStatus | 'stopped'>
  stop(): void
  stats(): CrewStats
}

/** A data directory open for work. */
export interface Workshop {
  crawls: Crawls
  manners: Pick<Manners, 'brokenSitemaps' | 'patterns'>
  startCrew(crawl: Crawl): Promise<Crew>
  /** Other processes crawl here as well, so that a crawl goes on without this one. */
  hasOthersAtWork(crawlId: string): Promise<boolean>
  /** One step of what the archive drops and tidies, without a crew at work; null when nothing is left to do. */
  expire(): Promise<RetentionStep | null>
  close(): Promise<void>
}

/** A store open for steering what others work on. */
export interface Control {
  crawls: Crawls
  workers: Workers
  tokens: Tokens
  close(): Promise<void>
}

/** The search index open for being filled. */
export interface IndexWork {
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
  openReader(config: Config): Promise<Reader>
  /** For single requests outside a crawl. */
  openFetcher(config: Config, startUrls: readonly string[]): Promise<Fetcher>
  /** Throws when one cannot be read. */
  checkFilterLists(files: string[]): Promise<void>
  openWorkshop(config: Config, create: boolean): Promise<Workshop>
  openControl(config: Config, create: boolean): Promise<Control>
  /** Null when nothing was ever indexed. */
  openSearch(
    config: Config,
    pages: Pick<Pages, 'after' | 'newestId'>,
  ): Promise<{ index: SearchIndex; close(): Promise<void> } | null>
  openIndexWork(config: Config): Promise<IndexWork>
  /** Runs the roles of the config until the process is told to end; says where the API is once it listens. */
  serve(config: Config, onOpen?: (address: string) => void): Promise<void>
  runFleet(config: Config): Promise<void>
  /** Stops between two batches when the signal says so. */
  move(request: MoveRequest, onEvent: (event: MoveEvent) => void, signal: AbortSignal): Promise<MoveSummary>
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
