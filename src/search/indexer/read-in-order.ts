// Reads pages from the archive a few at a time and yields them in order.

import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { PageVersion } from '../../ports/pages.ts'

/** A larger number would hold more pages in memory without reading faster. */
const AT_ONCE = 16
/** Total size of pages read at once, as transferred: a compressed page takes several times as much memory. */
const MAX_BYTES = 2 << 20

export interface ReadInOrder<P, R> {
  versionOf: (page: P) => PageVersion
  read: (page: P) => Promise<R>
  /** If true, the generator ends early. */
  isStopped: () => boolean
}

export async function* readInOrder<P, R>(
  pages: readonly P[],
  { versionOf, read, isStopped }: ReadInOrder<P, R>,
): AsyncGenerator<{ page: P; result: R }> {
  for (let start = 0; start < pages.length; ) {
    const chunk = firstPages(pages, start, versionOf)
    const results = await Promise.all(chunk.map(read))
    for (const [i, page] of chunk.entries()) {
      // A document of one megabyte takes a good part of a second, so the loop yields and checks for a stop before each.
      await yieldToEventLoop()
      if (isStopped()) return
      yield { page, result: results[i] as R }
      // Frees the page before the rest of the chunk is processed.
      delete results[i]
    }
    start += chunk.length
  }
}

function firstPages<P>(pages: readonly P[], start: number, versionOf: (page: P) => PageVersion): P[] {
  let bytes = 0
  let end = start
  while (end < pages.length && end - start < AT_ONCE && bytes < MAX_BYTES) {
    const page = pages[end++] as P
    const { contentLength, wireBytes } = versionOf(page)
    bytes += contentLength ?? wireBytes
  }
  return pages.slice(start, end)
}
