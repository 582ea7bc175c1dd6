import { accessContract } from '../../ports/contracts/access.contract.ts'
import { auditsContract } from '../../ports/contracts/audits.contract.ts'
import { controlContract } from '../../ports/contracts/control.contract.ts'
import { cookiesContract } from '../../ports/contracts/cookies.contract.ts'
import { crawlContract } from '../../ports/contracts/crawl.contract.ts'
import { frontierContract } from '../../ports/contracts/frontier.contract.ts'
import { historyContract } from '../../ports/contracts/history.contract.ts'
import { monitorsContract } from '../../ports/contracts/monitors.contract.ts'
import { pagesContract } from '../../ports/contracts/pages.contract.ts'
import { politenessContract } from '../../ports/contracts/politeness.contract.ts'
import { retentionContract } from '../../ports/contracts/retention.contract.ts'
import { workersContract } from '../../ports/contracts/workers.contract.ts'
import { makeTestStore } from '../testing/sqlite-test-store.ts'

const options = { leaseMs: 30_000, random: () => 0.5 }

frontierContract('sqlite', async () => makeTestStore(options))
crawlContract('sqlite', async () => makeTestStore(options))
cookiesContract('sqlite', async () => makeTestStore(options))
historyContract('sqlite', async () => makeTestStore(options))
auditsContract('sqlite', async () => makeTestStore(options))
monitorsContract('sqlite', async () => makeTestStore(options))
politenessContract('sqlite', async () => makeTestStore(options))
pagesContract('sqlite', async () => makeTestStore(options))
retentionContract('sqlite', async () => makeTestStore(options))
workersContract('sqlite', async () => makeTestStore(options))
accessContract('sqlite', async () => makeTestStore(options))
controlContract('sqlite', async () => makeTestStore(options))
