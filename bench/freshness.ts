// `npm run bench:freshness`: how fresh do revisits keep a crawl? Simulates pages that change, in virtual time, and compares
// our policy with others that make the same number of visits. All figures are weighted by importance and measured after a
// learning phase. --pages, --visits (per page and day), --learn and --measure (days), --max (days), --seed, --signals (such
// as none,true). With --store sqlite or postgres, our policy runs on that store, which leases URLs and records visits as in
// a crawl.

import { parseArgs } from 'node:util'
import type { TestStore } from '../src/ports/contracts/testing/store-harness.ts'
import { makeTestStore as makePostgresStore } from '../src/store/testing/postgres-test-store.ts'
import { makeTestStore as makeSqliteStore } from '../src/store/testing/sqlite-test-store.ts'
import { DAY_MS, HOUR_MS } from '../test/simulation/freshness/changing-web.ts'
import {
  type Comparison,
  FIXED_POLICIES,
  gainOf,
  runFixed,
  runNutch,
  runOurs,
  runStore,
} from '../test/simulation/freshness/compare-policies.ts'
import { measureDecision } from '../test/simulation/freshness/decision-cost.ts'
import type { Freshness } from '../test/simulation/freshness/freshness-meter.ts'
import { SIGNAL_WORLDS, type SignalWorld } from '../test/simulation/freshness/signals.ts'
import { runToExitCode } from '../test/testing/run-to-exit-code.ts'

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '100000' },
    visits: { type: 'string', default: '0.25' },
    learn: { type: 'string', default: '90' },
    measure: { type: 'string', default: '30' },
    max: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    store: { type: 'string', default: 'memory' },
    signals: { type: 'string', default: SIGNAL_WORLDS.join(',') },
  },
})
const STORES = {
  memory: null,
  sqlite: async () => makeSqliteStore({ leaseMs: 30_000, random: Math.random }),
  postgres: () => makePostgresStore({ leaseMs: 30_000, random: Math.random }),
} as const
if (!(values.store in STORES)) throw new Error(`--store is one of ${Object.keys(STORES).join(', ')}.`)
const makeStore = STORES[values.store as keyof typeof STORES]
const worlds = SIGNAL_WORLDS.filter((world) => values.signals.split(',').includes(world))
const comparison: Comparison = {
  pages: Number(values.pages),
  seed: Number(values.seed),
  perDay: Number(values.pages) * Number(values.visits),
  bounds: { minMs: HOUR_MS / 6, maxMs: Number(values.max) * DAY_MS },
  learnDays: Number(values.learn),
  measureDays: Number(values.measure),
}
/** Two runs of one policy differ by up to this, since the most important pages depend on chance. */
const NOISE = 0.02

await runToExitCode(async () => {
  const { pages, perDay, learnDays, measureDays } = comparison
  console.log(`${pages} pages, ${perDay} visits a day, measured for ${measureDays} days after ${learnDays} days\n`)
  const knows = makeStore === null ? 'all' : 'store'
  const [uniform, proportional, optimum] = FIXED_POLICIES.map((name) => runFixed(name, comparison, knows))
  if (uniform === undefined || proportional === undefined || optimum === undefined) throw new Error('no results')
  const fixed = { uniform, optimum }
  console.log('policy                     freshness  mean age   gain  visits/day  longest gap')
  const print = (name: string, result: Freshness) => console.log(line(name, result, gainOf(result, fixed)))
  print('uniform', uniform)
  print('proportional, known rates', proportional)
  if (makeStore === null) print('Nutch, adaptive', runNutch(comparison))
  print('optimum, known rates', optimum)
  const ours: { signals: SignalWorld; gain: number; longestGapMs: number }[] = []
  for (const signals of worlds) {
    const result = makeStore === null ? runOurs(signals, comparison) : await runOnStore(makeStore, signals)
    print(`ours, signals: ${signals}`, result)
    ours.push({ signals, gain: gainOf(result, fixed), longestGapMs: result.longestGapMs })
  }
  const decisionUs = measureDecision()
  console.log(`\nCPU per decision: ${decisionUs.toFixed(2)} microseconds\n`)

  const gain = (signals: SignalWorld) => ours.find((result) => result.signals === signals)?.gain ?? Number.NaN
  const goals: [goal: string, isMet: boolean, needs: SignalWorld[]][] = [
    ["at least 95% of the optimum's gain over uniform", gain('none') >= 0.95, ['none']],
    ['true signals: above the optimum without signals', gain('true') > 1, ['true']],
    ['lying signals: no worse than without signals', gain('lying') >= gain('none') - NOISE, ['none', 'lying']],
    [
      'no page unvisited beyond the maximum',
      ours.every(({ longestGapMs }) => longestGapMs <= comparison.bounds.maxMs),
      [],
    ],
    ['less than 20 microseconds of CPU per decision', decisionUs < 20, []],
  ]
  const measured = goals.filter(([, , needs]) => needs.every((signals) => worlds.includes(signals)))
  for (const [goal, isMet] of measured) console.log(`${isMet ? 'met   ' : 'MISSED'}  ${goal}`)
  return measured.every(([, isMet]) => isMet)
})

async function runOnStore(open: () => Promise<TestStore>, signals: SignalWorld): Promise<Freshness> {
  const store = await open()
  try {
    const result = await runStore(store, signals, comparison)
    console.log(
      `CPU of this thread in ${values.store}: ${(1000 * result.cpuMsPerVisit).toFixed(0)} microseconds a visit`,
    )
    return result
  } finally {
    await store.close()
  }
}

function line(name: string, { freshness, ageMs, visitsPerDay, longestGapMs }: Freshness, gain: number): string {
  return [
    name.padEnd(27),
    freshness.toFixed(4).padStart(8),
    `${(ageMs / HOUR_MS).toFixed(1)} h`.padStart(10),
    `${(100 * gain).toFixed(1)}%`.padStart(7),
    visitsPerDay.toFixed(0).padStart(11),
    `${(longestGapMs / DAY_MS).toFixed(1)} days`.padStart(12),
  ].join(' ')
}
