// Segment operations for retention: lists sealed segments, copies live records out of mostly dead ones, and deletes
// files. Copies go to separate segments, so that long-lived records gather there and are not moved again soon. If
// several processes write to a folder, one at a time does this.
//
// With object storage, the sealed segments are those of the bucket, whichever process wrote them. Then several
// processes may do this on different machines: a record that both copy moves once, and deleting an object twice is no
// error.

import { rename, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../lib/clock.ts'
import type { FileLock } from '../lib/file-lock.ts'
import { PRIVATE_FILE } from '../lib/private-files.ts'
import type { ArchiveCodec, Position } from '../ports/archive.ts'
import type { ArchiveSegments, SealedSegment } from '../ports/retention.ts'
import { openArchiveWriter, type SegmentWriter, type WriterSettings } from './archive-writer.ts'
import type { ListedSegmentObject, SegmentObjects } from './objects/segment-objects.ts'
import type { SegmentUploader } from './objects/segment-uploader.ts'
import {
  archiveError,
  CACHE_FOLDER,
  codecOf,
  DISCARDED_SUFFIX,
  errorCode,
  isMissingSegment,
  listDiscarded,
  listSegments,
  writerOf,
} from './segment-files.ts'
import { openSource } from './segment-source.ts'
import { unpackMembers } from './warc/unpack-member.ts'
import { isWriterAlive, tryRetentionLock } from './writer-locks.ts'

const COPY_WRITER = 'copy'

/** The segments are in object storage. */
export interface UploadedSegments {
  objects: SegmentObjects
  uploader: Pick<SegmentUploader, 'whenUploaded'>
}

export interface OpenedCompaction extends ArchiveSegments {
  close(): Promise<void>
}

export function openCompaction(
  dir: string,
  settings: WriterSettings,
  { clock, uploaded = null }: { clock: Clock; uploaded?: UploadedSegments | null },
): OpenedCompaction {
  const objects = uploaded?.objects ?? null
  /** The bucket as it was listed under the lock: listing takes a request per thousand segments. */
  let listed: Map<string, ListedSegmentObject> | null = null
  /** Time at which each segment was first seen closed. */
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

  const isSealed = (segment: string, graceMs: number): boolean => {
    const name = writerOf(segment)
    if (name === null) return false
    if (isDead(name)) return true
    const since = closedAt.get(segment) ?? clock.now()
    closedAt.set(segment, since)
    return clock.now() - since >= graceMs
  }

  return {
    async tryLock() {
      lock ??= tryRetentionLock(dir)
      return lock !== null
    },
    async unlock() {
      lock?.release()
      lock = null
      listed = null
    },
    async listSealed(graceMs) {
      if (objects !== null) {
        listed ??= new Map((await Array.fromAsync(objects.list())).map((object) => [object.segment, object]))
        return [...listed.values()].filter(({ uploadedAt }) => clock.now() - uploadedAt >= graceMs)
      }
      const sealed: SealedSegment[] = []
      for (const { name, isOpen } of await listSegments(dir)) {
        if (!isOpen && isSealed(name, graceMs)) sealed.push({ segment: name, bytes: await sizeOf(join(dir, name)) })
      }
      return sealed
    },
    async prepareCopy(records) {
      const members = await readMembers(dir, records, objects)
      if (members === null) return { kind: 'damaged' }
      const length = members.reduce((sum, member) => sum + member.length, 0)
      return { kind: 'ready', segment: await (await openCopyWriter()).segmentFor(length, codecOfAll(records)) }
    },
    async copy(records) {
      const members = await readMembers(dir, records, objects)
      if (members === null) return []
      const copyWriter = await openCopyWriter()
      const positions = await copyWriter.appendMembers(members, codecOfAll(records))
      if (uploaded !== null) {
        await copyWriter.seal(0)
        for (const segment of new Set(positions.map(({ segment: name }) => name)))
          await uploaded.uploader.whenUploaded(segment)
      }
      return positions
    },
    listDiscarded: () => listDiscarded(dir),
    async discard(segment) {
      const path = join(dir, segment)
      try {
        // The object is deleted last, so an empty file remembers it until then.
        if (objects !== null) await writeFile(path + DISCARDED_SUFFIX, '', { mode: PRIVATE_FILE })
        else await rename(path, path + DISCARDED_SUFFIX)
        closedAt.delete(segment)
      } catch (error) {
        throw archiveError(error, path)
      }
    },
    async remove(segment) {
      const path = join(dir, segment) + DISCARDED_SUFFIX
      try {
        const { size } = await stat(path)
        const objectSize = objects === null ? 0 : await removeObject(dir, segment, objects)
        listed?.delete(segment)
        await unlink(path)
        return size + objectSize
      } catch (error) {
        // A process that was killed has already deleted it.
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

/** Returns the size of the removed object; 0 if it is gone already. */
async function removeObject(dir: string, segment: string, objects: SegmentObjects): Promise<number> {
  const size = (await objects.sizeOf(segment)) ?? 0
  await objects.delete(segment)
  await rm(join(dir, CACHE_FOLDER, segment), { force: true })
  return size
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    throw archiveError(error, path)
  }
}

/** Records of one segment. */
function codecOfAll(records: Position[]): ArchiveCodec {
  return codecOf(records[0]?.segment ?? '')
}

/** Members of one segment, unchanged; null if one is damaged. */
async function readMembers(dir: string, records: Position[], objects: SegmentObjects | null): Promise<Buffer[] | null> {
  const segment = records[0]?.segment ?? ''
  const members: Buffer[] = []
  try {
    const source = await openSource(dir, segment, objects)
    try {
      for (const { offset, length } of records) {
        const member = await source.read(offset, length)
        if (member.length !== length || unpackMembers(member) === null) return null
        members.push(member)
      }
    } finally {
      await source.close()
    }
    return members
  } catch (error) {
    if (isMissingSegment(error)) return null
    throw archiveError(error, segment)
  }
}
