import { makeTestIndex } from '../search/postgres/testing/test-index.ts'
import { searchParity } from './testing/search-parity.ts'

searchParity('postgres', makeTestIndex)
