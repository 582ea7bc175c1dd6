import { POLICY_FIELD_NAMES, POLICY_KINDS, type Policy, type PolicyFieldName, toFieldRow } from './policy.ts'
import { PolicyTable } from './policy-table.ts'

/** A value that applies to a host, and the pattern of the policy that it comes from. */
export interface ExplainedValue {
  name: PolicyFieldName
  value: string | number
  policy: string
}

/** Values that apply to a host, in the order of tables. */
export function explainPolicies(policies: readonly Policy[], host: string): ExplainedValue[] {
  const found = new PolicyTable(policies).resolve(host.trim().toLowerCase())
  if (found === null) return []
  const row = toFieldRow(found)
  return POLICY_FIELD_NAMES.flatMap((name) => {
    const value = row[name]
    // A burst belongs to its rate.
    const policy = found.patterns[name === 'burst' ? 'rate' : POLICY_KINDS[name].field]
    return value === undefined || policy === undefined ? [] : [{ name, value, policy }]
  })
}
