import { typedQueryContract } from '../testing/typed-queries.contract.ts'
import { makeTestIndex } from './testing/test-index.ts'

typedQueryContract('postgres', makeTestIndex)
