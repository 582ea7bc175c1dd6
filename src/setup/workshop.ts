// A store open for work: its thread, the archive's, the crawl threads, and what watches over the disk.

import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { divideMemory } from '../config/memory.ts'
import type { Config } from '../config/schema.ts'
import type { RetentionRun } from '../engine/pages/retention.ts'
import { type RetentionLoop, startRetention } from '../engine/pages/retention-loop.ts'
import { systemClock } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'
import type { OpenLog } from '../lib/log.ts'
import { makeFolder } from '../lib/private-files.ts'
import type { ServiceThread } from '../lib/service-thread.ts'
import type { ArchiveWriter } from '../ports/archive.ts'
import type { Crawl, Crawls } from '../ports/crawls.ts'
import type { Frontier } from '../ports/frontier.ts'
import type { Manners } from '../ports/manners.ts'
import type { Retention } from '../ports/retention.ts'
import { SILENT_MS, type Workers } from '../ports/workers.ts'
import { Crew } from '../worker/crew.ts'
import { freeBytes, usedBytes } from '../worker/disk.ts'
import { DiskWatch } from '../worker/disk-watch.ts'
import { ALL_CRAWLS, writeHoldNote } from '../worker/hold-note.ts'
import { Holds } from '../worker/holds.ts'
import { MemoryWatch } from '../worker/memory-watch.ts'
import type { Shift } from '../worker/shift.ts'
import { StoreWatch } from '../worker/store-watch.ts'
import { archiveFolder, openArchive, REPORT_MS, retentionOf } from './archive.ts'
import { openStore } from './store.ts'

const CLOSE_MS = 2_000

export class Workshop {
  readonly crawls: Crawls
  readonly manners: Manners
  readonly workers: Workers
  readonly disk: DiskWatch
  readonly memory: MemoryWatch
  readonly #storeWatch: StoreWatch
  readonly #config: Config
  readonly id: string
  readonly #crew: Crew
  readonly #store: ServiceThread
  readonly #holds = new Holds()
  #stopNoting: () => void = () => undefined
  /** Id of a crawl. */
  #begunLast = ''
  #archive: Promise<ServiceThread> | null = null
  #expiring: RetentionRun | null = null
  #retention: RetentionLoop | null = null

  /**
   * `id` names this process in leases and segments: letters and digits, and no other's. `early` is a crawl thread that was
   * started before.
   */
  static async open(config: Config, id: string, create: boolean, early: Worker | null = null): Promise<Workshop> {
    const crew = new Crew(config.threads, config.stallTime, early)
    try {
      // With a database nothing else makes the folder that the archive is in.
      if (config.store !== null) makeDataFolder(config.data)
      return new Workshop(config, id, crew, await openStore(config, create))
    } catch (error) {
      await crew.close()
      throw error
    }
  }

  private constructor(config: Config, id: string, crew: Crew, store: ServiceThread) {
    this.#config = config
    this.id = id
    this.#crew = crew
    this.#store = store
    this.crawls = store.client.service<Crawls>('crawls')
    this.manners = store.client.service<Manners>('manners')
    this.workers = store.client.service<Workers>('workers')
    const { data, maxDisk, minFreeDisk } = config
    const measures = { usedBytes: () => usedBytes(data), freeBytes: () => freeBytes(data) }
    const limits = { maxBytes: maxDisk, minFreeBytes: minFreeDisk }
    const watching = { clock: systemClock, holds: this.#holds }
    this.disk = new DiskWatch(limits, { ...measures, ...watching })
    this.memory = new MemoryWatch(config.memory, { ...watching, usedBytes: () => process.memoryUsage.rss() })
    this.#storeWatch = new StoreWatch(config.maxStoreLatency, {
      probe: () => this.crawls.addActiveTime(this.#begunLast, 0),
      ...watching,
    })
  }

  /** Whoever needs the crawls to stand still takes one. */
  get holds(): Holds {
    return this.#holds
  }

  get store(): ServiceThread {
    return this.#store
  }

