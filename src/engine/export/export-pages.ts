// Exports the pages of a crawl for other programs: WARC, or one JSON record per line. Unreadable pages are skipped and
// reported, so that one damaged record does not cost the others.

import { asAppError } from '../../lib/errors.ts'
import type { ArchiveReader, Position } from '../../ports/archive.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { Pages, PageVersion } from '../../ports/pages.ts'
import { toPageRecord } from '../pages/page-record.ts'
import type { PageReader } from '../pages/read-archived-page.ts'
import { retryIfMoved } from '../pages/retry-if-moved.ts'
import { jsonLine } from './jsonl.ts'

type OnDamaged = (what: string) => void

export interface WarcExportDependencies {
  pages: Pick<Pages, 'find'>
  archive: ArchiveReader
  crawl: Crawl
  onDamaged: OnDamaged
}

/**
 * Records as they are in the archive, each in one piece. A record that refers to a payload of another crawl includes
 * that.
 */
export async function* toWarc(
  pages: AsyncIterable<PageVersion>,
  dependencies: WarcExportDependencies,
): AsyncGenerator<Buffer> {
  const { archive, crawl, onDamaged } = dependencies
  const written = new Set<string>()
  yield archive.makeWarcinfoRecord(`${crawl.id}.warc.gz`, crawl.createdAt)
  for await (const version of pages) {
    for (const which of ['payload', 'record'] as const) {
      const position = version[which]
      if (position === null) {
        if (version.isArchived) onDamaged(`${version.url}: the store no longer knows where its ${which} is.`)
        continue
      }
      if (written.has(keyOf(position))) continue
      written.add(keyOf(position))
      const records = await skipIfDamaged(version.url, onDamaged, () =>
        retryIfMoved(version, dependencies.pages, (current) => readIntactRecords(current[which] ?? position, archive)),
      )
      if (records !== null) yield* records
    }
  }
}

export async function* toPageRecords(
  pages: AsyncIterable<PageVersion>,
  { readPage, onDamaged }: { readPage: PageReader; onDamaged: OnDamaged },
): AsyncGenerator<string> {
  for await (const version of pages) {
    if (!version.isArchived) continue
    const page = await skipIfDamaged(version.url, onDamaged, () => readPage(version))
    if (page !== null) yield jsonLine(toPageRecord(page))
  }
}

/** Read first to verify its digest: raw bytes do not show damage. */
async function readIntactRecords(position: Position, archive: ArchiveReader): Promise<Buffer[]> {
  const { requestLength } = await archive.read(position)
  const bytes = await archive.readRaw(position)
  const end = bytes.length - requestLength
  return requestLength === 0 ? [bytes] : [bytes.subarray(0, end), bytes.subarray(end)]
}

async function skipIfDamaged<T>(url: string, onDamaged: OnDamaged, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    const { code, message } = asAppError(error)
    // It expired while others were written.
    if (code === 'PAGE_NOT_FOUND') return null
    if (code !== 'ARCHIVE_BROKEN') throw error
    onDamaged(`${url}: ${message}`)
    return null
  }
}

function keyOf({ segment, offset }: Position): string {
  return `${segment}:${offset}`
}
