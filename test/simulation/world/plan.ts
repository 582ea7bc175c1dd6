// A world before it begins, made from one number: its web, its settings, its workers and what goes wrong.

import { seededRandom } from '../../../src/demo/random.ts'
import type { CrawlSettings } from '../../../src/ports/crawls.ts'
import { SETTINGS } from '../../../src/ports/store.contract.ts'
import { type Fault, makeFaults, makeMoves } from './faults.ts'
import type { WebShape } from './web.ts'

export interface Plan {
  seed: number
  web: WebShape
  crawls: number
  workers: number
  /** Requests at a time that one worker gives to one host without a gap. */
  slotsPerHost: number
  settings: Pick<CrawlSettings, 'delayMs' | 'perHost' | 'maxDepth' | 'maxPages' | 'ignoreRobots' | 'cooldownMs'>
  faults: Fault[]
  /** When the crawls are cancelled, if they are. */
  cancelAtMs: number | null
  /** Workers beat, and what those that fell silent hold is taken back before it lapses. */
  hasFleet: boolean
}

/** Three renewals, each longer than the slowest answer of the web. */
export const LEASE_MS = 12_000
/** Longer than the silence after which a worker is lost. */
const FLEET_LEASE_MS = 60_000

export function leaseMsOf({ hasFleet }: Plan): number {
  return hasFleet ? FLEET_LEASE_MS : LEASE_MS
}

export function makePlan(seed: number): Plan {
  const random = seededRandom(seed)
  const perHost = random.pick([1, 1, 2, 3])
  const plan: Plan = {
    seed,
    web: { seed: random.below(2 ** 31), hosts: 1 + random.below(4), pagesPerHost: 3 + random.below(9) },
    crawls: random.chance(0.25) ? 2 : 1,
    workers: 1 + random.below(4),
    slotsPerHost: 1 + random.below(perHost),
    settings: {
      delayMs: random.pick([0, 0, 100, 800, 'auto']),
      perHost,
      maxDepth: random.chance(0.3) ? random.below(5) : null,
      maxPages: random.chance(0.15) ? 1 + random.below(20) : null,
      ignoreRobots: random.chance(0.3),
      cooldownMs: random.pick([0, 100]),
    },
    faults: makeFaults(random, random.below(18)),
    cancelAtMs: random.chance(0.08) ? random.below(5000) : null,
    hasFleet: seed % 3 === 0,
  }
  if (random.chance(0.5)) return plan
  const faults = [...plan.faults, ...makeMoves(random, 1 + random.below(4))].sort((a, b) => a.atMs - b.atMs)
  return { ...plan, faults, crawls: random.chance(0.4) ? 2 : plan.crawls }
}

export function settingsOf(plan: Plan): CrawlSettings {
  // More retries than anything in the web fails, and patience without end, so that outcomes do not depend on time.
  return {
    ...SETTINGS,
    ...plan.settings,
    concurrency: 8,
    retries: 4,
    maxBodyBytes: 100_000,
    traps: false,
    documents: false,
    hostPatienceMs: 86_400_000,
  }
}
