// Pages that wait to be indexed: their number, and how many fit into one batch.

import type { Pages, PageToIndex } from '../../../ports/pages.ts'

/** The first pages that fit into the limit together, at least one. */
export function limitBatchBytes(pages: PageToIndex[], maxBytes: number): PageToIndex[] {
  let bytes = 0
  const end = pages.findIndex(({ version }, i) => {
    bytes += version.contentLength ?? version.wireBytes
    return i > 0 && bytes > maxBytes
  })
  return end === -1 ? pages : pages.slice(0, end)
}

/** Page ids ascend without gaps except for deleted pages, so the difference is roughly the number of waiting pages. */
export async function readLag(
  position: number,
  pages: Pick<Pages, 'listAfter' | 'newestId'>,
  now: number,
): Promise<{ waiting: number; lagMs: number }> {
  const waiting = (await pages.newestId()) - position
  if (waiting <= 0) return { waiting: 0, lagMs: 0 }
  const [first] = await pages.listAfter(position, 1)
  return { waiting, lagMs: first === undefined ? 0 : Math.max(0, now - first.version.visitedAt) }
}
