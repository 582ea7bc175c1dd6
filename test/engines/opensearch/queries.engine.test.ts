import { typedQueryContract } from '../../../src/search/testing/typed-queries.contract.ts'
import { searchParity } from '../../../src/setup/testing/search-parity.ts'
import { describeOnNode } from './engine-contract.ts'
import { anySearchEngine } from './search-engines.ts'

const name = anySearchEngine()
describeOnNode(name, (makeIndex) => {
  searchParity(name, makeIndex)
  typedQueryContract(name, makeIndex)
})
