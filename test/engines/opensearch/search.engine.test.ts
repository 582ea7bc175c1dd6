// What every index must do, on OpenSearch.

import { after, before, describe } from 'node:test'
import { searchContract } from '../../../src/ports/contracts/search/search.contract.ts'
import { makeTestIndex } from '../../../src/search/opensearch/testing/test-index.ts'
import { typedQueryContract } from '../../../src/search/testing/typed-queries.contract.ts'
import { searchParity } from '../../../src/setup/testing/search-parity.ts'
import { type OpenSearchNode, startOpenSearch } from './opensearch-node.ts'

describe('on OpenSearch', () => {
  let node: OpenSearchNode
  const cleanups: (() => unknown)[] = []
  before(async () => {
    node = await startOpenSearch({ after: (cleanUp) => cleanups.push(cleanUp) })
  })
  after(async () => {
    for (const cleanUp of cleanups) await cleanUp()
  })
  searchContract('opensearch', () => makeTestIndex(node.address))
  searchParity('opensearch', () => makeTestIndex(node.address))
  typedQueryContract('opensearch', () => makeTestIndex(node.address))
})
