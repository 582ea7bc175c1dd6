// A small simulation, interrupted at every event: nothing is lost, wherever it is interrupted (G3).

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { storeFactory } from './simulator/cluster/simulated-store.ts'
import type { PlannedFault } from './simulator/planned-faults.ts'
import { runPlan } from './simulator/run-plan.ts'
import { makePlan, type SimulationPlan } from './simulator/simulation-plan.ts'

const SMALL: SimulationPlan = {
  ...makePlan(1),
  web: { seed: 9, hosts: 2, pagesPerHost: 3 },
  crawls: 1,
  workers: 1,
  slotsPerHost: 1,
  settings: {
    delayMs: 100,
    perHost: 1,
    maxDepth: null,
    maxPages: null,
    ignoreRobots: false,
    cooldownMs: 0,
    recrawl: 'off',
  },
  faults: [],
  cancelAtMs: null,
}
const START: PlannedFault = { atMs: 0, kind: 'crash', pick: 0, ms: 20, call: 'commit' }

describe('a small crawl', () => {
  for (const kind of ['crash', 'restart'] as const) {
    it(`survives a ${kind} at any moment`, async () => {
      const makeStore = await storeFactory('sqlite')
      const calm = await runPlan(SMALL, makeStore)
      assert.equal(calm.violation, null)
      const events = calm.lines.filter((line) => !line.endsWith('leases nothing'))
      const moments = new Set(events.map((line) => Number(line.trimStart().split(' ')[0])))
      assert.ok(moments.size > 20, `${moments.size} moments`)
      for (const atMs of moments) {
        const { violation } = await runPlan({ ...SMALL, faults: [{ ...START, kind, atMs }] }, makeStore)
        assert.equal(violation, null, `${kind} at ${atMs} ms: ${violation?.promise}: ${violation?.detail}`)
      }
    })
  }
})