  /** `log` hears what becomes of urls and hosts. */
  async begin(crawl: Crawl, log: OpenLog | null = null): Promise<Shift> {
    this.#noteHolds(crawl)
    const isKept = crawl.settings.archive !== 'none'
    const hasArchive = isKept || existsSync(archiveFolder(this.#config))
    const archive = hasArchive ? await this.#openArchive() : null
    const { workerRate, lease } = this.#config
    const { seenUrls } = divideMemory(this.#config)
    const settings = { workerId: this.id, seenUrls, workerRate, leaseMs: lease }
    const shift = this.#crew.begin(crawl, settings, {
      frontier: this.#store.client.service<Frontier>('frontier'),
      connectStore: this.#store.connect,
      connectArchive: isKept && archive !== null ? archive.connect : null,
      holds: this.#holds,
      log,
    })
    this.#begunLast = crawl.id
    this.#storeWatch.follow(shift)
    this.#storeWatch.start()
    return shift
  }

  /** For answers that come another way than through a crawl thread. */
  async openArchive(): Promise<ArchiveWriter> {
    return (await this.#openArchive()).client.service<ArchiveWriter>('archive')
  }

  /** One step of dropping what nobody wants any more. */
  async expire() {
    const archive = await this.#archiveThread()
    this.#expiring ??= retentionOf(this.#store, archive)
    const isAlone = await this.#store.client.service<Retention>('retention').isAlone()
    return this.#expiring.step(systemClock.now(), { graceMs: isAlone ? 0 : REPORT_MS, isByHand: true })
  }

  /** Others work on the crawl as well. */
  async hasOthersAtWork(crawlId: string): Promise<boolean> {
    if (this.#config.store === null) return false
    const others = (await this.workers.list()).filter(({ id, state, seenAt }) => {
      return id !== this.id && state === 'working' && systemClock.now() - seenAt < SILENT_MS
    })
    // One that crawls in the foreground has no address, and works on its own crawl alone.
    return others.some(
      ({ address, figures }) => address !== null || figures.crawls.some((one) => one.crawlId === crawlId),
    )
  }

  /** Answers why what should have been dropped from the archive was not, if so. */
  async close(): Promise<AppError | null> {
    await this.#crew.close()
    this.disk.stop()
    this.memory.stop()
    this.#storeWatch.stop()
    try {
      const failure = await soon(this.#retention?.stop() ?? null)
      await (await soon(this.#archive))?.close()
      return failure
    } finally {
      await this.#store.close()
    }
  }

  /** Until a crawl is begun again, which only another process can do. A database knows its workers. */
  noteNoWorker(): void {
    this.#stopNoting()
    if (this.#config.store === null) writeHoldNote(this.#config.data, ALL_CRAWLS, 'no_worker')
  }

  /** A line in the data directory for those who only look; it names the crawl that was begun last. */
  #noteHolds(crawl: Crawl): void {
    this.#stopNoting()
    this.#stopNoting = this.#holds.watch((held) => writeHoldNote(this.#config.data, crawl.id, held))
  }

  #archiveThread(): Promise<ServiceThread> {
    this.#archive ??= openArchive(this.#config, this.#store, this.id).catch((error: unknown) => {
      // The next who asks tries again.
      this.#archive = null
      throw error
    })
    return this.#archive
  }

  /** With its expiry beside it. */
  async #openArchive(): Promise<ServiceThread> {
    const archive = await this.#archiveThread()
    if (this.#retention === null) {
      const run = retentionOf(this.#store, archive)
      const settings = { graceMs: REPORT_MS, isByHand: false }
      this.#retention = startRetention((now) => run.step(now, settings), systemClock)
    }
    return archive
  }
}

/** Null when it takes longer: whoever asked a store that is away waits until that is closed. */
function soon<T>(work: Promise<T> | null): Promise<T | null> {
  return Promise.race([work, sleep(CLOSE_MS, null, { ref: false })])
}

function makeDataFolder(dir: string): void {
  try {
    makeFolder(dir)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new AppError('DATA_UNWRITABLE', `The folder ${dir}, which keeps pages, cannot be made: ${why}`, {
      cause: error,
    })
  }
}
