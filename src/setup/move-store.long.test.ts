import { accessContract } from '../ports/contracts/access.contract.ts'
import { browseContract } from '../ports/contracts/browse/browse.contract.ts'
import { controlContract } from '../ports/contracts/control.contract.ts'
import { cookiesContract } from '../ports/contracts/cookies.contract.ts'
import { crawlContract } from '../ports/contracts/crawl.contract.ts'
import { frontierContract } from '../ports/contracts/frontier.contract.ts'
import { historyContract } from '../ports/contracts/history.contract.ts'
import { hostsContract } from '../ports/contracts/hosts.contract.ts'
import { monitorsContract } from '../ports/contracts/monitors.contract.ts'
import { pagesContract } from '../ports/contracts/pages.contract.ts'
import { politenessContract } from '../ports/contracts/politeness.contract.ts'
import { retentionContract } from '../ports/contracts/retention.contract.ts'
import { makeMovingStore } from './testing/moving-store.ts'

const options = { leaseMs: 30_000, random: () => 0.5 }

frontierContract('moved', () => makeMovingStore(options))
crawlContract('moved', () => makeMovingStore(options))
cookiesContract('moved', () => makeMovingStore(options))
historyContract('moved', () => makeMovingStore(options))
monitorsContract('moved', () => makeMovingStore(options))
hostsContract('moved', () => makeMovingStore(options))
politenessContract('moved', () => makeMovingStore(options))
pagesContract('moved', () => makeMovingStore(options))
retentionContract('moved', () => makeMovingStore(options))
accessContract('moved', () => makeMovingStore(options))
controlContract('moved', () => makeMovingStore(options))
browseContract('moved', () => makeMovingStore(options))
