// What the cases of the feed share: pages that are kept, and indexed as documents that are all alike.

import assert from 'node:assert/strict'
import type { FeedBatch, FeedPage } from '../../search.ts'
import { hashOf, visitEach } from './page-visits.ts'
import { StoreHarness } from './store-harness.ts'
import { makeDocument, type TestIndex, toPageResults } from './test-index.ts'

/** When the pages of these cases are not over yet. */
export const AT_START = { now: 0 }

/** Keeps a page of each of these urls, `host/path`, a second apart. */
export async function archivePages({ store }: TestIndex, urls: string[]): Promise<void> {
  const positions = urls.map((_, i) => ({
    digest: hashOf(i + 1),
    position: { segment: 's1', offset: i * 50, length: 50 },
  }))
  await visitEach(
    new StoreHarness(store),
    urls.map((url, i) => [url, positions[i] ?? {}]),
  )
}

export function makeFeedDocument({ version, urlId }: FeedPage) {
  const { id: pageId, crawlId, url, version: number, expiresAt } = version
  return makeDocument(pageId, { urlId, crawlId, url, version: number, expiresAt, terms: { body: 'apple' } })
}

export async function finishBatch({ feed }: TestIndex, { token, pages }: FeedBatch): Promise<void> {
  await feed.finish(token, { pages: toPageResults(pages.map(makeFeedDocument)), anchors: [] })
}

/** Indexes all that waits, so many at a time; answers the urls in order. */
export async function indexAll(bench: TestIndex, limit: number): Promise<string[]> {
  const urls: string[] = []
  for (;;) {
    const batch = await bench.feed.take(limit)
    if (batch === null) return urls
    assert.ok(batch.pages.length > 0 && batch.pages.length <= limit)
    urls.push(...batch.pages.map(({ version }) => version.url))
    await finishBatch(bench, batch)
  }
}
