// Segments are files of one folder. A segment has the suffix `.open` while it is written, and `.gone` when it is about
// to be deleted; a position always uses the name without a suffix. With object storage, an uploaded segment moves to
// the folder `cache`, from which it may be deleted at any time.

import { readSync } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../lib/errors.ts'
import { S3Error } from '../lib/s3/s3-error.ts'
import { type ArchiveCodec, SEGMENT_NAME } from '../ports/archive.ts'

const SUFFIXES = { gzip: '.warc.gz', zstd: '.warc.zst' } as const satisfies Record<ArchiveCodec, string>
export const OPEN_SUFFIX = '.open'
export const DISCARDED_SUFFIX = '.gone'
export const CACHE_FOLDER = 'cache'

/** Names sort by time, then by writer. */
export function segmentName(at: number, writer: string, sequence: number, codec: ArchiveCodec): string {
  const time = new Date(at).toISOString().slice(0, 19).replace(/[-:]/g, '')
  return `${time}-${writer}-${String(sequence).padStart(5, '0')}${SUFFIXES[codec]}`
}

/** Null if the name does not follow our scheme. */
export function writerOf(segment: string): string | null {
  return SEGMENT_NAME.exec(segment)?.[1] ?? null
}

export function codecOf(segment: string): ArchiveCodec {
  return segment.endsWith(SUFFIXES.zstd) ? 'zstd' : 'gzip'
}

function isSegment(file: string): boolean {
  return file.endsWith(SUFFIXES.zstd) || file.endsWith(SUFFIXES.gzip)
}

export interface ListedSegment {
  name: string
  isOpen: boolean
}

/** Sorted by name; empty if the folder does not exist. */
export async function listSegments(dir: string): Promise<ListedSegment[]> {
  const segments: ListedSegment[] = []
  for (const file of await listFiles(dir)) {
    const isOpen = file.endsWith(OPEN_SUFFIX)
    const name = isOpen ? file.slice(0, -OPEN_SUFFIX.length) : file
    if (isSegment(name)) segments.push({ name, isOpen })
  }
  return segments.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Segments that are no longer read, but whose files still exist. */
export async function listDiscarded(dir: string): Promise<string[]> {
  const files = (await listFiles(dir)).filter((file) => file.endsWith(DISCARDED_SUFFIX))
  const segments = files.map((file) => file.slice(0, -DISCARDED_SUFFIX.length))
  return segments.filter(isSegment).sort()
}

export async function listFiles(dir: string): Promise<string[]> {
  try {
    return await readdir(dir)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw archiveError(error, dir)
  }
}

/** Opens for reading under its current name; it may be closed or uploaded, and so renamed, between two attempts. */
export async function openSegment(dir: string, name: string): Promise<FileHandle> {
  const path = join(dir, name)
  for (const candidate of [path, path + OPEN_SUFFIX, join(dir, CACHE_FOLDER, name)]) {
    try {
      return await open(candidate, 'r')
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw archiveError(error, candidate)
    }
  }
  try {
    return await open(path, 'r')
  } catch (error) {
    throw archiveError(error, path)
  }
}

/** Makes new names in the folder durable. */
export async function syncFolder(dir: string): Promise<void> {
  const handle = await open(dir, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export type ReadAt = (handle: FileHandle, offset: number, length: number) => Buffer | Promise<Buffer>

/**
 * Blocks the thread. Meant for an indexer, which has nothing else to do: a read through another thread takes 50 to 100
 * us of CPU on a busy machine, this one 5 (2026-11).
 */
export function readAtSync(handle: FileHandle, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let done = 0
  for (let read = -1; done < length && read !== 0; done += read)
    read = readSync(handle.fd, bytes, done, length - done, offset + done)
  return bytes.subarray(0, done)
}

/** Returns fewer bytes only at the end of the file. */
export async function readAt(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let done = 0
  while (done < length) {
    const { bytesRead } = await handle.read(bytes, done, length - done, offset + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return bytes.subarray(0, done)
}

export function archiveError(error: unknown, path: string): AppError {
  if (error instanceof AppError) return error
  if (error instanceof S3Error) return objectError(error)
  const code = errorCode(error)
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new AppError('DISK_FULL', `The disk that holds ${path} is full. Free some space.`, { cause: error })
  }
  const text = error instanceof Error ? error.message : String(error)
  return new AppError('ARCHIVE_BROKEN', `Archive error at ${path}: ${text}`, { cause: error })
}

function objectError(error: S3Error): AppError {
  const text = `The object storage failed: ${error.message}`
  switch (error.failure) {
    case 'missing':
      return new AppError('ARCHIVE_BROKEN', text, { cause: error })
    case 'refused':
      return new AppError('ARCHIVE_STORE_REFUSED', text, { cause: error })
    case 'away':
      return new AppError('ARCHIVE_AWAY', text, { cause: error })
  }
}

/** The segment does not exist: it was deleted, or never existed. */
export function isMissingSegment(error: unknown): boolean {
  if (!(error instanceof AppError)) return false
  return error.cause instanceof S3Error ? error.cause.failure === 'missing' : errorCode(error.cause) === 'ENOENT'
}

/** The record itself is damaged. Failures of the file system or of the storage have a cause. */
export function isDamaged(error: unknown): boolean {
  return error instanceof AppError && error.code === 'ARCHIVE_BROKEN' && error.cause === undefined
}

export function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null
}
