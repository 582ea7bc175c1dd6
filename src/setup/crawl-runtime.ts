// Everything a process opens in order to crawl: store thread, archive thread, crawl threads, and the checks of disk,
// memory, uploads and store latency.

import type { Worker } from 'node:worker_threads'
import { divideMemory } from '../config/memory-budget.ts'
import type { Role } from '../config/process/server.ts'
import type { Config } from '../config/schema.ts'
import { systemClock } from '../lib/clock.ts'
import { AppError, asAppError } from '../lib/errors.ts'
import type { Log, OpenLog } from '../lib/log.ts'
import { makePrivateFolder } from '../lib/private-files.ts'
import type { ServiceThread } from '../lib/service-thread.ts'
import type { ArchiveWriter, UploadStatus } from '../ports/archive.ts'
import type { Crawl, Crawls } from '../ports/crawls.ts'
import type { Diagnostics } from '../ports/diagnostics.ts'
import type { Frontier } from '../ports/frontier.ts'
import type { Revisits } from '../ports/revisits.ts'
import type { Workers } from '../ports/workers.ts'
import type { RenderPool } from '../render/pool/render-pool.ts'
import { type StoreShare, shareStore } from '../store/sqlite/share-store.ts'
import { DiskHold } from '../worker/holds/disk-hold.ts'
import { freeBytes, usedBytes } from '../worker/holds/disk-usage.ts'
import { ALL_CRAWLS, writeHoldFile } from '../worker/holds/hold-file.ts'
import { Holds } from '../worker/holds/holds.ts'
import { MemoryHold } from '../worker/holds/memory-hold.ts'
import { StoreLatencyHold } from '../worker/holds/store-latency-hold.ts'
import { UploadHold } from '../worker/holds/upload-hold.ts'
import type { HookPort } from '../worker/hooks/serve-hooks.ts'
import { CrawlThreads } from '../worker/threads/crawl-threads.ts'
import type { RunningCrawl } from '../worker/threads/running-crawl.ts'
import { CrawlArchive, isWorking } from './crawl-archive.ts'
import { openStore } from './store.ts'

export interface StartOptions {
  /** Receives the outcomes of URLs and hosts. */
  log?: OpenLog | null
  connectHooks?: (() => HookPort) | null
  /** Whether a command or a program is waiting for the crawl. */
  isForeground?: boolean
}

interface RuntimeParts {
  crawlThreads: CrawlThreads
  store: ServiceThread
  servesHere: boolean
}

export interface RuntimeOptions {
  /** Whether to create a store that does not exist. */
  create: boolean
  /** A crawl thread that is already started. */
  earlyThread?: Worker | null
  /** Whether this thread may own the store and the archive, because it has nothing else to do. */
  servesHere?: boolean
}

export class CrawlRuntime {
  readonly crawls: Crawls
  readonly diagnostics: Diagnostics
  readonly workers: Workers
  readonly revisits: Revisits
  readonly diskHold: DiskHold
  readonly memoryHold: MemoryHold
  readonly uploadHold: UploadHold
  readonly #storeLatencyHold: StoreLatencyHold
  readonly #config: Config
  readonly id: string
  readonly #threads: CrawlThreads
  readonly #store: ServiceThread
  readonly #archive: CrawlArchive
  readonly #holds = new Holds()
  #stopHoldNotes: () => void = () => undefined
  #share: StoreShare | null = null
  #lastCrawlId = ''
  #renderPool: Promise<RenderPool> | null = null

  /** `id` names this process in leases and segments: letters and digits, unique. */
  static async open(
    config: Config,
    id: string,
    { create, earlyThread = null, servesHere = false }: RuntimeOptions,
  ): Promise<CrawlRuntime> {
    const crawlThreads = new CrawlThreads(config.threads, config.stallTime, earlyThread)
    try {
      // If the store is a database, nothing else creates the folder of the archive.
      if (config.store !== null) makeDataDirectory(config.data)
      const store = await openStore(config, create, servesHere)
      return new CrawlRuntime(config, id, { crawlThreads, store, servesHere })
    } catch (error) {
      await crawlThreads.close()
      throw error
    }
  }

