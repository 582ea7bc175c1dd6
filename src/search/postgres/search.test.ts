import { searchContract } from '../../ports/contracts/search/search.contract.ts'
import { makeTestIndex } from './testing/test-index.ts'

searchContract('postgres', makeTestIndex)
