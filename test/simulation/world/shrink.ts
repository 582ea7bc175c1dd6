// Makes a failing plan smaller: fewer faults, workers, hosts and pages, plainer settings, as long as the same promise is
// broken.

import type { Plan } from './plan.ts'
import type { Trace } from './trace.ts'

export interface Failure {
  plan: Plan
  trace: Trace
}

const MAX_MS = 30_000

export async function shrink(failure: Failure, run: (plan: Plan) => Promise<Trace>): Promise<Failure> {
  const started = performance.now()
  const promise = failure.trace.broken?.promise
  let least = failure
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false
    for (const plan of smaller(least.plan)) {
      if (performance.now() - started > MAX_MS) return least
      const trace = await run(plan)
      if (trace.broken?.promise !== promise) continue
      least = { plan, trace }
      isSmaller = true
      break
    }
  }
  return least
}

/** What takes most away comes first. */
function* smaller(plan: Plan): Generator<Plan> {
  const { faults, web, settings } = plan
  const half = Math.floor(faults.length / 2)
  if (half > 0) {
    yield { ...plan, faults: faults.slice(0, half) }
    yield { ...plan, faults: faults.slice(half) }
  }
  for (const fault of faults) yield { ...plan, faults: faults.filter((other) => other !== fault) }
  if (plan.cancelAtMs !== null) yield { ...plan, cancelAtMs: null }
  if (plan.hasFleet) yield { ...plan, hasFleet: false }
  if (plan.crawls > 1) yield { ...plan, crawls: 1 }
  if (plan.workers > 1) yield { ...plan, workers: plan.workers - 1 }
  if (web.hosts > 1) yield { ...plan, web: { ...web, hosts: web.hosts - 1 } }
  if (web.pagesPerHost > 1) {
    yield { ...plan, web: { ...web, pagesPerHost: Math.ceil(web.pagesPerHost / 2) } }
    yield { ...plan, web: { ...web, pagesPerHost: web.pagesPerHost - 1 } }
  }
  const plain = { maxDepth: null, maxPages: null, ignoreRobots: true, cooldownMs: 0, delayMs: 0, perHost: 1 }
  for (const [name, value] of Object.entries(plain)) {
    const changed = { ...settings, [name]: value }
    if (JSON.stringify(changed) !== JSON.stringify(settings)) yield { ...plan, settings: changed }
  }
}
