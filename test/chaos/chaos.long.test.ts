// The short form of `npm run chaos`: one of each of the usual faults, and in the end a result as without them.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultName } from './faults.ts'
import { listProblems } from './report.ts'
import { runChaos } from './run-chaos.ts'

const SEED = 4711
const FAULTS: FaultName[] = ['kill', 'cut', 'freeze', 'restart']
/** Long, so that a busy machine is not taken for an impolite crawler. */
const GAP_MS = 800

it('a kill, a cut, a freeze and a restart of Postgres lose nothing, and hosts keep their gap and slots', async (t) => {
  const result = await runChaos({
    ...{ seed: SEED, gapHosts: 12, sharedHosts: 3, pages: 20, gapMs: GAP_MS, slowMs: GAP_MS },
    ...{ workers: 3, leaseMs: 3000, longMs: 4500 },
    async *faults(_random, faultInjector) {
      for (const name of FAULTS) {
        await sleep(GAP_MS)
        yield name
        await faultInjector.waitUntilRepaired()
      }
    },
    say: (line) => t.diagnostic(line),
  })
  const { strikes, crawls, requests, lateReports } = result
  assert.deepEqual(
    strikes.map(({ fault }) => fault),
    FAULTS,
  )
  // That a url is fetched twice without a fault can happen where a lease of three seconds is short for the machine.
  assert.deepEqual(listProblems({ ...result, crawls: crawls.map((crawl) => ({ ...crawl, unexplained: [] })) }), [])
  assert.equal(
    crawls.reduce((sum, { lost }) => sum + lost, 0),
    0,
  )
  const repeated = crawls.reduce((sum, crawl) => sum + crawl.repeated, 0)
  const held = strikes.map(({ fault, held }) => `${fault} ${held}`).join(', ')
  t.diagnostic(`${requests} requests, ${repeated} repeated, ${lateReports} late reports; urls in hand: ${held}`)
})
