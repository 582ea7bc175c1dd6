import { accessContract } from '../ports/access.contract.ts'
import { browseContract } from '../ports/browse.contract.ts'
import { crawlContract } from '../ports/crawl.contract.ts'
import { frontierContract } from '../ports/frontier.contract.ts'
import { historyContract } from '../ports/history.contract.ts'
import { hostsContract } from '../ports/hosts.contract.ts'
import { pagesContract } from '../ports/pages.contract.ts'
import { politenessContract } from '../ports/politeness.contract.ts'
import { retentionContract } from '../ports/retention.contract.ts'
import { steeringContract } from '../ports/steering.contract.ts'
import { makeMovingStore } from './test-moving-store.ts'

const options = { leaseMs: 30_000, random: () => 0.5 }

frontierContract('moved', () => makeMovingStore(options))
crawlContract('moved', () => makeMovingStore(options))
historyContract('moved', () => makeMovingStore(options))
hostsContract('moved', () => makeMovingStore(options))
politenessContract('moved', () => makeMovingStore(options))
pagesContract('moved', () => makeMovingStore(options))
retentionContract('moved', () => makeMovingStore(options))
accessContract('moved', () => makeMovingStore(options))
steeringContract('moved', () => makeMovingStore(options))
browseContract('moved', () => makeMovingStore(options))
