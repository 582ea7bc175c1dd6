// Segment operations for retention: lists sealed segments, copies live records out of mostly dead ones, and deletes
// files. Copies go to separate segments, so that long-lived records gather there and are not moved again soon. Of
// several processes that write to a folder, one at a time does this.

import { rename, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../lib/clock.ts'
import type { FileLock } from '../lib/file-lock.ts'
import type { Position } from '../ports/archive.ts'
import type { ArchiveSegments, SealedSegment } from '../ports/retention.ts'
import { openArchiveWriter, type SegmentWriter, type WriterSettings } from './archive-writer.ts'
import {
  archiveError,
  DISCARDED_SUFFIX,
  errorCode,
  isMissingSegment,
  listDiscarded,
  listSegments,
  openSegment,
  readAt,
  writerOf,
} from './segment-files.ts'
import { unpackMembers } from './warc/gzip-member.ts'
import { isWriterAlive, tryRetentionLock } from './writer-locks.ts'

const COPY_WRITER = 'copy'

export interface CompactionSettings extends WriterSettings {
  /** A segment counts as sealed this long after it was closed: until then a visit report may refer to it. */
  quietMs: number
}

export interface OpenedCompaction extends ArchiveSegments {
  close(): Promise<void>
}

export function openCompaction(dir: string, settings: CompactionSettings, clock: Clock): OpenedCompaction {
  /** When each segment was first seen closed. */
  const closedAt = new Map<string, number>()
  const deadWriters = new Set<string>()
  let writer: Promise<SegmentWriter> | null = null
  let lock: FileLock | null = null
  // Always durable, whatever the setting for new responses: the other copy will be deleted.
  const copySettings = { ...settings, isDurable: true, writer: COPY_WRITER + settings.writer }
  const openCopyWriter = () => {
    writer ??= openArchiveWriter(dir, copySettings, clock)
    return writer
  }

  /** A dead process sends no more reports. */
  const isDead = (name: string): boolean => {
    if (!deadWriters.has(name) && !isWriterAlive(dir, name)) deadWriters.add(name)
    return deadWriters.has(name)
  }

  const isSealed = (segment: string): boolean => {
    const name = writerOf(segment)
    if (name === null) return false
    if (isDead(name)) return true
    const since = closedAt.get(segment) ?? clock.now()
    closedAt.set(segment, since)
    return clock.now() - since >= settings.quietMs
  }

  return {
    async tryLock() {
      lock ??= tryRetentionLock(dir)
      return lock !== null
    },
    async unlock() {
      lock?.release()
      lock = null
    },
    async listSealed() {
      const sealed: SealedSegment[] = []
      for (const { name, isOpen } of await listSegments(dir)) {
        if (!isOpen && isSealed(name)) sealed.push({ segment: name, bytes: await sizeOf(join(dir, name)) })
      }
      return sealed
    },
    async prepareCopy(records) {
      const members = await readMembers(dir, records)
      if (members === null) return { kind: 'damaged' }
      return { kind: 'ready', segment: await (await openCopyWriter()).segmentFor(Buffer.concat(members).length) }
    },
    async copy(records) {
      const members = await readMembers(dir, records)
      return members === null ? [] : (await openCopyWriter()).appendMembers(members)
    },
    listDiscarded: () => listDiscarded(dir),
    async discard(segment) {
      const path = join(dir, segment)
      try {
        await rename(path, path + DISCARDED_SUFFIX)
        closedAt.delete(segment)
      } catch (error) {
        throw archiveError(error, path)
      }
    },
    async remove(segment) {
      const path = join(dir, segment) + DISCARDED_SUFFIX
      try {
        const { size } = await stat(path)
        await unlink(path)
        return size
      } catch (error) {
        // Already deleted by a process that was killed.
        if (errorCode(error) === 'ENOENT') return 0
        throw archiveError(error, path)
      }
    },
    async close() {
      lock?.release()
      lock = null
      await (await writer)?.close()
    },
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    throw archiveError(error, path)
  }
}

/** Members of one segment, unchanged; null if one is damaged. */
async function readMembers(dir: string, records: Position[]): Promise<Buffer[] | null> {
  const segment = records[0]?.segment ?? ''
  const members: Buffer[] = []
  try {
    const handle = await openSegment(dir, segment)
    try {
      for (const { offset, length } of records) {
        const member = await readAt(handle, offset, length)
        if (member.length !== length || unpackMembers(member) === null) return null
        members.push(member)
      }
    } finally {
      await handle.close()
    }
    return members
  } catch (error) {
    if (isMissingSegment(error)) return null
    throw archiveError(error, segment)
  }
}
