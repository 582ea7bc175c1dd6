import { accessContract } from '../../ports/access.contract.ts'
import { steeringContract } from '../../ports/steering.contract.ts'
import { workersContract } from '../../ports/workers.contract.ts'
import { makeTestStore } from './test-store.ts'

const options = { leaseMs: 30_000, random: () => 0.5 }

workersContract('postgres', () => makeTestStore(options))
accessContract('postgres', () => makeTestStore(options))
steeringContract('postgres', () => makeTestStore(options))
