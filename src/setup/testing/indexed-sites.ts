// Sites that are crawled, archived and indexed in a test, on every index.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { silentLog } from '../../lib/log.ts'
import type { TestIndex } from '../../ports/contracts/testing/test-index.ts'
import { Analyser } from '../../search/analyse/analyser.ts'
import { loadLanguageDetector } from '../../search/analyse/language-identifier.ts'
import { Indexer } from '../../search/indexer/indexer.ts'
import { makeTestIndex } from '../../search/postgres/testing/test-index.ts'
import { openTestIndex } from '../../search/sqlite/testing/test-index.ts'
import { makeTestStore } from '../../store/testing/sqlite-test-store.ts'
import { makeHtmlArchive } from './html-archive.ts'

export interface IndexedSites extends TestIndex, Pick<ReturnType<typeof makeHtmlArchive>, 'keep' | 'crawl'> {
  /** Runs a new indexer until nothing is left to do. */
  catchUp(): Promise<void>
}

const detect = await loadLanguageDetector()

/** Runs the case on an empty index of each engine. */
export function onEveryIndex(fact: string, run: (sites: IndexedSites) => Promise<void>): void {
  const makers = { sqlite: makeSqliteIndex, postgres: makeTestIndex }
  for (const [name, makeIndex] of Object.entries(makers)) {
    it(`${name}: ${fact}`, async (t) => {
      const testIndex = await makeIndex()
      t.after(() => testIndex.close())
      await run(withIndexer(testIndex))
    })
  }
}

async function makeSqliteIndex(): Promise<TestIndex> {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-sites-'))
  const store = makeTestStore({ leaseMs: 30_000, random: () => 0.5 })
  return openTestIndex(dir, store, () => rmSync(dir, { recursive: true }))
}

function withIndexer(testIndex: TestIndex): IndexedSites {
  const { store, feed, clock } = testIndex
  const { reading, keep, crawl } = makeHtmlArchive(store)
  const { crawls, urls, revisits } = store
  return {
    ...testIndex,
    keep,
    crawl,
    catchUp: () => {
      const analyser = new Analyser({ detect, findEntities: null })
      return new Indexer({
        feed,
        reading,
        crawls,
        urls,
        revisits,
        analyser,
        consumers: [],
        clock,
        log: silentLog,
      }).catchUp()
    },
  }
}
