// Crawl loops that lose their leases or the store, as seen by the servers.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { storeFactory } from './simulator/cluster/simulated-store.ts'
import { type FaultKind, isCallFault, type PlannedFault } from './simulator/planned-faults.ts'
import { runPlan } from './simulator/run-plan.ts'
import { LEASE_MS, makePlan, type SimulationPlan } from './simulator/simulation-plan.ts'

/** Two workers on a few hosts, with no other faults. */
const CALM: SimulationPlan = {
  ...makePlan(1),
  web: { seed: 9, hosts: 3, pagesPerHost: 8 },
  crawls: 1,
  workers: 2,
  slotsPerHost: 1,
  settings: {
    delayMs: 300,
    perHost: 2,
    maxDepth: null,
    maxPages: null,
    ignoreRobots: false,
    cooldownMs: 0,
    recrawl: 'off',
  },
  cancelAtMs: null,
}

async function run(faults: Partial<PlannedFault>[]) {
  const complete = faults.map((fault) => ({
    atMs: 100,
    kind: 'pause' as const,
    pick: 0,
    ms: 100,
    call: 'commit' as const,
    ...fault,
  }))
  const trace = await runPlan({ ...CALM, faults: complete }, await storeFactory('sqlite'))
  assert.equal(trace.violation, null, `${trace.violation?.promise}: ${trace.violation?.detail}`)
  return trace
}

describe('guarantees hold', () => {
  it('if a worker is paused for longer than its leases', async () => {
    const { lines } = await run([{ kind: 'pause', atMs: 700, ms: LEASE_MS * 2 }])
    assert.ok(lines.some((line) => line.includes('has lost [') || line.includes('LATE')))
  })

  it('if every report is sent twice', async () => {
    const twice = { kind: 'delivered twice' as const, ms: 400 }
    const { lines } = await run([0, 1, 2, 3].map((n) => ({ ...twice, atMs: 200 + n * 400, pick: n })))
    assert.ok(lines.some((line) => line.includes('LATE')))
  })

  for (const kind of ['request lost', 'reply lost', 'error before', 'error after'] satisfies FaultKind[]) {
    for (const call of ['lease', 'commit', 'renew', 'robots'] as const) {
      it(`if a call fails: ${kind}, ${call}`, async () => {
        const { faults, lines } = await run([{ kind, call, atMs: 0 }])
        assert.ok(isCallFault(kind) && faults.get(kind) === 1, lines.join('\n'))
        assert.ok(lines.some((line) => line.includes('fails:')))
      })
    }
  }
})
