import { searchContract } from '../../ports/search.contract.ts'
import { makeTestIndex } from './test-index.ts'

searchContract('postgres', makeTestIndex)
