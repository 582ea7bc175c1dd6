// A slice of `npm run simulate` on Postgres, where leases are rows and outlive every process.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makePlan } from './world/plan.ts'
import { runPlan } from './world/run.ts'
import { storesOf } from './world/stores.ts'

const SEEDS = [2, 5, 15, 29]

describe('a world on Postgres in which everything goes wrong', () => {
  for (const seed of SEEDS) {
    it(`keeps every promise (seed ${seed})`, async () => {
      const { broken } = await runPlan(makePlan(seed), await storesOf('postgres'))
      const replay = `npm run simulate -- --store postgres --seed ${seed}`
      assert.equal(broken, null, `${replay}: ${broken?.promise}: ${broken?.detail}`)
    })
  }
})
