// What every index must do, as cases that each implementation's test runs in full.

import { afterEach, beforeEach, describe, it } from 'node:test'
import type { TestIndex } from '../testing/test-index.ts'
import { FEED_CASES } from './feed.contract.ts'
import { FILTER_CASES } from './filters.contract.ts'
import { LINK_RANK_CASES } from './link-ranks.contract.ts'
import { LINK_CASES } from './links.contract.ts'
import { MANY_CASES } from './many-hits.contract.ts'
import { RANKING_CASES } from './ranking.contract.ts'
import { READ_LINKS_CASES } from './read-links.contract.ts'
import { TEXT_CASES } from './text.contract.ts'
import { VERSION_CASES } from './versions.contract.ts'
import { VOCABULARY_CASES } from './vocabulary.contract.ts'

export type SearchCases = Record<string, (testIndex: TestIndex) => Promise<void>>

export function searchContract(name: string, makeIndex: () => Promise<TestIndex>): void {
  describeCases(`${name}: text`, makeIndex, TEXT_CASES)
  describeCases(`${name}: filters`, makeIndex, FILTER_CASES)
  describeCases(`${name}: ranking`, makeIndex, RANKING_CASES)
  describeCases(`${name}: versions of documents`, makeIndex, VERSION_CASES)
  describeCases(`${name}: very many`, makeIndex, MANY_CASES)
  describeCases(`${name}: terms and words`, makeIndex, VOCABULARY_CASES)
  describeCases(`${name}: from kept pages`, makeIndex, FEED_CASES)
  describeCases(`${name}: what pages say of one another`, makeIndex, LINK_CASES)
  describeCases(`${name}: link ranks`, makeIndex, LINK_RANK_CASES)
  describeCases(`${name}: links before documents`, makeIndex, READ_LINKS_CASES)
}

function describeCases(title: string, makeIndex: () => Promise<TestIndex>, cases: SearchCases): void {
  describe(title, () => {
    let current: TestIndex
    // The index opened last is closed in the end.
    const follow = (testIndex: TestIndex): TestIndex => {
      current = testIndex
      return { ...testIndex, reopen: async () => follow(await testIndex.reopen()) }
    }
    let testIndex: TestIndex
    beforeEach(async () => {
      testIndex = follow(await makeIndex())
    })
    afterEach(() => current.close())
    for (const [fact, run] of Object.entries(cases)) it(fact, () => run(testIndex))
  })
}
