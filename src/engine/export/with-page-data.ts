// Adds to each row what was extracted from the newest version of its page.

import type { CrawlSettings } from '../../ports/crawls.ts'
import type { PageData, Pages } from '../../ports/pages.ts'
import type { ExportRow } from './columns.ts'

const AT_ONCE = 200

export type DataSource = Pick<Pages, 'dataOfUrls'>

/** Whether rows of the crawl have data. */
export function hasPageData({ extract, structuredData }: Pick<CrawlSettings, 'extract' | 'structuredData'>): boolean {
  return extract.length > 0 || structuredData
}

export async function* withPageData(
  rows: AsyncIterable<ExportRow>,
  crawlId: string,
  pages: DataSource,
): AsyncGenerator<ExportRow & { data: PageData | null }, void, undefined> {
  let batch: ExportRow[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < AT_ONCE) continue
    yield* await addData(batch)
    batch = []
  }
  yield* await addData(batch)

  async function addData(batch: ExportRow[]) {
    const data = await pages.dataOfUrls(crawlId, batch)
    return batch.map((row) => ({ ...row, data: data.get(row.id) ?? null }))
  }
}
