// A fixed slice of `npm run simulate`, and that a run depends only on its seed.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { isLongRun } from '../testing/long-run.ts'
import { storeFactory } from './simulator/cluster/simulated-store.ts'
import { MUTATIONS } from './simulator/mutations.ts'
import { replayCommand } from './simulator/report.ts'
import { runPlan } from './simulator/run-plan.ts'
import { shrinkFailure } from './simulator/shrink-plan.ts'
import { makePlan } from './simulator/simulation-plan.ts'

const FIRST = 1
const SEEDS = isLongRun ? 60 : 10

describe('a simulation with every kind of fault', () => {
  for (let seed = FIRST; seed < FIRST + SEEDS; seed += 10) {
    it(`keeps every guarantee (seeds ${seed} to ${seed + 9})`, async () => {
      const makeStore = await storeFactory('sqlite')
      for (let n = seed; n < seed + 10; n++) {
        const { violation } = await runPlan(makePlan(n), makeStore)
        assert.equal(violation, null, `${replayCommand(n, 'sqlite')}: ${violation?.promise}: ${violation?.detail}`)
      }
    })
  }

  it('is deterministic', async () => {
    const makeStore = await storeFactory('sqlite')
    for (const seed of [3, 12, 25]) {
      const first = await runPlan(makePlan(seed), makeStore)
      const second = await runPlan(makePlan(seed), makeStore)
      assert.ok(first.lines.length > 20, `seed ${seed}`)
      assert.equal(first.hash, second.hash, `seed ${seed}`)
    }
  })

  it('that breaks a guarantee is shrunk', async () => {
    const real = await storeFactory('sqlite')
    // This store does not report late visits to its workers.
    const run = (simulationPlan: ReturnType<typeof makePlan>) =>
      runPlan(simulationPlan, async (terms) => {
        const store = await real(terms)
        const { frontier } = store
        const commit: typeof frontier.commit = async (batch) => ({ ...(await frontier.commit(batch)), late: 0 })
        const bound = { lease: frontier.lease.bind(frontier), renew: frontier.renew.bind(frontier) }
        const others = {
          requeueThread: frontier.requeueThread.bind(frontier),
          waitForWork: frontier.waitForWork.bind(frontier),
        }
        return { ...store, frontier: { ...bound, ...others, commit } }
      })
    const fault = (kind: 'delivered twice' | 'add worker', atMs: number) => {
      return { kind, atMs, pick: 0, ms: 50, call: 'commit' as const }
    }
    const calm = { ...makePlan(3), cancelAtMs: null, crawls: 1, workers: 2 }
    const plan = { ...calm, faults: [fault('add worker', 1), fault('delivered twice', 5), fault('add worker', 9)] }
    const trace = await run(plan)
    assert.equal(trace.violation?.promise, 'G2 late')
    const least = await shrinkFailure({ plan, trace }, run)
    assert.deepEqual(
      least.plan.faults.map(({ kind }) => kind),
      ['delivered twice'],
    )
    assert.equal(least.plan.workers, 1)
  })
})

it('every mutation matches the current code', () => {
  for (const { name, file, from } of MUTATIONS) {
    const text = readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
    assert.equal(text.split(from).length - 1, 1, `${name}: ${file}`)
  }
})
