// Adds to each row the data extracted from the newest version of its page: by rules, as structured data, and by hooks
// of the program that ran the crawl. Hooks are not stored as a setting, so only the stored data shows whether there
// were any.

import type { CrawlSettings } from '../../ports/crawls.ts'
import type { PageData, Pages } from '../../ports/pages.ts'
import type { ExportRow } from './columns.ts'

const AT_ONCE = 200

export type DataSource = Pick<Pages, 'dataOfUrls'>
type DataOwner = { id: string; settings: Pick<CrawlSettings, 'extract' | 'structuredData'> }

/** Whether rows of the crawl have data. */
export async function hasPageData(
  { id, settings: { extract, structuredData } }: DataOwner,
  pages: Pick<Pages, 'dataOfCrawl'>,
): Promise<boolean> {
  if (extract.length > 0 || structuredData) return true
  for await (const _ of pages.dataOfCrawl(id)) return true
  return false
}

/** The names of all fields, fields with rules first. */
export async function listFieldNames(
  { id, settings: { extract } }: DataOwner,
  pages: Pick<Pages, 'dataOfCrawl'>,
): Promise<string[]> {
  const names = new Set(extract.map(({ name }) => name))
  for await (const { fields } of pages.dataOfCrawl(id)) for (const name of Object.keys(fields ?? {})) names.add(name)
  return [...names]
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
