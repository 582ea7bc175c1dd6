// Archived pages that are indexed as identical documents.

import assert from 'node:assert/strict'
import type { FeedBatch, FeedPage } from '../../index-feed.ts'
import { hashOf, visitEach } from './page-visits.ts'
import { StoreHarness } from './store-harness.ts'
import { makeDocument, type TestIndex, toPageResults } from './test-index.ts'

/** A time at which no page has expired. */
export const AT_START = { now: 0 }

/** Archives a page for each of these URLs, `host/path`, a second apart. */
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

/** Indexes all waiting pages in batches, and returns the URLs in order. */
export async function indexAll(testIndex: TestIndex, limit: number): Promise<string[]> {
  const urls: string[] = []
  for (;;) {
    const batch = await testIndex.feed.take(limit)
    if (batch === null) return urls
    assert.ok(batch.pages.length > 0 && batch.pages.length <= limit)
    urls.push(...batch.pages.map(({ version }) => version.url))
    await finishBatch(testIndex, batch)
  }
}
