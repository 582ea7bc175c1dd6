import { changesContract } from '../../ports/contracts/changes.contract.ts'
import { makeTestStore } from '../testing/postgres-test-store.ts'

changesContract('postgres', () => makeTestStore({ leaseMs: 30_000, random: () => 0.5 }))
