// The archive of a process that crawls: its writer, opened on first use, and the retention of archived pages.

import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { listSegments, writerOf } from '../archive/segment-files.ts'
import type { Config } from '../config/schema.ts'
import { type RetentionLoop, startRetentionLoop } from '../engine/pages/retention-loop.ts'
import type { RetentionRun } from '../engine/pages/retention-run.ts'
import { systemClock } from '../lib/clock.ts'
import type { AppError } from '../lib/errors.ts'
import type { ServiceThread } from '../lib/service-thread.ts'
import type { ArchiveUploads, UploadStatus } from '../ports/archive.ts'
import type { Retention } from '../ports/retention.ts'
import { HEARTBEAT_TIMEOUT_MS, type WorkerRow, type Workers } from '../ports/workers.ts'
import type { UploadHold } from '../worker/holds/upload-hold.ts'
import { archiveFolder, createRetentionRun, MAX_REPORT_DELAY_MS, openArchiveWriter } from './open-archive-writer.ts'

const CLOSE_MS = 2_000

export interface CrawlArchiveDependencies {
  config: Config
  /** Id of this process; part of the names of its segments. */
  workerId: string
  store: ServiceThread
  workers: Workers
  /** Whether this thread may write the archive. */
  isWrittenHere: boolean
  uploadHold: UploadHold
}

export class CrawlArchive {
  readonly #dependencies: CrawlArchiveDependencies
  #thread: Promise<ServiceThread> | null = null
  #manualRetention: RetentionRun | null = null
  #retention: RetentionLoop | null = null

  constructor(dependencies: CrawlArchiveDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Whether there may be something to retain, even if nothing is written. Retention of a bucket is the task of one
   * process, whatever it crawls.
   */
  get mayHaveSegments(): boolean {
    const { config } = this.#dependencies
    return config.archiveStore.length > 0 || existsSync(archiveFolder(config))
  }

  /** Opens the writer, in its own thread or in this one. */
  open(): Promise<ServiceThread> {
    this.#thread ??= this.#openThread().catch((error: unknown) => {
      // The next caller tries again.
      this.#thread = null
      throw error
    })
    return this.#thread
  }

  async openWithRetention(): Promise<ServiceThread> {
    const archive = await this.open()
    if (this.#retention === null) {
      const run = createRetentionRun(this.#dependencies.store, archive, () => this.#isChosenForObjects())
      const settings = { graceMs: MAX_REPORT_DELAY_MS, isManual: false }
      this.#retention = startRetentionLoop((now) => run.step(now, settings), systemClock)
    }
    return archive
  }

  /** Runs one retention step; null if nothing is left to do. */
  async runRetentionStep() {
    const { store } = this.#dependencies
    const archive = await this.open()
    this.#manualRetention ??= createRetentionRun(store, archive, async () => true)
    const isOnlyProcess = await store.client.service<Retention>('retention').isOnlyProcess()
    return this.#manualRetention.step(systemClock.now(), {
      graceMs: isOnlyProcess ? 0 : MAX_REPORT_DELAY_MS,
      isManual: true,
    })
  }

  /** Opens the archive with --archive-store, which starts uploading waiting segments. */
  async uploadStatus(): Promise<UploadStatus> {
    return (await this.open()).client.service<ArchiveUploads>('uploads').status()
  }

  /** Returns the failure of the retention loop; null if it did not fail. */
  async close(): Promise<AppError | null> {
    const failure = await withinCloseTimeout(this.#retention?.stop() ?? null)
    await (await withinCloseTimeout(this.#thread))?.close()
    await this.#logLeftSegments()
    return failure
  }

  async #openThread(): Promise<ServiceThread> {
    const { config, store, workerId: writer, isWrittenHere, uploadHold } = this.#dependencies
    const archive = await openArchiveWriter(config, store, { writer, isWrittenHere })
    if (config.archiveStore.length > 0) uploadHold.start(archive.client.service<ArchiveUploads>('uploads'))
    return archive
  }

  async #logLeftSegments(): Promise<void> {
    const { config, workerId, uploadHold } = this.#dependencies
    if (config.archiveStore.length === 0) return
    const segments = await listSegments(archiveFolder(config))
    uploadHold.logLeftSegments(segments.filter(({ name }) => writerOf(name) === workerId).length)
  }

  /**
   * All processes see all segments of a bucket, so the first worker does the retention. A change of workers is safe.
   */
  async #isChosenForObjects(): Promise<boolean> {
    const { config, workers, workerId } = this.#dependencies
    if (config.archiveStore.length === 0 || config.store === null) return true
    const working = (await workers.list()).filter(isWorking).map(({ id }) => id)
    const [first] = working.sort()
    return first === undefined || first === workerId
  }
}

export function isWorking({ state, seenAt }: WorkerRow): boolean {
  return state === 'working' && systemClock.now() - seenAt < HEARTBEAT_TIMEOUT_MS
}

/** Null after a timeout: a call to an unavailable store waits until the store is closed. */
function withinCloseTimeout<T>(operation: Promise<T> | null): Promise<T | null> {
  return Promise.race([operation, sleep(CLOSE_MS, null, { ref: false })])
}
