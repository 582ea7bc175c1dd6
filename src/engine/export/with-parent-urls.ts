// Adds to each row the URL of the page that it was discovered on.

import type { Urls } from '../../ports/urls.ts'
import type { ExportRow } from './columns.ts'

export interface RowWithParent extends ExportRow {
  parentUrl: string | null
}

const AT_ONCE = 500
/** Most rows share a few parents. */
const MAX_KNOWN = 50_000

export async function* withParentUrls(
  rows: AsyncIterable<ExportRow>,
  crawlId: string,
  urls: Pick<Urls, 'urlsOf'>,
): AsyncGenerator<RowWithParent, void, undefined> {
  const known = new Map<number, string>()
  let batch: ExportRow[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < AT_ONCE) continue
    yield* await addParents(batch)
    batch = []
  }
  yield* await addParents(batch)

  async function addParents(batch: ExportRow[]): Promise<RowWithParent[]> {
    if (known.size > MAX_KNOWN) known.clear()
    const parents = new Set(batch.flatMap(({ discoveredFrom }) => discoveredFrom ?? []))
    const missing = [...parents].filter((id) => !known.has(id))
    if (missing.length > 0) for (const [id, url] of await urls.urlsOf(crawlId, missing)) known.set(id, url)
    return batch.map((row) => {
      const { discoveredFrom } = row
      return { ...row, parentUrl: discoveredFrom === null ? null : (known.get(discoveredFrom) ?? null) }
    })
  }
}
