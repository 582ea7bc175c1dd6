// Recovers segments that a dead process left open: truncates a torn tail and closes the segment. Skips segments of
// live processes, and segments that another process is recovering.

import { open, rename, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { OrphanedSegment } from '../ports/pages.ts'
import { scanMembers } from './scan-members.ts'
import { archiveError, errorCode, listSegments, OPEN_SUFFIX, writerOf } from './segment-files.ts'
import { fileSource } from './segment-source.ts'
import { listWriters, lockDeadWriter } from './writer-locks.ts'

export interface RecoveredSegment {
  segment: string
  /** Length in bytes, whole records only; 0 if the segment was deleted. */
  length: number
  cutBytes: number
}

/** All open segments with their current lengths; some may belong to live processes. */
export async function listOpenSegments(dir: string): Promise<OrphanedSegment[]> {
  const openSegments: OrphanedSegment[] = []
  for (const { name, isOpen } of await listSegments(dir)) {
    if (!isOpen) continue
    try {
      openSegments.push({ segment: name, bytes: (await stat(join(dir, name + OPEN_SUFFIX))).size })
    } catch (error) {
      // Closed since it was listed.
      if (errorCode(error) !== 'ENOENT') throw archiveError(error, name)
    }
  }
  return openSegments
}

/**
 * `goodOffsetOf` returns the end of the last record the store refers to, or 0. The part before it is neither read nor
 * truncated, because there may be good records after a damaged one.
 */
export async function recoverSegments(
  dir: string,
  goodOffsetOf: (segment: string) => number,
): Promise<RecoveredSegment[]> {
  const recovered: RecoveredSegment[] = []
  for (const writer of await listWriters(dir)) {
    const lock = lockDeadWriter(dir, writer)
    if (lock === null) continue
    try {
      // Listed under the lock, because another process may have just recovered them.
      for (const segment of await listLeftOpen(dir, writer)) {
        recovered.push({ segment, ...(await close(join(dir, segment), goodOffsetOf(segment))) })
      }
    } catch (error) {
      lock.release()
      throw error
    }
    lock.remove()
  }
  return recovered
}

async function listLeftOpen(dir: string, writer: string): Promise<string[]> {
  const segments = (await listSegments(dir)).filter(({ name, isOpen }) => isOpen && writerOf(name) === writer)
  return segments.map(({ name }) => name)
}

async function close(path: string, goodOffset: number): Promise<Omit<RecoveredSegment, 'segment'>> {
  try {
    const { length, cutBytes } = await truncateTail(path + OPEN_SUFFIX, goodOffset)
    if (length === 0) await unlink(path + OPEN_SUFFIX)
    else await rename(path + OPEN_SUFFIX, path)
    return { length, cutBytes }
  } catch (error) {
    throw archiveError(error, path + OPEN_SUFFIX)
  }
}

async function truncateTail(path: string, goodOffset: number): Promise<{ length: number; cutBytes: number }> {
  const handle = await open(path, 'r+')
  try {
    const { size } = await handle.stat()
    let length = Math.min(goodOffset, size)
    for await (const member of scanMembers(await fileSource(handle), length)) {
      if (member.data !== null) length = member.offset + member.length
    }
    if (length < size) {
      await handle.truncate(length)
      // Synced before the rename: a closed segment has no torn tail, not even after a power failure.
      await handle.datasync()
    }
    return { length, cutBytes: size - length }
  } finally {
    await handle.close()
  }
}
