// Rows for tests: one to vary, or any number of them.

import type { Edge, UrlRow } from '../../../ports/urls.ts'

export function sampleRow(changes: Partial<UrlRow> = {}): UrlRow {
  return {
    id: 7,
    url: 'https://example.com/a?b=c&d=e',
    state: 'visited',
    reason: null,
    depth: 2,
    priority: 5,
    httpStatus: 200,
    contentType: 'text/html',
    contentLength: 10_240,
    contentHash: '9f86d081884c7d659a2feaa0c55ad015',
    title: 'An example',
    discoveredFrom: 1,
    redirectTo: null,
    attempts: 1,
    fetchMs: 34,
    processingMs: 2,
    visitedBy: 'w1-0',
    ip: '192.0.2.1',
    firstSeenAt: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
    visitedAt: null,
    leasedBy: null,
    kind: 'page',
    canonical: null,
    noindex: false,
    cname: null,
    proxy: null,
    listing: { lastmod: null, changefreq: null, priority: null },
    isFromScript: false,
    ...changes,
  }
}

export async function* stream<T>(items: Iterable<T>): AsyncGenerator<T, void, undefined> {
  yield* items
}

export async function* manyRows(total: number): AsyncGenerator<UrlRow, void, undefined> {
  const row = sampleRow({ state: 'queued', contentHash: null, title: null, httpStatus: null, contentLength: null })
  for (let id = 1; id <= total; id += 1) yield { ...row, id, url: `https://example.com/page/${id}` }
}

export async function* manyEdges(total: number): AsyncGenerator<Edge, void, undefined> {
  for (let from = 1; from <= total; from += 1) yield { from, to: (from % total) + 1 }
}

export async function joinChunks(chunks: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += chunk
  return text
}
