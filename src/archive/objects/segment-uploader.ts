// Uploads closed segments, one after the other, and moves their files to the cache folder, of which it deletes the
// oldest. A failed upload is repeated until it succeeds.
//
// A process uploads the segments of its own writers. Of the processes that share a folder, one also uploads what dead
// processes left there, and bounds the cache.

import { rename, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import { AppError, asAppError } from '../../lib/errors.ts'
import type { FileLock } from '../../lib/file-lock.ts'
import { makePrivateFolder } from '../../lib/private-files.ts'
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

const FIRST_RETRY_MS = 500
const MAX_RETRY_MS = 10_000
const SCAN_INTERVAL_MS = 30_000
const MAX_REMEMBERED = 1_000

export class SegmentUploader implements ArchiveUploads {
  readonly #dependencies: UploaderDependencies
  /** In order of upload. */
  readonly #waiting = new Map<string, Upload>()
  /** Recently, so that most who wait for one cause no request. */
  readonly #uploaded = new Set<string>()
  readonly #totals = { uploadedSegments: 0, uploadedBytes: 0 }
  readonly #stopped = Promise.withResolvers<void>()
  #uploading: Promise<void> | null = null
  #failure: { problem: string; since: number } | null = null
  #lock: FileLock | null = null
  #cancelScan: () => void = () => undefined
  #isStopped = false

  constructor(dependencies: UploaderDependencies) {
    this.#dependencies = dependencies
  }

  /** Takes what dead processes left, now and then. Resolves after the first scan. */
  async start(): Promise<void> {
    const { dir, clock } = this.#dependencies
    makePrivateFolder(join(dir, CACHE_FOLDER))
    await this.#scan()
    if (!this.#isStopped) this.#cancelScan = clock.after(SCAN_INTERVAL_MS, () => void this.#scanAgain())
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
    return {
      ...this.#totals,
      waitingSegments: waiting.length,
      waitingBytes: waiting.reduce((sum, { bytes }) => sum + bytes, 0),
      problem: this.#failure?.problem ?? null,
      failingForMs: this.#failure === null ? 0 : this.#dependencies.clock.now() - this.#failure.since,
    }
  }

  /** Finishes what is queued, for at most this time; closes the objects. The rest stays in the folder. */
  async close(maxMs: number): Promise<void> {
    this.#cancelScan()
    const { clock } = this.#dependencies
    const timeout = Promise.withResolvers<void>()
    const cancel = clock.after(maxMs, timeout.resolve)
    await Promise.race([this.#uploading ?? Promise.resolve(), timeout.promise])
    cancel()
    this.#isStopped = true
    this.#stopped.resolve()
    this.#dependencies.objects.close()
    for (const { done } of this.#waiting.values()) done.reject(new AppError('INTERRUPTED', 'The process is stopping.'))
    await this.#uploading
    this.#lock?.release()
    this.#lock = null
  }

  async #scanAgain(): Promise<void> {
    await this.start().catch((error: unknown) => this.#fail(error))
  }

  async #scan(): Promise<void> {
    const { dir } = this.#dependencies
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
    // Often nobody waits for it.
    upload.done.promise.catch(() => undefined)
    this.#waiting.set(segment, upload)
    this.#uploading ??= this.#uploadAll()
  }

  async #uploadAll(): Promise<void> {
    let retryMs = FIRST_RETRY_MS
    for (let [next] = this.#waiting.values(); next !== undefined && !this.#isStopped; [next] = this.#waiting.values()) {
      try {
        await this.#upload(next)
        this.#waiting.delete(next.segment)
        if (this.#uploaded.size >= MAX_REMEMBERED) this.#uploaded.clear()
        this.#uploaded.add(next.segment)
        this.#failure = null
        retryMs = FIRST_RETRY_MS
        next.done.resolve()
      } catch (error) {
        this.#fail(error)
        await this.#pause(retryMs)
        retryMs = Math.min(MAX_RETRY_MS, retryMs * 2)
      }
    }
    this.#uploading = null
  }

  async #upload({ segment, bytes, isLeftover }: Upload): Promise<void> {
    const { dir, objects } = this.#dependencies
    const path = join(dir, segment)
    const isThere = isLeftover && (await objects.sizeOf(segment)) === bytes
    try {
      if (!isThere) await objects.put(segment, path)
      // From here on the file is a copy.
      await rename(path, join(dir, CACHE_FOLDER, segment))
    } catch (error) {
      // Another process has uploaded it.
      if (errorCode(error) === 'ENOENT' && (await objects.sizeOf(segment)) === bytes) return
      throw archiveError(error, path)
    }
    this.#totals.uploadedSegments += 1
    this.#totals.uploadedBytes += bytes
    await this.#boundCache()
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

  #fail(error: unknown): void {
    this.#failure = {
      problem: asAppError(error).message,
      since: this.#failure?.since ?? this.#dependencies.clock.now(),
    }
  }

  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const cancel = this.#dependencies.clock.after(ms, resolve)
    await Promise.race([promise, this.#stopped.promise])
    cancel()
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
