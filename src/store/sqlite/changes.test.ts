import { changesContract } from '../../ports/contracts/changes.contract.ts'
import { makeTestStore } from '../testing/sqlite-test-store.ts'

changesContract('sqlite', async () => makeTestStore({ leaseMs: 30_000, random: () => 0.5 }))
