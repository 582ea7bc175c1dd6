// A slice of `npm run simulate` on Postgres, where leases are rows and outlive every process.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isLong } from '../long.ts'
import { makePlan } from './world/plan.ts'
import { replayLine } from './world/report.ts'
import { runPlan } from './world/run.ts'
import { storesOf } from './world/stores.ts'

/** The first two broke a promise once; about a second each. */
const SEEDS = isLong ? [125, 320, 2, 3, 5, 6, 8, 9, 12, 15, 27, 29] : [125, 320, 2]

describe('a world on Postgres in which everything goes wrong', () => {
  for (const seed of SEEDS) {
    it(`keeps every promise (seed ${seed})`, async () => {
      const { broken } = await runPlan(makePlan(seed), await storesOf('postgres'))
      assert.equal(broken, null, `${replayLine(seed, 'postgres')}: ${broken?.promise}: ${broken?.detail}`)
    })
  }
})
