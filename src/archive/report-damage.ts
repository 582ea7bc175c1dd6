// A reader that tells of records whose bytes are there and wrong, once each. What is missing is not told of: a folder
// may be elsewhere for a while.

import { AppError, asAppError } from '../lib/errors.ts'
import type { ArchiveReader, Position } from '../ports/archive.ts'

/** Of a large archive that lies on a dying disk, so many are remembered as told. */
const MAX_REPORTED = 10_000

export function withDamageReports(reader: ArchiveReader, tell: (damaged: Position) => Promise<void>): ArchiveReader {
  const told = new Set<string>()
  return {
    ...reader,
    async read(position) {
      try {
        return await reader.read(position)
      } catch (error) {
        const key = `${position.segment} ${position.offset}`
        if (!isDamage(error) || told.has(key)) throw error
        await tell(position).catch((problem: unknown) => {
          const { message } = asAppError(error)
          throw new AppError('ARCHIVE_BROKEN', `${message} The store could not be told: ${asAppError(problem).message}`)
        })
        if (told.size >= MAX_REPORTED) told.clear()
        told.add(key)
        throw error
      }
    },
  }
}

/** What failed in the file system has a cause. */
function isDamage(error: unknown): boolean {
  return error instanceof AppError && error.code === 'ARCHIVE_BROKEN' && error.cause === undefined
}
