// A simulation before it starts, generated from one seed: its web, settings, workers and faults.

import { seededRandom } from '../../../src/lib/seeded-random.ts'
import { TEST_SETTINGS } from '../../../src/ports/contracts/testing/store-harness.ts'
import type { CrawlSettings } from '../../../src/ports/crawls.ts'
import { makeFaults, makeOwnerActions, type PlannedFault } from './planned-faults.ts'
import { makePolicies, type PlannedPolicy } from './planned-policies.ts'
import type { GeneratedWebOptions } from './web/generated-web.ts'

export interface SimulationPlan {
  seed: number
  web: GeneratedWebOptions
  crawls: number
  workers: number
  /** Concurrent requests of one worker to one host without a gap. */
  slotsPerHost: number
  settings: Pick<
    CrawlSettings,
    'delayMs' | 'perHost' | 'maxDepth' | 'maxPages' | 'ignoreRobots' | 'cooldownMs' | 'recrawl'
  >
  faults: PlannedFault[]
  /** When the crawls are cancelled; null if they are not. */
  cancelAtMs: number | null
  /** Workers send heartbeats, and leases of lost workers are requeued before they expire. */
  hasFleet: boolean
  policies: PlannedPolicy[]
}

/** Three renewals, each longer than the slowest response of the web. */
export const LEASE_MS = 12_000
/** Longer than the heartbeat timeout of a worker. */
const FLEET_LEASE_MS = 60_000

export function leaseDurationMs({ hasFleet }: SimulationPlan): number {
  return hasFleet ? FLEET_LEASE_MS : LEASE_MS
}

export function makePlan(seed: number): SimulationPlan {
  const random = seededRandom(seed)
  const perHost = random.pick([1, 1, 2, 3])
  const simulationPlan: SimulationPlan = {
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
      recrawl: chooseRecrawl(seed),
    },
    faults: makeFaults(random, random.below(18)),
    cancelAtMs: random.chance(0.08) ? random.below(5000) : null,
    hasFleet: seed % 3 === 0,
    policies: [],
  }
  simulationPlan.policies = makePolicies(seed, simulationPlan.web.hosts)
  // Without a gap, hosts are shared and topped up unless a policy says otherwise.
  if (simulationPlan.policies.length > 0 && seed % 8 === 2) {
    simulationPlan.slotsPerHost = 1
    simulationPlan.settings = { ...simulationPlan.settings, delayMs: 0, perHost: 3, ignoreRobots: true, maxPages: null }
  }
  if (random.chance(0.5)) return simulationPlan
  const faults = [...simulationPlan.faults, ...makeOwnerActions(random, 1 + random.below(4))].sort(
    (a, b) => a.atMs - b.atMs,
  )
  return { ...simulationPlan, faults, crawls: random.chance(0.4) ? 2 : simulationPlan.crawls }
}

/** One in three crawls is recrawled; in every second of these, the store decides when. */
function chooseRecrawl(seed: number): CrawlSettings['recrawl'] {
  if (seed % 3 !== 1) return 'off'
  return seed % 2 === 0 ? 'adaptive' : 2000 + (seed % 7) * 3000
}

export function toCrawlSettings(simulationPlan: SimulationPlan): CrawlSettings {
  // More retries than any page has failures, and unlimited host patience, so that outcomes do not depend on time.
  return {
    ...TEST_SETTINGS,
    ...simulationPlan.settings,
    concurrency: 8,
    retries: 4,
    maxBodyBytes: 100_000,
    traps: false,
    documents: false,
    hostPatienceMs: 86_400_000,
    recrawlMinMs: 2000,
    recrawlMaxMs: 12_000,
  }
}
