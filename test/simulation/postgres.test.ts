// A slice of `npm run simulate` on Postgres, where leases are rows and survive every process.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isLongRun } from '../testing/long-run.ts'
import { storeFactory } from './simulator/cluster/simulated-store.ts'
import { replayCommand } from './simulator/report.ts'
import { runPlan } from './simulator/run-plan.ts'
import { makePlan } from './simulator/simulation-plan.ts'

/** The first two once broke a guarantee; each takes about a second. */
const SEEDS = isLongRun ? [125, 320, 2, 3, 5, 6, 8, 9, 12, 15, 27, 29] : [125, 320, 2]

describe('a simulation on Postgres with every kind of fault', () => {
  for (const seed of SEEDS) {
    it(`keeps every guarantee (seed ${seed})`, async () => {
      const { violation } = await runPlan(makePlan(seed), await storeFactory('postgres'))
      assert.equal(violation, null, `${replayCommand(seed, 'postgres')}: ${violation?.promise}: ${violation?.detail}`)
    })
  }
})
