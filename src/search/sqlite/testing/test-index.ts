// An index over an embedded store in its own directory, for the contract tests.

import type { TestStore } from '../../../ports/contracts/testing/store-harness.ts'
import { type TestIndex, toPageResults } from '../../../ports/contracts/testing/test-index.ts'
import { openForReading, openForWriting } from '../open.ts'
import { SqliteIndex } from '../read/sqlite-index.ts'
import { withLag } from '../read/status.ts'
import { SqliteFeed } from '../write/feed.ts'

/** `dir` holds the index; `removeDir` deletes it at the end. */
export function openTestIndex(dir: string, store: TestStore, removeDir: () => void): TestIndex {
  const db = openForWriting(dir)
  const readOnly = openForReading(dir) ?? raise()
  const feed = new SqliteFeed({ db, pages: store.pages, clock: store.clock })
  const index = withLag(new SqliteIndex(readOnly, () => store.clock.now()), () => feed.lag())
  const close = () => {
    readOnly.close()
    db.close()
  }
  return {
    index,
    feed,
    store,
    clock: store.clock,
    async write(documents, leftOut = []) {
      await feed.finish('0', { pages: toPageResults(documents, leftOut), anchors: [] })
    },
    async reopen() {
      close()
      return openTestIndex(dir, await store.reopen(), removeDir)
    },
    async close() {
      close()
      await store.close()
      removeDir()
    },
  }
}

function raise(): never {
  throw new Error('the index was not created')
}
