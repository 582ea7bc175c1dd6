// Runs the contract of every index on a search engine.

import { after, before, describe } from 'node:test'
import { searchContract } from '../../../src/ports/contracts/search/search.contract.ts'
import type { TestIndex } from '../../../src/ports/contracts/testing/test-index.ts'
import { makeTestIndex } from '../../../src/search/opensearch/testing/test-index.ts'
import type { SearchEngineName } from './search-engines.ts'
import { type SearchNode, startSearchNode } from './search-node.ts'

export function engineContract(name: SearchEngineName): void {
  describeOnNode(name, (makeIndex) => searchContract(name, makeIndex))
}

/** Describes cases that share one node. */
export function describeOnNode(
  name: SearchEngineName,
  describeCases: (makeIndex: () => Promise<TestIndex>) => void,
): void {
  describe(`on ${name}`, () => {
    let node: SearchNode
    const cleanups: (() => unknown)[] = []
    before(async () => {
      node = await startSearchNode({ after: (cleanUp) => cleanups.push(cleanUp) }, name)
    })
    after(async () => {
      for (const cleanUp of cleanups) await cleanUp()
    })
    describeCases(() => makeTestIndex(node.address))
  })
}
