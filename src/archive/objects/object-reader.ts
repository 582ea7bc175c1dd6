// Reads records from the folder or from object storage. A file comes first: it may not be uploaded yet, and is faster.

import type { Clock } from '../../lib/clock.ts'
import type { ArchiveReader, Position } from '../../ports/archive.ts'
import { createArchiveReader } from '../archive-reader.ts'
import { isDamaged, isMissingSegment } from '../segment-files.ts'
import { ReadAhead } from './read-ahead.ts'
import type { SegmentObjects } from './segment-objects.ts'

/** How long a missing object is cached: the segment may be open in another process. */
const REMEMBER_MS = 1_000
const MAX_REMEMBERED = 10_000

export interface ObjectReaderDependencies {
  local: ArchiveReader
  objects: SegmentObjects
  clock: Clock
}

export function openObjectReader({ local, objects, clock }: ObjectReaderDependencies): ArchiveReader {
  const missing = new Map<string, { error: unknown; until: number }>()
  const readAhead = new ReadAhead(objects)
  const readObject = async (position: Position) => {
    const { segment } = position
    const known = missing.get(segment)
    if (known !== undefined && known.until > clock.now()) throw known.error
    try {
      return await readAhead.read(position)
    } catch (error) {
      if (missing.size >= MAX_REMEMBERED) missing.clear()
      if (isMissingSegment(error)) missing.set(segment, { error, until: clock.now() + REMEMBER_MS })
      throw error
    }
  }
  const readRaw = async (position: Position) => {
    try {
      return await local.readRaw(position)
    } catch (error) {
      if (!isMissingSegment(error)) throw error
      return readObject(position)
    }
  }
  const reader = createArchiveReader({
    readRaw,
    async close() {
      objects.close()
      await local.close()
    },
  })
  const uncached = createArchiveReader({ readRaw: readObject, close: async () => undefined })
  return {
    ...reader,
    read: (position) => retryUncached((from) => from.read(position)),
    readForExport: (position) => retryUncached((from) => from.readForExport(position)),
  }

  /** A cached copy may be damaged while the object is intact, or cannot be reached to find out. */
  async function retryUncached<T>(readFrom: (from: ArchiveReader) => Promise<T>): Promise<T> {
    try {
      return await readFrom(reader)
    } catch (error) {
      if (!isDamaged(error)) throw error
      return readFrom(uncached).catch((second: unknown) => {
        throw isMissingSegment(second) ? error : second
      })
    }
  }
}
