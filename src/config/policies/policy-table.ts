// The policies of a store, and which of them apply to a host. For each field, the most specific pattern that sets it
// counts; a burst belongs to its rate.

import { compareSpecificity, matchesHost, withoutPort } from './host-pattern.ts'
import { EMPTY_POLICY, type Policy, type PolicyField, type PolicyFields } from './policy.ts'

/** Values that apply to one host, and the pattern that each field comes from. */
export interface HostPolicy extends PolicyFields {
  patterns: Partial<Record<PolicyField, string>>
}

const FIELDS = (Object.keys(EMPTY_POLICY) as PolicyField[]).filter((field) => field !== 'burst')

export class PolicyTable {
  readonly policies: readonly Policy[]
  readonly #byName = new Map<string, Policy>()
  /** Patterns with `*`, the most specific first. */
  readonly #patterns: Policy[] = []

  constructor(policies: readonly Policy[]) {
    this.policies = policies
    for (const policy of policies) {
      if (policy.host.includes('*')) this.#patterns.push(policy)
      else this.#byName.set(policy.host, policy)
    }
    this.#patterns.sort((a, b) => compareSpecificity(a.host, b.host))
  }

  get isEmpty(): boolean {
    return this.policies.length === 0
  }

  /** Null if no policy applies. */
  resolve(host: string): HostPolicy | null {
    if (this.isEmpty) return null
    let resolved: HostPolicy | null = null
    for (const policy of this.#matching(host)) {
      resolved ??= { ...EMPTY_POLICY, patterns: {} }
      addFields(resolved, policy)
    }
    return resolved
  }

  /** The most specific first. */
  *#matching(host: string): Generator<Policy, void, undefined> {
    const name = withoutPort(host)
    const exact = this.#byName.get(host)
    if (exact !== undefined) yield exact
    const anyPort = name === host ? undefined : this.#byName.get(name)
    if (anyPort !== undefined) yield anyPort
    for (const policy of this.#patterns) if (matchesHost(policy.host, host)) yield policy
  }
}

function addFields(resolved: HostPolicy, policy: Policy): void {
  for (const field of FIELDS) {
    if (resolved[field] !== null || policy[field] === null) continue
    resolved[field] = policy[field]
    resolved.patterns[field] = policy.host
    if (field === 'rate') resolved.burst = policy.burst
  }
}
