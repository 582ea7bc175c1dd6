// Compaction moves records out of mostly dead segments. A reader with an outdated position looks it up again.

import { AppError, type ErrorCode } from '../../lib/errors.ts'
import type { Position } from '../../ports/archive.ts'
import type { Pages, PageVersion } from '../../ports/pages.ts'

const MAY_HAVE_MOVED: ErrorCode[] = ['ARCHIVE_BROKEN', 'ARCHIVE_AWAY']

/** Reads at the positions in the version, or at its current ones. */
export async function retryIfMoved<T>(
  version: PageVersion,
  pages: Pick<Pages, 'find'>,
  read: (version: PageVersion) => Promise<T>,
): Promise<T> {
  for (let current = version; ; ) {
    try {
      return await read(current)
    } catch (error) {
      if (!(error instanceof AppError) || !MAY_HAVE_MOVED.includes(error.code)) throw error
      const now = await pages.find(version.id)
      if (now === null) throw expiredError(version)
      if (hasSamePositions(now, current)) throw error
      current = now
    }
  }
}

type RecordPositions = Pick<PageVersion, 'record' | 'payload'>

export function hasSamePositions(one: RecordPositions, other: RecordPositions): boolean {
  return isSame(one.record, other.record) && isSame(one.payload, other.payload)
}

function expiredError({ url, visitedAt }: PageVersion): AppError {
  const time = new Date(visitedAt).toISOString()
  return new AppError('PAGE_NOT_FOUND', `The version of ${url} from ${time} has expired and is no longer archived.`)
}

function isSame(a: Position | null, b: Position | null): boolean {
  return a?.segment === b?.segment && a?.offset === b?.offset
}
