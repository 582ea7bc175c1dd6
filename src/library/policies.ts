// The policies of hosts, which all crawls of a store follow.

import { changePolicy, requireHost, withPolicyAdmin } from '../cli/policy-admin.ts'
import { explainPolicies } from '../config/policies/explain-policies.ts'
import { toFieldRow } from '../config/policies/policy.ts'
import type { Config } from '../config/schema.ts'
import { AppError } from '../lib/errors.ts'
import type { PolicyReader } from '../ports/policies.ts'
import { openers } from '../setup/openers.ts'
import { toCamelCase, toSnakeNames } from './field-names.ts'

/** A policy makes a crawl politer, never less polite than its own settings. */
export interface PolicyValues {
  /** Multiplies the priority of the URLs, 0.1 to 10. */
  weight?: number
  /** Gap between requests to a host, in ms. */
  delay?: number
  /** Maximum requests in flight per host. */
  perHost?: number
  /** Maximum requests per second per host, on average. */
  rate?: number
  /** Requests that may be sent at once after a pause; needs a rate. */
  burst?: number
  /** Maximum pages per host and crawl. */
  maxPages?: number
  /** Shortest interval between visits of a URL, such as '6h'. */
  recrawlMin?: string
  /** Longest interval between visits of a URL. */
  recrawlMax?: string
}

export interface HostPolicy extends PolicyValues {
  /** A host name, or a pattern such as *.example.com. */
  host: string
  updatedAt: Date
}

/** A value that applies to a host. */
export interface AppliedValue {
  name: keyof PolicyValues
  value: string | number
  /** The host or pattern of the policy that it comes from. */
  policy: string
}

export interface PolicyControl {
  /** All policies, sorted by host. */
  list(): Promise<HostPolicy[]>
  /**
   * Sets values of a host or pattern and keeps the others; null removes a value. Running crawls apply the change at
   * once.
   */
  set(host: string, values: { [Name in keyof PolicyValues]: PolicyValues[Name] | null }): Promise<void>
  delete(host: string): Promise<void>
  /** The values that apply to a host, and the policy that each value comes from. */
  explain(host: string): Promise<AppliedValue[]>
}

export function makePolicyControl(config: Config, policies: PolicyReader): PolicyControl {
  return {
    async list() {
      return (await policies.list()).map((policy) => {
        const values = Object.entries(toFieldRow(policy)).map(([name, value]) => [toCamelCase(name), value])
        return {
          host: policy.host,
          ...(Object.fromEntries(values) as PolicyValues),
          updatedAt: new Date(policy.updatedAt),
        }
      })
    },
    async set(host, values) {
      const change = { host: requireHost(host), values: toSnakeNames(values) as Record<string, unknown> }
      await withPolicyAdmin(config, openers, async (admin) => {
        const known = await admin.list()
        await admin.set([withProgramNames(() => changePolicy(known, change))])
      })
    },
    delete: async (host) => {
      const known = requireHost(host)
      await withPolicyAdmin(config, openers, (admin) => admin.remove(known))
    },
    async explain(host) {
      const values = explainPolicies(await policies.list(), requireHost(host))
      return values.map(({ name, ...rest }) => ({ name: toCamelCase(name) as keyof PolicyValues, ...rest }))
    },
  }
}

function withProgramNames<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw error instanceof AppError ? new AppError(error.code, toCamelCase(error.message)) : error
  }
}
