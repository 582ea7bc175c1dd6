// The fields of a policy in the table and the form. The server parses and validates the values.

import type { RouteResponse } from '../../../../src/api/contract/routes.ts'

export type Policy = RouteResponse<'listPolicies'>['items'][number]
export type PolicyFieldName = Exclude<keyof Policy, 'host' | 'updated_at'>
export type PolicyValue = Policy[PolicyFieldName]
export type PolicyDrafts = Readonly<Partial<Record<PolicyFieldName, string>>>

interface PolicyField {
  label: string
  help: string
  /** Unit of the value, shown below its label. */
  unit?: string
  format: (value: NonNullable<PolicyValue>) => string
}

export const POLICY_FIELDS: Record<PolicyFieldName, PolicyField> = {
  weight: {
    label: 'Weight',
    help: 'Multiplies the priority of the URLs, 0.1 to 10.',
    format: (weight) => `weight ${weight}`,
  },
  delay: {
    label: 'Delay',
    help: 'Gap between two requests, in ms. The longer gap of crawl and policy applies.',
    unit: 'ms',
    format: (delay) => `${delay} ms delay`,
  },
  per_host: {
    label: 'Requests per host',
    help: 'Maximum requests in flight.',
    format: (count) => `${count} at a time`,
  },
  rate: {
    label: 'Requests per second',
    help: 'On average. 0.5 is one request every two seconds.',
    format: (rate) => `${rate} requests/s`,
  },
  burst: {
    label: 'Burst',
    help: 'Requests that may come at once after a pause. Needs a rate.',
    format: (count) => `burst of ${count}`,
  },
  max_pages: {
    label: 'Maximum pages',
    help: 'Per host and crawl.',
    format: (count) => `${count} pages at most`,
  },
  recrawl_min: {
    label: 'Shortest interval',
    help: 'Between visits of a URL, such as 15m, 6h or 30d.',
    format: (span) => `revisits after ${span} at the earliest`,
  },
  recrawl_max: {
    label: 'Longest interval',
    help: 'Between visits of a URL, such as 15m, 6h or 30d.',
    format: (span) => `revisits after ${span} at the latest`,
  },
}

export const POLICY_FIELD_NAMES = Object.keys(POLICY_FIELDS) as PolicyFieldName[]

/** The fields of a policy in words: "2000 ms delay, 1 at a time". */
export function policyText(policy: Pick<Policy, PolicyFieldName>): string {
  const parts = POLICY_FIELD_NAMES.flatMap((name) => {
    const value = policy[name]
    return value === null ? [] : [POLICY_FIELDS[name].format(value)]
  })
  return parts.join(', ')
}

export function toDrafts(policy: Pick<Policy, PolicyFieldName>): PolicyDrafts {
  return Object.fromEntries(POLICY_FIELD_NAMES.map((name) => [name, policy[name] === null ? '' : String(policy[name])]))
}

/** The body of a request: empty fields are left open. */
export function fromDrafts(drafts: PolicyDrafts): Record<string, string | number> {
  return Object.fromEntries(
    POLICY_FIELD_NAMES.flatMap((name) => {
      const text = drafts[name]?.trim() ?? ''
      return text === '' ? [] : [[name, Number.isNaN(Number(text)) ? text : Number(text)]]
    }),
  )
}
