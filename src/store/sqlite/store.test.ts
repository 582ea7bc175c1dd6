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

frontierContract('sqlite', async () => makeTestStore(options))
crawlContract('sqlite', async () => makeTestStore(options))
historyContract('sqlite', async () => makeTestStore(options))
politenessContract('sqlite', async () => makeTestStore(options))
pagesContract('sqlite', async () => makeTestStore(options))
retentionContract('sqlite', async () => makeTestStore(options))
workersContract('sqlite', async () => makeTestStore(options))
accessContract('sqlite', async () => makeTestStore(options))
steeringContract('sqlite', async () => makeTestStore(options))
