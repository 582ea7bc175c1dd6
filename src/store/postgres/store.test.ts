import { crawlContract } from '../../ports/crawl.contract.ts'
import { frontierContract } from '../../ports/frontier.contract.ts'
import { historyContract } from '../../ports/history.contract.ts'
import { makeTestStore } from './test-store.ts'

const options = { leaseMs: 30_000, random: () => 0.5 }

frontierContract('postgres', () => makeTestStore(options))
crawlContract('postgres', () => makeTestStore(options))
historyContract('postgres', () => makeTestStore(options))
