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
  const { read: readIntact } = createArchiveReader({ readRaw: readObject, close: async () => undefined })
  return {
    ...reader,
    async read(position) {
      try {
        return await reader.read(position)
      } catch (error) {
        if (!isDamaged(error)) throw error
        // A cached copy may be damaged while the object is intact. If that fails too, the first error says more.
        return readIntact(position).catch(() => {
          throw error
        })
      }
    },
  }
}
