import { policiesContract } from '../../ports/contracts/policies.contract.ts'
import { makeTestStore } from '../testing/postgres-test-store.ts'

policiesContract('postgres', () => makeTestStore({ leaseMs: 30_000, random: () => 0.5 }))
