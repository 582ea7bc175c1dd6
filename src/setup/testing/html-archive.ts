// An in-memory archive of HTML pages for tests.

import assert from 'node:assert/strict'
import type { ArchivedResponse, Position } from '../../ports/archive.ts'
import { archivedVisit, hashOf, visitEach } from '../../ports/contracts/testing/page-visits.ts'
import { only, StoreHarness, type TestStore } from '../../ports/contracts/testing/store-harness.ts'
import type { VisitFacts } from '../../ports/visits.ts'

const RESPONSE = {
  url: '',
  fetchedAt: 0,
  ip: null,
  status: 200,
  isTruncated: false,
  sameAs: null,
  extracted: null,
}

export interface CrawledPage {
  html: string
  links: readonly string[]
}

export function makeHtmlArchive(store: TestStore) {
  const storeHarness = new StoreHarness(store)
  const pages: string[] = []
  const archive = {
    async read({ offset }: Position): Promise<ArchivedResponse> {
      const payload = Buffer.from(pages[offset] ?? assert.fail('there is no such page'))
      return { ...RESPONSE, headers: [['content-type', 'text/html']], payload }
    },
  }
  const keepPage = (html: string) => {
    const offset = pages.push(html) - 1
    // Only the HTML states its language.
    return { digest: hashOf(offset + 1), position: { segment: 's1', offset, length: 1 }, lang: null }
  }
  return {
    reading: { pages: store.pages, archive, readDocument: () => assert.fail('there is no document') },
    async keep(url: string, html: string, facts: Partial<VisitFacts> = {}): Promise<void> {
      await visitEach(storeHarness, [[url, keepPage(html), facts]])
    },
    /** Crawls a site of pages by `host/path` from its first page, and ends after this many pages. */
    async crawl(site: Readonly<Record<string, CrawledPage>>, maxPages = Object.keys(site).length): Promise<void> {
      const { id } = await storeHarness.start(Object.keys(site).slice(0, 1))
      for (let left = maxPages; left > 0; ) {
        const lease = only((await storeHarness.lease({ maxUrls: 1 })).leases)
        const [url = assert.fail('nothing is left')] = lease.urls
        const { html, links } = site[url.url.replace('http://', '').replace('.test/', '/')] ?? assert.fail(url.url)
        const { found, linkCount } = storeHarness.visitedReport(lease, url, [...links])
        const visit = { ...archivedVisit(storeHarness, lease, url, keepPage(html)), found, linkCount }
        await storeHarness.commit([visit], { release: [lease.token] })
        left -= 1
      }
      await store.crawls.close(id, 'enough')
      store.clock.advance(1000)
    },
  }
}
