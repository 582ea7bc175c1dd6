// Wraps a reader and reports damaged records, once each. Missing ones are not reported: a folder may be elsewhere for a
// while.

import { AppError, asAppError } from '../lib/errors.ts'
import type { ArchiveReader, Position } from '../ports/archive.ts'
import { isDamaged } from './segment-files.ts'

/** Bounds the set of reported records, for a large archive on a dying disk. */
const MAX_REPORTED = 10_000

export function withDamageReports(reader: ArchiveReader, report: (damaged: Position) => Promise<void>): ArchiveReader {
  const reported = new Set<string>()

  async function orReport<T>(position: Position, reading: Promise<T>): Promise<T> {
    try {
      return await reading
    } catch (error) {
      const key = `${position.segment} ${position.offset}`
      if (!isDamaged(error) || reported.has(key)) throw error
      await report(position).catch((problem: unknown) => {
        const { message } = asAppError(error)
        throw new AppError('ARCHIVE_BROKEN', `${message} Reporting the damage failed: ${asAppError(problem).message}`)
      })
      if (reported.size >= MAX_REPORTED) reported.clear()
      reported.add(key)
      throw error
    }
  }

  return {
    ...reader,
    read: (position) => orReport(position, reader.read(position)),
    readForExport: (position) => orReport(position, reader.readForExport(position)),
  }
}
