// Exports of a crawl, as streams of chunks.

import { tmpdir } from 'node:os'
import type { ReadSession } from '../cli/io.ts'
import type { ExportFormat } from '../config/values/export-formats.ts'
import { readArchivedPage } from '../engine/pages/read-archived-page.ts'
import { systemClock } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'
import type { SearchIndex } from '../ports/search.ts'

/** Throws ARCHIVE_BROKEN after the last chunk if damaged records were left out. */
export async function* exportCrawl(
  crawlId: string,
  format: ExportFormat,
  session: ReadSession,
  openIndex: () => Promise<SearchIndex | null>,
): AsyncGenerator<Buffer> {
  const { streamExport } = await import('../engine/export/stream-export.ts')
  const crawl = await session.crawls.find(crawlId)
  let damaged = 0
  const chunks = streamExport(format, {
    ...session,
    crawl,
    rows: session.urls.rows(crawl.id),
    search: await openIndex(),
    readPage: (version) => readArchivedPage(version, session),
    onDamaged() {
      damaged += 1
    },
    scratchFolder: tmpdir(),
    now: systemClock.now,
  })
  for await (const chunk of chunks) yield Buffer.from(chunk)
  if (damaged > 0)
    throw new AppError('ARCHIVE_BROKEN', `The export is complete except for damaged records: ${damaged}.`)
}
