// An in-memory archive of HTML pages for tests.

import assert from 'node:assert/strict'
import type { ArchivedResponse, Position } from '../../ports/archive.ts'
import { hashOf, visitEach } from '../../ports/contracts/testing/page-visits.ts'
import { StoreHarness, type TestStore } from '../../ports/contracts/testing/store-harness.ts'
import type { VisitFacts } from '../../ports/frontier.ts'

const RESPONSE = {
  url: '',
  fetchedAt: 0,
  ip: null,
  status: 200,
  isTruncated: false,
  sameAs: null,
  extracted: null,
  requestLength: 0,
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
  return {
    reading: { pages: store.pages, archive, readDocument: () => assert.fail('there is no document') },
    async keep(url: string, html: string, facts: Partial<VisitFacts> = {}): Promise<void> {
      const offset = pages.push(html) - 1
      const page = { digest: hashOf(offset + 1), position: { segment: 's1', offset, length: 1 } }
      await visitEach(storeHarness, [[url, page, facts]])
    },
  }
}
