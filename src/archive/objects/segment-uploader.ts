// Uploads closed segments, one after the other, and moves their files to the cache folder, whose oldest files it
// deletes. A failed upload is repeated after the others, until it succeeds. A segment is only given up if its file is
// gone.
//
// A process uploads the segments of its own writers. One of the processes that share a folder also uploads what dead
// processes left there, and bounds the cache.

import { rename, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import { AppError, asAppError } from '../../lib/errors.ts'
import type { FileLock } from '../../lib/file-lock.ts'
import { makePrivateFolder } from '../../lib/private-files.ts'
import { StopSignal } from '../../lib/stop-signal.ts'
import type { ArchiveUploads, UploadStatus } from '../../ports/archive.ts'
import { archiveError, CACHE_FOLDER, errorCode, listFiles, listSegments, writerOf } from '../segment-files.ts'
import { isWriterAlive, tryUploadLock } from '../writer-locks.ts'
import type { SegmentObjects } from './segment-objects.ts'

export interface UploaderDependencies {
  dir: string
  objects: SegmentObjects
  clock: Clock
  /** Size of the cache; 0 keeps no uploaded file. */
  cacheBytes: number
}

interface Upload {
  segment: string
  bytes: number
  /** The object may exist already: the file was left by another process. */
  isLeftover: boolean
  done: PromiseWithResolvers<void>
}

interface Failure {
  problem: string
  since: number
}

const FIRST_RETRY_MS = 500
const MAX_RETRY_MS = 10_000
/** A process that stops ends soon, and the next one uploads the rest. */
const MAX_FAILING_AT_CLOSE_MS = 2_000
const SCAN_INTERVAL_MS = 30_000
const MAX_REMEMBERED = 1_000

export class SegmentUploader implements ArchiveUploads {
  readonly #dependencies: UploaderDependencies
  /** Waiting uploads in order. */
  readonly #waiting = new Map<string, Upload>()
  /** Recently uploaded segments, so that most callers that wait for a segment cause no request. */
  readonly #uploaded = new Set<string>()
  readonly #totals = { uploadedSegments: 0, uploadedBytes: 0 }
  /** The newest, at most MAX_REMEMBERED. */
  readonly #lost: string[] = []
  readonly #stopSignal = new StopSignal()
  #uploading: Promise<void> | null = null
  #failures: Record<'upload' | 'scan', Failure | null> = { upload: null, scan: null }
  #lock: FileLock | null = null
  #cancelScan: () => void = () => undefined
  /** No more scans. */
  #isClosing = false

  constructor(dependencies: UploaderDependencies) {
    this.#dependencies = dependencies
  }

  /** Takes what dead processes left, now and then. Resolves after the first scan. */
  async start(): Promise<void> {
    await this.#scan()
    this.#scheduleScan()
  }

  /** Queues a segment that this process closed. */
  add(segment: string, bytes: number): void {
    this.#queue(segment, bytes, false)
  }

  /** Rejects if the process stops before, or the segment was not closed. */
  async whenUploaded(segment: string): Promise<void> {
    const upload = this.#waiting.get(segment)
    if (upload !== undefined) return upload.done.promise
    if (this.#uploaded.has(segment) || (await this.#dependencies.objects.sizeOf(segment)) !== null) return
    throw new AppError('ARCHIVE_BROKEN', `The segment ${segment} is not in ${this.#dependencies.objects.name}.`)
  }

  async status(): Promise<UploadStatus> {
    const waiting = [...this.#waiting.values()]
    const { upload, scan } = this.#failures
    return {
      ...this.#totals,
      waitingSegments: waiting.length,
      waitingBytes: waiting.reduce((sum, { bytes }) => sum + bytes, 0),
      lostSegments: [...this.#lost],
      problem: (upload ?? scan)?.problem ?? null,
      // While only scans fail, pages can be uploaded.
      failingForMs: upload === null ? 0 : this.#dependencies.clock.now() - upload.since,
    }
  }

  /**
   * Finishes queued uploads, for at most this time, or a short time if uploads fail; then closes the objects.
   * Unfinished segments stay in the folder.
   */
  async close(maxMs: number): Promise<void> {
    this.#isClosing = true
    this.#cancelScan()
    const { clock } = this.#dependencies
    const timeout = Promise.withResolvers<void>()
    const waitMs = this.#failures.upload === null ? maxMs : Math.min(maxMs, MAX_FAILING_AT_CLOSE_MS)
    const cancel = clock.after(waitMs, timeout.resolve)
    await Promise.race([this.#uploading ?? Promise.resolve(), timeout.promise])
    cancel()
    this.#stopSignal.stop()
    this.#dependencies.objects.close()
    for (const { done } of this.#waiting.values()) done.reject(new AppError('INTERRUPTED', 'The process is stopping.'))
    await this.#uploading
    this.#lock?.release()
    this.#lock = null
  }

  #scheduleScan(): void {
    if (this.#isClosing) return
    this.#cancelScan = this.#dependencies.clock.after(SCAN_INTERVAL_MS, () => void this.#scanAgain())
  }

  async #scanAgain(): Promise<void> {
    try {
      await this.#scan()
      this.#failures.scan = null
    } catch (error) {
      this.#fail('scan', error)
    } finally {
      this.#scheduleScan()
    }
  }

  async #scan(): Promise<void> {
    const { dir } = this.#dependencies
    makePrivateFolder(join(dir, CACHE_FOLDER))
    this.#lock ??= tryUploadLock(dir)
    if (this.#lock === null) return
    for (const { name, isOpen } of await listSegments(dir)) {
      const writer = writerOf(name)
      if (isOpen || writer === null || isWriterAlive(dir, writer)) continue
      const bytes = await sizeOf(join(dir, name))
      if (bytes !== null) this.#queue(name, bytes, true)
    }
    await this.#boundCache()
  }

  #queue(segment: string, bytes: number, isLeftover: boolean): void {
    if (this.#waiting.has(segment)) return
    const upload = { segment, bytes, isLeftover, done: Promise.withResolvers<void>() }
    // Without a handler, a rejection that nothing awaits would end the process.
    upload.done.promise.catch(() => undefined)
    this.#waiting.set(segment, upload)
    this.#uploading ??= this.#uploadAll()
  }

  async #uploadAll(): Promise<void> {
    let retryMs = FIRST_RETRY_MS
    for (
      let [next] = this.#waiting.values();
      next !== undefined && !this.#stopSignal.isStopped;
      [next] = this.#waiting.values()
    ) {
      try {
        if (await this.#upload(next)) this.#settle(next)
        else this.#giveUp(next)
        retryMs = FIRST_RETRY_MS
      } catch (error) {
        this.#fail('upload', error)
        // The others may succeed.
        this.#waiting.delete(next.segment)
        this.#waiting.set(next.segment, next)
        await this.#stopSignal.sleep(retryMs, this.#dependencies.clock)
        retryMs = Math.min(MAX_RETRY_MS, retryMs * 2)
      }
    }
    this.#uploading = null
  }

  #settle({ segment, done }: Upload): void {
    this.#waiting.delete(segment)
    if (this.#uploaded.size >= MAX_REMEMBERED) this.#uploaded.clear()
    this.#uploaded.add(segment)
    this.#failures.upload = null
    done.resolve()
  }

  #giveUp({ segment, done }: Upload): void {
    this.#waiting.delete(segment)
    if (this.#waiting.size === 0) this.#failures.upload = null
    if (this.#lost.length >= MAX_REMEMBERED) this.#lost.shift()
    this.#lost.push(segment)
    const { dir, objects } = this.#dependencies
    const text = `The segment ${segment} is lost: its file is no longer in ${dir}, and it is not in ${objects.name}.`
    done.reject(new AppError('ARCHIVE_BROKEN', text))
  }

  /** False if the segment is lost. */
  async #upload({ segment, bytes, isLeftover }: Upload): Promise<boolean> {
    const { dir, objects } = this.#dependencies
    const path = join(dir, segment)
    const isThere = isLeftover && (await objects.sizeOf(segment)) === bytes
    try {
      if (!isThere) await objects.put(segment, path)
      // From here on, the file is a copy.
      await rename(path, join(dir, CACHE_FOLDER, segment))
    } catch (error) {
      if ((await sizeOf(path)) !== null) throw archiveError(error, path)
      const objectBytes = await objects.sizeOf(segment)
      if (objectBytes === null) return false
      // Another process has uploaded it.
      if (objectBytes === bytes) return true
      throw archiveError(error, path)
    }
    this.#totals.uploadedSegments += 1
    this.#totals.uploadedBytes += bytes
    await this.#boundCache()
    return true
  }

  async #boundCache(): Promise<void> {
    if (this.#lock === null) return
    const folder = join(this.#dependencies.dir, CACHE_FOLDER)
    const names = (await listFiles(folder)).sort().reverse()
    let total = 0
    for (const name of names) {
      total += (await sizeOf(join(folder, name))) ?? 0
      if (total > this.#dependencies.cacheBytes) await deleteFile(join(folder, name))
    }
  }

  #fail(operation: 'upload' | 'scan', error: unknown): void {
    this.#failures[operation] = {
      problem: asAppError(error).message,
      since: this.#failures[operation]?.since ?? this.#dependencies.clock.now(),
    }
  }
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw archiveError(error, path)
  }
}

async function deleteFile(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw archiveError(error, path)
  }
}
