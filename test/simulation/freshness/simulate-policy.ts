// Runs a policy that learns, in virtual time: URLs come up when they are due, a budget limits the visits.

import { seededRandom } from '../../../src/lib/seeded-random.ts'
import { type ChangingPage, HOUR_MS } from './changing-web.ts'
import { dueQueue } from './due-queue.ts'
import { type Freshness, freshnessMeter } from './freshness-meter.ts'
import { firstSignal, type SignalWorld } from './signals.ts'

export interface SimulatedObservation {
  now: number
  elapsedMs: number
  isChanged: boolean
  hasSignal: boolean
}

export interface RevisitPolicy {
  /** Due time after the visit that found the page. */
  firstDue(page: number, now: number): number
  dueAfterObservation(page: number, observation: SimulatedObservation): number
  /** Called when a page is due: a later time if it should wait, or null. */
  postponedTo(page: number, now: number): number | null
  /** Null if the policy ignores signals. */
  dueAfterSignal(page: number, now: number): number | null
}

export interface VisitBudget {
  /** Visits that may start now. */
  refill(now: number): number
  spend(visits: number): void
}

export interface SimulationPlan {
  pages: ChangingPage[]
  signals: SignalWorld
  budget: VisitBudget
  window: { start: number; end: number }
  seed: number
}

const TICK_MS = 60_000
/** The first crawl takes this long. */
const FIRST_CRAWL_MS = 6 * HOUR_MS

export function simulatePolicy(policy: RevisitPolicy, plan: SimulationPlan): Freshness {
  const { pages, signals: world, budget, window } = plan
  const random = seededRandom(plan.seed)
  const meter = freshnessMeter({ ...window, pages: pages.length })
  const visitedAt = new Float64Array(pages.length)
  const staleAt = new Float64Array(pages.length)
  const hasSignal = new Uint8Array(pages.length)
  const due = dueQueue(pages.length)
  const signals = dueQueue(pages.length)

  const startInterval = (page: number, now: number) => {
    const { [page]: changing } = pages
    if (changing === undefined) return
    const change = changing.process.firstChangeAfter(now)
    visitedAt[page] = now
    staleAt[page] = change
    hasSignal[page] = 0
    if (world !== 'none') signals.set(page, firstSignal(changing, { world, time: now, staleAt: change }, random))
  }
  const endInterval = (page: number, to: number) =>
    meter.add({
      importance: pages[page]?.importance ?? 0,
      from: visitedAt[page] ?? 0,
      staleAt: staleAt[page] ?? 0,
      to,
    })
  const visit = (page: number, now: number) => {
    endInterval(page, now)
    const observation = {
      now,
      elapsedMs: now - (visitedAt[page] ?? 0),
      isChanged: (staleAt[page] ?? 0) <= now,
      hasSignal: hasSignal[page] === 1,
    }
    startInterval(page, now)
    due.set(page, policy.dueAfterObservation(page, observation))
  }

  for (let page = 0; page < pages.length; page++) {
    const now = Math.floor((page / pages.length) * FIRST_CRAWL_MS)
    startInterval(page, now)
    due.set(page, policy.firstDue(page, now))
  }
  for (let now = FIRST_CRAWL_MS; now < window.end; now += TICK_MS) {
    for (let page = signals.takeDue(now); page !== undefined; page = signals.takeDue(now)) {
      hasSignal[page] = 1
      const at = policy.dueAfterSignal(page, now)
      if (at !== null) due.set(page, at)
    }
    const allowed = budget.refill(now)
    let visits = 0
    while (visits < allowed) {
      const page = due.takeDue(now)
      if (page === undefined) break
      const postponedTo = policy.postponedTo(page, now)
      if (postponedTo !== null) {
        due.set(page, postponedTo)
        continue
      }
      visit(page, now)
      visits += 1
    }
    budget.spend(visits)
  }
  for (let page = 0; page < pages.length; page++) endInterval(page, window.end)
  return meter.result()
}
