import { EMPTY_POLICY, type Policy, type PolicyField } from '../../config/policies/policy.ts'
import type { StoredPolicy } from '../../ports/policies.ts'

/** Column of each field. */
const COLUMNS: Record<PolicyField, string> = {
  weight: 'weight',
  delayMs: 'delay_ms',
  perHost: 'per_host',
  rate: 'rate',
  burst: 'burst',
  maxPages: 'max_pages',
  recrawlMinMs: 'recrawl_min_ms',
  recrawlMaxMs: 'recrawl_max_ms',
}
const FIELDS = Object.keys(COLUMNS) as PolicyField[]

/** Columns in the order of `policyValues`. */
const POLICY_COLUMNS = ['host', 'updated_at', ...Object.values(COLUMNS)]
export const LIST_POLICIES = `select ${POLICY_COLUMNS.join(', ')} from domain_policies order by host`

export function toPolicy(row: Record<string, unknown>): StoredPolicy {
  const policy: StoredPolicy = { ...EMPTY_POLICY, host: String(row['host']), updatedAt: Number(row['updated_at']) }
  for (const field of FIELDS) {
    const value = row[COLUMNS[field]]
    if (value !== null) policy[field] = Number(value)
  }
  return policy
}

export function policyValues(policy: Policy, now: number): (string | number | null)[] {
  return [policy.host, now, ...FIELDS.map((field) => policy[field])]
}

/** Whether visits have to be planned again after this change of one policy. Undefined means no policy. */
export function changesBounds(before: Policy | undefined, after: Policy | undefined): boolean {
  return (['recrawlMinMs', 'recrawlMaxMs'] as const).some(
    (field) => (before?.[field] ?? null) !== (after?.[field] ?? null),
  )
}

/** `placeholder` gets the number of a column, from 1. */
export function savePolicySql(placeholder: (at: number) => string): string {
  const values = POLICY_COLUMNS.map((_, i) => placeholder(i + 1)).join(', ')
  const sets = POLICY_COLUMNS.slice(1).map((name) => `${name} = excluded.${name}`)
  return `insert into domain_policies (${POLICY_COLUMNS.join(', ')}) values (${values})
    on conflict (host) do update set ${sets.join(', ')}`
}
