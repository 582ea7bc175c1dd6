// What a command may touch: streams, the environment, and ways to open a data directory. main.ts fills it in.

import type { Readable, Writable } from 'node:stream'
import type { WriteStream } from 'node:tty'
import type { Config, SettingName } from '../config/schema.ts'
import type { Fetcher } from '../engine/fetch/result.ts'
import type { Extracted } from '../engine/media/type.ts'
import type { ArchiveReader, RecordCheck } from '../ports/archive.ts'
import type { Crawl, CrawlProgress, Crawls } from '../ports/crawls.ts'
import type { Manners } from '../ports/manners.ts'
import type { Pages } from '../ports/pages.ts'
import type { CrawlStatus } from '../ports/state.ts'
import type { Urls } from '../ports/urls.ts'

/** A data directory open for looking. */
export interface Reader {
  crawls: {
    find(idOrPrefix: string): Crawl
    list(): CrawlProgress[]
    progress(crawlId: string): CrawlProgress
    reasons(crawlId: string): Record<string, number>
  }
  urls: Urls
  manners: Manners
  pages: Pages
  archive: ArchiveReader
  readPdf: (body: Buffer) => Promise<Extracted>
  /** Reads every record of the archive back. */
  checkArchive(): AsyncIterable<RecordCheck>
  close(): Promise<void>
}

export interface CrewStats {
  inFlight: number
  requests: number
  hosts: { host: string; requests: number; responseMs: number }[]
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
  startCrew(crawl: Crawl): Promise<Crew>
  close(): Promise<void>
}

export interface Io {
  stdin: Readable
  stdout: WriteStream
  stderr: Writable
  env: NodeJS.ProcessEnv
  openReader(dir: string): Reader
  /** For single requests outside a crawl. */
  openFetcher(config: Config): Promise<Fetcher>
  /** Throws when one cannot be read. */
  checkFilterLists(files: string[]): Promise<void>
  openWorkshop(config: Config, create: boolean): Promise<Workshop>
  /** Calls back on the first Ctrl-C or SIGTERM; the second ends the process at once. */
  onInterrupt(callback: () => void): () => void
}

export interface Command {
  /** Arguments as shown in help. */
  usage: string
  help: string
  /** How many arguments it takes at most. */
  maxArguments: number
  settings: readonly SettingName[]
  run(config: Config, args: string[], io: Io): Promise<number>
}
