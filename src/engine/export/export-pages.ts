// Exports the pages of a crawl for other programs: as WARC records, or as one JSON record per line. Unreadable pages are skipped and
// reported, so that one damaged record does not cost the others.

import { asAppError } from '../../lib/errors.ts'
import type { ArchiveReader, ExportableResponse, Position } from '../../ports/archive.ts'
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

/** A response with the records that belong to it. */
export interface ExportedRecord extends ExportableResponse {
  version: PageVersion
  /** Whether it is the record of the version, or only contains its payload. */
  which: 'record' | 'payload'
}

/**
 * Records of the archive as gzip members, which every tool reads. A record that refers to a payload of another crawl
 * includes that.
 */
export async function* toWarc(
  pages: AsyncIterable<PageVersion>,
  dependencies: WarcExportDependencies,
): AsyncGenerator<Buffer> {
  const { archive, crawl } = dependencies
  yield archive.makeWarcinfoRecord(`${crawl.id}.warc.gz`, crawl.createdAt)
  for await (const { members } of readRecords(pages, dependencies)) yield* members
}

/** Every record once, a payload before the records that refer to it. */
export async function* readRecords(
  pages: AsyncIterable<PageVersion>,
  { pages: lookup, archive, onDamaged }: WarcExportDependencies,
): AsyncGenerator<ExportedRecord> {
  const seen = new SeenPositions()
  for await (const version of pages) {
    for (const which of ['payload', 'record'] as const) {
      const position = version[which]
      if (position === null) {
        if (version.isArchived) onDamaged(`${version.url}: the store no longer knows where its ${which} is.`)
        continue
      }
      if (!seen.add(position)) continue
      const read = await skipIfDamaged(version.url, onDamaged, () =>
        retryIfMoved(version, lookup, (current) => archive.readForExport(current[which] ?? position)),
      )
      // The first of them is the payload if it is both.
      const isOwn = version.record?.offset === position.offset && version.record.segment === position.segment
      if (read !== null) yield { version, which: isOwn ? 'record' : which, ...read }
    }
  }
}

export async function* toPageRecords(
  pages: AsyncIterable<PageVersion>,
  { readPage, onDamaged }: { readPage: PageReader; onDamaged: OnDamaged },
): AsyncGenerator<string> {
  for await (const version of pages) {
    if (!version.isArchived || version.isRequisite) continue
    const page = await skipIfDamaged(version.url, onDamaged, () => readPage(version))
    if (page !== null) yield jsonLine(toPageRecord(page))
  }
}

export async function skipIfDamaged<T>(url: string, onDamaged: OnDamaged, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    const { code, message } = asAppError(error)
    // The page expired while others were written.
    if (code === 'PAGE_NOT_FOUND') return null
    if (code !== 'ARCHIVE_BROKEN') throw error
    onDamaged(`${url}: ${message}`)
    return null
  }
}

/** Positions by segment number, since a number takes a third of the memory of a string. */
class SeenPositions {
  readonly #offsets = new Map<string, Set<number>>()

  /** False if it was added before. */
  add({ segment, offset }: Position): boolean {
    const offsets = this.#offsets.get(segment) ?? new Set()
    this.#offsets.set(segment, offsets)
    return offsets.size < offsets.add(offset).size
  }
}
