import { pagesContract } from '../../ports/pages.contract.ts'
import { politenessContract } from '../../ports/politeness.contract.ts'
import { retentionContract } from '../../ports/retention.contract.ts'
import { makeTestStore } from './test-store.ts'

const options = { leaseMs: 30_000, random: () => 0.5 }

pagesContract('postgres', () => makeTestStore(options))
retentionContract('postgres', () => makeTestStore(options))
politenessContract('postgres', () => makeTestStore(options))
