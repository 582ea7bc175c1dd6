// Moves the segments of read-only buckets to the others. Each is copied, checked and only then deleted, so it can be read
// at every moment, and a drain that was interrupted can be run again.

import { open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../lib/errors.ts'
import { makePrivateFolder, PRIVATE_FILE } from '../../lib/private-files.ts'
import { archiveError } from '../segment-files.ts'
import type { ListedSegmentObject, SegmentObjects } from './segment-objects.ts'
import { type Bucket, SeveralBuckets } from './several-buckets.ts'

export interface DrainedSegment {
  segment: string
  bytes: number
}

const READ_BYTES = 8 * 1024 * 1024

/** `folder` holds one segment at a time. */
export async function* drainBuckets(buckets: readonly Bucket[], folder: string): AsyncGenerator<DrainedSegment> {
  const target = new SeveralBuckets(buckets.filter(({ isReadOnly }) => !isReadOnly))
  makePrivateFolder(folder)
  for (const { objects: source } of buckets.filter(({ isReadOnly }) => isReadOnly))
    for await (const object of source.list()) {
      await moveSegment(object, { source, target, path: join(folder, `${object.segment}.moving`) })
      yield { segment: object.segment, bytes: object.bytes }
    }
}

interface Move {
  source: SegmentObjects
  target: SegmentObjects
  path: string
}

async function moveSegment({ segment, bytes }: ListedSegmentObject, { source, target, path }: Move): Promise<void> {
  if ((await target.sizeOf(segment)) !== bytes) {
    try {
      await download({ segment, bytes }, source, path)
      await target.put(segment, path)
    } finally {
      await unlink(path).catch(() => undefined)
    }
    if ((await target.sizeOf(segment)) !== bytes)
      throw new AppError(
        'ARCHIVE_BROKEN',
        `The copy of ${segment} in ${target.name} is incomplete. Run the command again.`,
      )
    // Retention has deleted it meanwhile.
    if ((await source.sizeOf(segment)) === null) await target.delete(segment)
  }
  await source.delete(segment)
}

async function download({ segment, bytes }: DrainedSegment, source: SegmentObjects, path: string): Promise<void> {
  const file = await open(path, 'w', PRIVATE_FILE)
  try {
    for (let offset = 0; offset < bytes; ) {
      const chunk = await source.read(segment, offset, Math.min(READ_BYTES, bytes - offset))
      if (chunk.length === 0)
        throw new AppError('ARCHIVE_BROKEN', `${segment} is shorter than ${source.name} lists it.`)
      await file.write(chunk)
      offset += chunk.length
    }
  } catch (error) {
    throw archiveError(error, path)
  } finally {
    await file.close()
  }
}
