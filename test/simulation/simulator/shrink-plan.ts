// Shrinks a failing plan: fewer faults, workers, hosts and pages, simpler settings, as long as the same guarantee is
// broken.

import type { SimulationPlan } from './simulation-plan.ts'
import type { Trace } from './trace.ts'

export interface FailedRun {
  plan: SimulationPlan
  trace: Trace
}

const MAX_MS = 30_000

export async function shrinkFailure(
  failedRun: FailedRun,
  run: (simulationPlan: SimulationPlan) => Promise<Trace>,
): Promise<FailedRun> {
  const started = performance.now()
  const promise = failedRun.trace.violation?.promise
  let least = failedRun
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false
    for (const simulationPlan of smallerPlans(least.plan)) {
      if (performance.now() - started > MAX_MS) return least
      const trace = await run(simulationPlan)
      if (trace.violation?.promise !== promise) continue
      least = { plan: simulationPlan, trace }
      isSmaller = true
      break
    }
  }
  return least
}

/** The largest reductions come first. */
function* smallerPlans(simulationPlan: SimulationPlan): Generator<SimulationPlan> {
  const { faults, web, settings } = simulationPlan
  const half = Math.floor(faults.length / 2)
  if (half > 0) {
    yield { ...simulationPlan, faults: faults.slice(0, half) }
    yield { ...simulationPlan, faults: faults.slice(half) }
  }
  for (const plannedFault of faults)
    yield { ...simulationPlan, faults: faults.filter((other) => other !== plannedFault) }
  for (const planned of simulationPlan.policies)
    yield { ...simulationPlan, policies: simulationPlan.policies.filter((other) => other !== planned) }
  if (simulationPlan.cancelAtMs !== null) yield { ...simulationPlan, cancelAtMs: null }
  if (simulationPlan.hasFleet) yield { ...simulationPlan, hasFleet: false }
  if (simulationPlan.crawls > 1) yield { ...simulationPlan, crawls: 1 }
  if (simulationPlan.workers > 1) yield { ...simulationPlan, workers: simulationPlan.workers - 1 }
  if (web.hosts > 1) yield { ...simulationPlan, web: { ...web, hosts: web.hosts - 1 } }
  if (web.pagesPerHost > 1) {
    yield { ...simulationPlan, web: { ...web, pagesPerHost: Math.ceil(web.pagesPerHost / 2) } }
    yield { ...simulationPlan, web: { ...web, pagesPerHost: web.pagesPerHost - 1 } }
  }
  const plain = {
    recrawl: 'off',
    maxDepth: null,
    maxPages: null,
    ignoreRobots: true,
    cooldownMs: 0,
    delayMs: 0,
    perHost: 1,
  }
  for (const [name, value] of Object.entries(plain)) {
    const changed = { ...settings, [name]: value }
    if (JSON.stringify(changed) !== JSON.stringify(settings)) yield { ...simulationPlan, settings: changed }
  }
}
