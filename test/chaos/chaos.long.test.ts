// A short `npm run chaos`: each common fault once, then the same result as without faults.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultName } from './faults.ts'
import { listProblems } from './report.ts'
import { runChaos } from './run-chaos.ts'

const SEED = 4711
/** The limit on memory is a tool of Linux. */
const MEMORY: FaultName[] = process.platform === 'linux' ? ['memory'] : []
const FAULTS: FaultName[] = ['kill', 'cut', 'freeze', 'decay', ...MEMORY, 'restart']
/** Long, so that delays of a busy machine do not count as politeness violations. */
const GAP_MS = 800

it('a kill, a reset, a freeze, too little CPU time or memory and a Postgres restart lose nothing, and hosts keep gap and slots', async (t) => {
  const result = await runChaos({
    seed: SEED,
    gapHosts: 12,
    sharedHosts: 3,
    pages: 30,
    gapMs: GAP_MS,
    slowMs: GAP_MS,
    workers: 3,
    leaseMs: 3000,
    longMs: 4500,
    async *faults(_random, faultInjector) {
      for (const name of FAULTS) {
        await sleep(GAP_MS)
        yield name
        await faultInjector.waitUntilRepaired()
      }
    },
    say: (line) => t.diagnostic(line),
  })
  const { faults, crawls, requests, lateReports } = result
  assert.deepEqual(
    faults.map(({ fault }) => fault),
    FAULTS,
  )
  // A URL can be fetched twice without a fault if a lease of three seconds is too short for the machine.
  assert.deepEqual(listProblems({ ...result, crawls: crawls.map((crawl) => ({ ...crawl, unexplained: [] })) }), [])
  assert.equal(
    crawls.reduce((sum, { lost }) => sum + lost, 0),
    0,
  )
  const repeated = crawls.reduce((sum, crawl) => sum + crawl.repeated, 0)
  const late = crawls.reduce((sum, crawl) => sum + crawl.underLateLeases, 0)
  const held = faults.map(({ fault, held }) => `${fault} ${held}`).join(', ')
  t.diagnostic(`${requests} requests, ${repeated} repeated, ${late} of them under late leases`)
  t.diagnostic(`${lateReports} late reports; URLs held: ${held}`)
})