  private constructor(config: Config, id: string, { crawlThreads, store, servesHere }: RuntimeParts) {
    this.#config = config
    this.id = id
    this.#threads = crawlThreads
    this.#store = store
    this.crawls = store.client.service<Crawls>('crawls')
    this.diagnostics = store.client.service<Diagnostics>('diagnostics')
    this.workers = store.client.service<Workers>('workers')
    this.revisits = store.client.service<Revisits>('revisits')
    const { data, maxDisk, minFreeDisk } = config
    const measures = { usedBytes: () => usedBytes(data), freeBytes: () => freeBytes(data) }
    const limits = { maxBytes: maxDisk, minFreeBytes: minFreeDisk }
    const holdDependencies = { clock: systemClock, holds: this.#holds }
    this.diskHold = new DiskHold(limits, { ...measures, ...holdDependencies })
    this.memoryHold = new MemoryHold(config.memory, {
      ...holdDependencies,
      usedBytes: () => process.memoryUsage.rss(),
    })
    const uploadSettings = { maxBacklogBytes: config.maxUploadBacklog, isBeforeCommit: config.uploadBeforeCommit }
    this.uploadHold = new UploadHold(uploadSettings, holdDependencies)
    this.#storeLatencyHold = new StoreLatencyHold(config.maxStoreLatency, {
      probe: () => this.crawls.addActiveTime(this.#lastCrawlId, 0),
      ...holdDependencies,
    })
    const { workers, uploadHold } = this
    this.#archive = new CrawlArchive({
      config,
      workerId: id,
      store,
      workers,
      uploadHold,
      isWrittenHere: servesHere,
    })
  }

  /** Taken by whatever needs the crawls to pause. */
  get holds(): Holds {
    return this.#holds
  }

  get store(): ServiceThread {
    return this.#store
  }

  /** Lets other processes use the store of the data directory. Where that is impossible, they are refused as in use. */
  async shareStore(roles: readonly Role[], log: Log): Promise<void> {
    if (this.#config.store !== null) return
    try {
      this.#share = await shareStore(this.#config.data, { roles, connect: this.#store.connect })
    } catch (error) {
      const { message } = asAppError(error)
      log.warn('other commands cannot change this data directory meanwhile', { why: message })
    }
  }

  /** Tells processes that share the store where the API listens. */
  announceAddress(address: string): void {
    this.#share?.setAddress(address)
  }

  async startCrawl(
    crawl: Crawl,
    { log = null, connectHooks = null, isForeground = false }: StartOptions = {},
  ): Promise<RunningCrawl> {
    this.#startHoldNotes(crawl)
    const isArchived = crawl.settings.archive !== 'none'
    const archive = isArchived || this.#archive.mayHaveSegments ? await this.#archive.openWithRetention() : null
    const { workerRate, lease, pollMin, pollMax } = this.#config
    const { seenUrls } = divideMemory(this.#config)
    const waits = { leaseMs: lease, pollMinMs: pollMin, pollMaxMs: Math.max(pollMin, pollMax) }
    const settings = { workerId: this.id, seenUrls, workerRate, ...waits, failsWithoutProxy: isForeground }
    const renderPool = crawl.settings.render === 'off' ? null : await this.#openRenderPool()
    const runningCrawl = this.#threads.begin(crawl, settings, {
      frontier: this.#store.client.service<Frontier>('frontier'),
      connectStore: this.#store.connect,
      connectArchive: isArchived && archive !== null ? archive.connect : null,
      connectRenderer: renderPool === null ? null : () => renderPool.connect(crawl.id),
      connectHooks,
      holds: this.#holds,
      log,
    })
    this.#lastCrawlId = crawl.id
    this.#storeLatencyHold.addSource(runningCrawl)
    this.#storeLatencyHold.start()
    return runningCrawl
  }

  /** Opens the archive for responses that do not come from a crawl thread. */
  async openArchive(): Promise<ArchiveWriter> {
    return (await this.#archive.openWithRetention()).client.service<ArchiveWriter>('archive')
  }

  /** Runs one retention step; null if nothing is left to do. */
  runRetentionStep() {
    return this.#archive.runRetentionStep()
  }

  /** Opens the archive with --archive-store, which starts uploading waiting segments. */
  uploadStatus(): Promise<UploadStatus> {
    return this.#archive.uploadStatus()
  }

  /** Whether other processes are working on the crawl too. */
  async hasOtherWorkers(crawlId: string): Promise<boolean> {
    if (this.#config.store === null) return false
    const others = (await this.workers.list()).filter((worker) => worker.id !== this.id && isWorking(worker))
    // A foreground worker has no address and works only on its own crawl.
    return others.some(
      ({ address, figures }) => address !== null || figures.crawls.some((crawl) => crawl.crawlId === crawlId),
    )
  }

  /** Returns the failure of the retention loop; null if it did not fail. */
  async close(): Promise<AppError | null> {
    await this.#threads.close()
    await this.#share?.close()
    const renderPool = await this.#renderPool?.catch(() => null)
    await renderPool?.close()
    this.diskHold.stop()
    this.memoryHold.stop()
    this.uploadHold.stop()
    this.#storeLatencyHold.stop()
    try {
      return await this.#archive.close()
    } finally {
      await this.#store.close()
    }
  }

  /** Valid until another process starts a crawl. Not needed with a database, which knows its workers. */
  writeNoWorkerNote(): void {
    this.#stopHoldNotes()
    if (this.#config.store === null) writeHoldFile(this.#config.data, ALL_CRAWLS, 'no_worker')
  }

  /** Writes the hold reason to the data directory, for processes that only read. It names the crawl started last. */
  #startHoldNotes(crawl: Crawl): void {
    this.#stopHoldNotes()
    this.#stopHoldNotes = this.#holds.subscribe((held) => writeHoldFile(this.#config.data, crawl.id, held))
  }

  /** Loaded only for crawls that render. Throws BROWSER_MISSING if there is no browser. */
  #openRenderPool(): Promise<RenderPool> {
    this.#renderPool ??= import('./renderer.ts')
      .then(({ openRenderPool }) => openRenderPool(this.#config))
      .catch((error: unknown) => {
        // The next crawl tries again.
        this.#renderPool = null
        throw error
      })
    return this.#renderPool
  }
}

function makeDataDirectory(dir: string): void {
  try {
    makePrivateFolder(dir)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new AppError('DATA_UNWRITABLE', `Cannot create the data directory ${dir}: ${reason}`, {
      cause: error,
    })
  }
}
