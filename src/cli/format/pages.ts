// The pages of a crawl as files for other programs: WARC, or one record a line.

import { type ReadingParts, readPage } from '../../engine/pages/read.ts'
import { toRecord } from '../../engine/pages/record.ts'
import type { ArchiveReader, Position } from '../../ports/archive.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { PageVersion } from '../../ports/pages.ts'
import { jsonLine } from './jsonl.ts'

/** Records as they lie in the archive. One that refers to a payload of another crawl brings that along. */
export async function* toWarc(
  pages: AsyncIterable<PageVersion>,
  archive: ArchiveReader,
  crawl: Crawl,
): AsyncGenerator<Buffer> {
  const written = new Set<string>()
  yield archive.opening(`${crawl.id}.warc.gz`, crawl.createdAt)
  for await (const { payload, record } of pages) {
    for (const position of [payload, record]) {
      if (position === null || written.has(keyOf(position))) continue
      written.add(keyOf(position))
      yield await archive.raw(position)
    }
  }
}

export async function* toPageRecords(pages: AsyncIterable<PageVersion>, parts: ReadingParts): AsyncGenerator<string> {
  for await (const version of pages) {
    if (version.record !== null) yield jsonLine(toRecord(await readPage(version, parts)))
  }
}

function keyOf({ segment, offset }: Position): string {
  return `${segment}:${offset}`
}
