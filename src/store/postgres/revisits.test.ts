import { revisitsContract } from '../../ports/contracts/revisits.contract.ts'
import { makeTestStore } from '../testing/postgres-test-store.ts'

revisitsContract('postgres', () => makeTestStore({ leaseMs: 30_000, random: () => 0.5 }))
