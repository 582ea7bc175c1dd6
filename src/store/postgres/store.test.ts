import { accessContract } from '../../ports/access.contract.ts'
import { crawlContract } from '../../ports/crawl.contract.ts'
import { frontierContract } from '../../ports/frontier.contract.ts'
import { historyContract } from '../../ports/history.contract.ts'
import { pagesContract } from '../../ports/pages.contract.ts'
import { politenessContract } from '../../ports/politeness.contract.ts'
import { retentionContract } from '../../ports/retention.contract.ts'
import { steeringContract } from '../../ports/steering.contract.ts'
import { workersContract } from '../../ports/workers.contract.ts'
import { makeTestStore } from './test-store.ts'

const options = { leaseMs: 30_000, random: () => 0.5 }

frontierContract('postgres', () => makeTestStore(options))
crawlContract('postgres', () => makeTestStore(options))
historyContract('postgres', () => makeTestStore(options))
politenessContract('postgres', () => makeTestStore(options))
pagesContract('postgres', () => makeTestStore(options))
retentionContract('postgres', () => makeTestStore(options))
workersContract('postgres', () => makeTestStore(options))
accessContract('postgres', () => makeTestStore(options))
steeringContract('postgres', () => makeTestStore(options))
