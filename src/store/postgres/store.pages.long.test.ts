import { pagesContract } from '../../ports/contracts/pages.contract.ts'
import { politenessContract } from '../../ports/contracts/politeness.contract.ts'
import { retentionContract } from '../../ports/contracts/retention.contract.ts'
import { makeTestStore } from '../testing/postgres-test-store.ts'

const options = { leaseMs: 30_000, random: () => 0.5 }

pagesContract('postgres', () => makeTestStore(options))
retentionContract('postgres', () => makeTestStore(options))
politenessContract('postgres', () => makeTestStore(options))
