// `npm run simulate`: simulations with every kind of fault, one per seed, which check the guarantees of
// docs/explanation/architecture.md after every step. Flags: --seeds N, --from N, --seed N to replay one, --store sqlite|postgres,
// --raw to skip shrinking a failure, --mutations to test which changes of the code are caught, --only TEXT for some of
// those. --hosts 1000,100000 --workers N measures instead how fair and how costly claims are at these sizes.

import { parseArgs } from 'node:util'
import type { TestStore } from '../../src/ports/contracts/testing/store-harness.ts'
import { STORES, type StoreName, storeFactory } from './simulator/cluster/simulated-store.ts'
import type { FaultKind } from './simulator/planned-faults.ts'
import { addFaults, printFailure, printShrunkFailure, printTotals } from './simulator/report.ts'
import { runPlan } from './simulator/run-plan.ts'
import { shrinkFailure } from './simulator/shrink-plan.ts'
import { CLAIM_HEADER, claimLine, isFairTo, simulateClaims } from './simulator/simulate-claims.ts'
import { makePlan } from './simulator/simulation-plan.ts'
import { tryMutations } from './simulator/try-mutations.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    store: { type: 'string', default: 'sqlite' },
    mutations: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    raw: { type: 'boolean', default: false },
    hosts: { type: 'string' },
    workers: { type: 'string', default: '1000' },
    visits: { type: 'string', default: '50000' },
  },
})
const from = toNumber('from', values.seed ?? values.from)
const seeds = values.seed === undefined ? toNumber('seeds', values.seeds) : 1

const isSound =
  values.hosts !== undefined
    ? await simulateScale(values.hosts.split(','), toStore(values.store))
    : values.mutations
      ? await tryMutations(seeds, values.only)
      : await simulate(toStore(values.store))
process.exitCode = isSound ? 0 : 1

async function simulate(store: StoreName): Promise<boolean> {
  const makeStore = await storeFactory(store)
  const run = (simulationPlan: ReturnType<typeof makePlan>) => runPlan(simulationPlan, makeStore)
  const faults = new Map<FaultKind, number>()
  const started = performance.now()
  let steps = 0
  for (let seed = from; seed < from + seeds; seed++) {
    const simulationPlan = makePlan(seed)
    const trace = await run(simulationPlan)
    addFaults(faults, trace.faults)
    steps += trace.lines.length
    if (trace.violation === null) continue
    printFailure(seed, { plan: simulationPlan, trace })
    if (!values.raw) printShrunkFailure(await shrinkFailure({ plan: simulationPlan, trace }, run), store)
    console.log(`a promise was broken, by seed ${seed}, the ${seed - from + 1}. of ${seeds}`)
    return false
  }
  printTotals({ seeds, tookMs: performance.now() - started, steps, faults })
  console.log(`no promise was broken on ${store}`)
  return true
}

/** Runs without faults. True if every due host was served in turn, and every worker had its share. */
async function simulateScale(sizes: string[], storeName: StoreName): Promise<boolean> {
  const { makeTestStore } = await import(`../../src/store/testing/${storeName}-test-store.ts`)
  const [workers, maxVisits] = [toNumber('workers', values.workers), toNumber('visits', values.visits)]
  let isFair = true
  console.log(CLAIM_HEADER)
  for (const size of sizes) {
    const store: TestStore = await makeTestStore({ leaseMs: 30_000, random: Math.random })
    try {
      const figures = await simulateClaims(store, { hosts: toNumber('hosts', size), workers, maxVisits })
      console.log(claimLine(figures))
      isFair &&= isFairTo(figures, workers)
    } finally {
      await store.close()
    }
  }
  console.log(isFair ? `claims were fair on ${storeName}` : `claims were not fair on ${storeName}`)
  return isFair
}

function toStore(text: string): StoreName {
  const name = STORES.find((known) => known === text)
  if (name === undefined) throw new Error(`--store must be ${STORES.join(' or ')}, not "${text}".`)
  return name
}

function toNumber(flag: string, text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < 1)
    throw new Error(`--${flag} must be a whole number from 1, not "${text}".`)
  return number
}
