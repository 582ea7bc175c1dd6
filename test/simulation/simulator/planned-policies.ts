// Policies of hosts in a simulation, and the rules that follow for a host at a time. Computed from the plan alone: it
// must not use the code that resolves policies.

import { EMPTY_POLICY, type Policy } from '../../../src/config/policies/policy.ts'
import { type SeededRandom, seededRandom } from '../../../src/lib/seeded-random.ts'

export interface PlannedPolicy {
  /** 0: before the crawls start. */
  atMs: number
  /** Policy of a host, never of a pattern, so that the latest policy of a host is the one that counts. */
  policy: Policy
}

/** Rules that requests to a host have to follow. */
export interface HostRules {
  perHost: number
  gapMs: number
  rate: { perSecond: number; burst: number } | null
}

/**
 * Until this time has passed, threads may still have the host under the previous policy: a call may be late, or its
 * worker paused.
 */
const GRACE_MS = 90_000

/** Uses separate random numbers, so that the rest of a plan stays the same. */
export function makePolicies(seed: number, hosts: number): PlannedPolicy[] {
  if (seed % 4 !== 2) return []
  const random = seededRandom(seed + 77_000)
  const planned: PlannedPolicy[] = []
  for (let host = 0; host < hosts; host++) {
    if (random.chance(0.7)) planned.push({ atMs: 0, policy: makePolicy(random, host) })
    if (random.chance(0.3)) planned.push({ atMs: 200 + random.below(5000), policy: makePolicy(random, host) })
  }
  return planned
}

function makePolicy(random: SeededRandom, host: number): Policy {
  const rate = random.chance(0.6) ? random.pick([0.3, 0.5, 1, 2, 4, 8]) : null
  return {
    ...EMPTY_POLICY,
    host: `h${host}.test`,
    weight: random.pick([null, 0.1, 3]),
    delayMs: random.chance(0.3) ? 50 + random.below(1500) : null,
    perHost: random.chance(0.4) ? 1 + random.below(2) : null,
    rate,
    burst: rate === null ? null : 1 + random.below(5),
    maxPages: random.chance(0.3) ? 1 + random.below(6) : null,
  }
}

/** The least strict rules among all policies that a thread may know at this time. `own` are the rules of the crawl. */
export function hostRulesAt(
  planned: readonly PlannedPolicy[],
  own: { perHost: number; delayMs: number | 'auto'; autoGapMs: number },
  { host, atMs }: { host: string; atMs: number },
): HostRules {
  const ofHost = planned.filter(({ policy, atMs: from }) => policy.host === host && from <= atMs)
  const settled = ofHost.findLast(({ atMs: from }) => from === 0 || from + GRACE_MS <= atMs)
  const recent = ofHost.filter((one) => one !== settled && one.atMs > (settled?.atMs ?? -1))
  const known = [settled?.policy ?? EMPTY_POLICY, ...recent.map(({ policy }) => policy)]
  const rules = known.map(({ perHost, delayMs, rate, burst }) => ({
    perHost: Math.min(own.perHost, perHost ?? own.perHost),
    gapMs: own.delayMs === 'auto' ? (delayMs ?? own.autoGapMs) : Math.max(own.delayMs, delayMs ?? 0),
    rate: rate === null ? null : { perSecond: rate, burst: burst ?? 1 },
  }))
  return {
    perHost: Math.max(...rules.map(({ perHost }) => perHost)),
    gapMs: Math.min(...rules.map(({ gapMs }) => gapMs)),
    rate: rules.length === 1 ? (rules[0]?.rate ?? null) : null,
  }
}

/** Whether a limit of pages may exclude URLs. */
export function limitsPages(planned: readonly PlannedPolicy[]): boolean {
  return planned.some(({ policy }) => policy.maxPages !== null)
}

/** The most pages that a host may have; null: no limit. Only if its policy never changed. */
export function maxPagesOf(planned: readonly PlannedPolicy[], host: string): number | null {
  const ofHost = planned.filter(({ policy }) => policy.host === host)
  return ofHost.length === 1 && ofHost[0]?.atMs === 0 ? ofHost[0].policy.maxPages : null
}
