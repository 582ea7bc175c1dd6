// `npm run chaos`: real workers on a real Postgres crawl a generated web while the workers, the network, the disk and
// Postgres are broken at random. Flags: --minutes N of faults, --workers N, --seed N to replay the order of the faults,
// --fault NAME for some faults only.

import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { SeededRandom } from '../../src/lib/seeded-random.ts'
import { SHARED_HOST_SLOTS } from './chaos-web.ts'
import { FAULTS, type FaultName } from './faults.ts'
import { listProblems, listSlowRecoveries, printReport } from './report.ts'
import { runChaos } from './run-chaos.ts'

const LEASE_MS = 10_000
/** Longer than a lease and than the heartbeat timeout of a worker. */
const LONG_MS = 22_000
const GAP_MS = 200
const GAP_HOSTS = 24
const SHARED_HOSTS = 8
const FIRST_FAULT_MS = 5000
const MAX_PAUSE_MS = 8000
/** Share of the pages that a host could serve in that time; faults and slow machines take the rest. */
const PAGES_SHARE = 0.7

const names = Object.keys(FAULTS) as FaultName[]
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    workers: { type: 'string', default: '4' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    fault: { type: 'string', multiple: true, default: names },
  },
})
const forMs = toNumber('minutes', values.minutes) * 60_000
const seed = toNumber('seed', values.seed)
const chosen = values.fault.map(toFault)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
console.log(`seed ${seed}`)
const startedAt = performance.now()
const result = await runChaos({
  seed,
  gapHosts: GAP_HOSTS,
  sharedHosts: SHARED_HOSTS,
  pages: Math.ceil((PAGES_SHARE * forMs) / GAP_MS),
  gapMs: GAP_MS,
  // Gives both kinds of hosts the same request rate.
  slowMs: GAP_MS * SHARED_HOST_SLOTS,
  workers: toNumber('workers', values.workers),
  leaseMs: LEASE_MS,
  longMs: LONG_MS,
  faults,
  say: (line) => console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(7)} s  ${line}`),
})
printReport(result)
const isGood = listProblems(result).length + listSlowRecoveries(result).length === 0
console.log(
  isGood ? '\nNothing was lost, and every host was treated politely.' : '\nThe run failed; see the problems above.',
)
process.exitCode = isGood ? 0 : 1

/** Yields every kind once in random order, then again. */
async function* faults(seededRandom: SeededRandom): AsyncGenerator<FaultName> {
  const end = performance.now() + forMs
  await sleep(FIRST_FAULT_MS)
  for (;;) {
    const left = [...chosen]
    while (left.length > 0) {
      if (performance.now() > end) return
      const name = seededRandom.pick(left)
      left.splice(left.indexOf(name), 1)
      yield name
      await sleep(seededRandom.below(MAX_PAUSE_MS))
    }
  }
}

function toFault(text: string): FaultName {
  const name = names.find((known) => known === text)
  if (name === undefined) throw new Error(`Unknown fault "${text}". Choose one of: ${names.join(', ')}`)
  return name
}

function toNumber(flag: string, text: string): number {
  const number = Number(text)
  if (text === '' || !(number > 0)) throw new Error(`--${flag} must be a number above 0, not "${text}".`)
  return number
}
