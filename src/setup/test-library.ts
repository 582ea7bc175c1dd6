// Pages kept as html in a test, without a file for each.

import assert from 'node:assert/strict'
import type { ArchivedAnswer, Position } from '../ports/archive.ts'
import type { VisitFacts } from '../ports/frontier.ts'
import { HASH, visitEach } from '../ports/pages.bench.ts'
import { Bench, type TestStore } from '../ports/store.contract.ts'

const ABOUT = {
  ...{ url: '', fetchedAt: 0, ip: null, status: 200, isTruncated: false },
  ...{ sameAs: null, extracted: null, requestLength: 0 },
}

export function keepHtml(store: TestStore) {
  const bench = new Bench(store)
  const kept: string[] = []
  const archive = {
    async read({ offset }: Position): Promise<ArchivedAnswer> {
      const payload = Buffer.from(kept[offset] ?? assert.fail('there is no such page'))
      return { ...ABOUT, headers: [['content-type', 'text/html']], payload }
    },
  }
  return {
    reading: { pages: store.pages, archive, readDocument: () => assert.fail('there is no document') },
    async keep(url: string, html: string, facts: Partial<VisitFacts> = {}): Promise<void> {
      const offset = kept.push(html) - 1
      const page = { digest: HASH(offset + 1), position: { segment: 's1', offset, length: 1 } }
      await visitEach(bench, [[url, page, facts]])
    },
  }
}
