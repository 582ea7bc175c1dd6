import { auditsContract } from '../../ports/contracts/audits.contract.ts'
import { cookiesContract } from '../../ports/contracts/cookies.contract.ts'
import { crawlContract } from '../../ports/contracts/crawl.contract.ts'
import { frontierContract } from '../../ports/contracts/frontier.contract.ts'
import { historyContract } from '../../ports/contracts/history.contract.ts'
import { monitorsContract } from '../../ports/contracts/monitors.contract.ts'
import { makeTestStore } from '../testing/postgres-test-store.ts'

const options = { leaseMs: 30_000, random: () => 0.5 }

frontierContract('postgres', () => makeTestStore(options))
crawlContract('postgres', () => makeTestStore(options))
cookiesContract('postgres', () => makeTestStore(options))
historyContract('postgres', () => makeTestStore(options))
auditsContract('postgres', () => makeTestStore(options))
monitorsContract('postgres', () => makeTestStore(options))
