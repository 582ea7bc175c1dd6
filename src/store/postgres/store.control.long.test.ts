import { accessContract } from '../../ports/contracts/access.contract.ts'
import { controlContract } from '../../ports/contracts/control.contract.ts'
import { workersContract } from '../../ports/contracts/workers.contract.ts'
import { makeTestStore } from '../testing/postgres-test-store.ts'

const options = { leaseMs: 30_000, random: () => 0.5 }

workersContract('postgres', () => makeTestStore(options))
accessContract('postgres', () => makeTestStore(options))
controlContract('postgres', () => makeTestStore(options))
