// Compares a crawl with the oracle and describes the differences.

import type { ExpectedUrl } from './expected-crawl.ts'

export interface CrawledUrl {
  url: string
  state: string
  httpStatus: number | null
  depth: number
}

/** Returns one sentence per difference; empty if the crawl is exact. */
export function findDifferences(expected: ReadonlyMap<string, ExpectedUrl>, crawled: Iterable<CrawledUrl>): string[] {
  const found: string[] = []
  const seen = new Set<string>()
  for (const row of crawled) {
    if (seen.has(row.url)) found.push(`${row.url} is in the ledger twice`)
    seen.add(row.url)
    const want = expected.get(row.url)
    if (want === undefined) {
      found.push(`${row.url} should not be in the ledger (${row.state} at depth ${row.depth})`)
      continue
    }
    if (row.state !== want.state) found.push(`${row.url} is ${row.state}, should be ${want.state}`)
    if (row.httpStatus !== want.httpStatus) {
      found.push(`${row.url} has status ${row.httpStatus}, should have ${want.httpStatus}`)
    }
    if (row.depth !== want.depth) found.push(`${row.url} is at depth ${row.depth}, should be at ${want.depth}`)
  }
  for (const [url, want] of expected) {
    if (!seen.has(url)) found.push(`${url} is missing (${want.state} at depth ${want.depth})`)
  }
  return found
}
