// A slice of `npm run simulate` on Postgres, where leases are rows and outlive every process.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isLongRun } from '../testing/long-run.ts'
import { storeFactory } from './simulator/cluster/simulated-store.ts'
import { replayCommand } from './simulator/report.ts'
import { runPlan } from './simulator/run-plan.ts'
import { makePlan } from './simulator/simulation-plan.ts'

/** The first two broke a promise once; about a second each. */
const SEEDS = isLongRun ? [125, 320, 2, 3, 5, 6, 8, 9, 12, 15, 27, 29] : [125, 320, 2]

describe('a world on Postgres in which everything goes wrong', () => {
  for (const seed of SEEDS) {
    it(`keeps every promise (seed ${seed})`, async () => {
      const { violation } = await runPlan(makePlan(seed), await storeFactory('postgres'))
      assert.equal(violation, null, `${replayCommand(seed, 'postgres')}: ${violation?.promise}: ${violation?.detail}`)
    })
  }
})
