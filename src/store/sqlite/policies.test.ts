import { policiesContract } from '../../ports/contracts/policies.contract.ts'
import { makeTestStore } from '../testing/sqlite-test-store.ts'

policiesContract('sqlite', async () => makeTestStore({ leaseMs: 30_000, random: () => 0.5 }))
