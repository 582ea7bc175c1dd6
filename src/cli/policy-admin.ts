// The policies of hosts for the command line and the library: of a server, or in a store that this process opens.

import type { Client } from '../api/client.ts'
import { policyNotFoundError } from '../api/routes/policies.ts'
import { type Policy, parsePolicy, toPolicyRow } from '../config/policies/policy.ts'
import type { Config } from '../config/schema.ts'
import { AppError } from '../lib/errors.ts'
import type { Policies } from '../ports/policies.ts'
import type { Openers } from './io.ts'
import { callServer, createServerClient } from './remote-server.ts'
import { withControlSession } from './with-control-session.ts'

export interface PolicyAdmin {
  list(): Promise<Policy[]>
  set(policies: Policy[]): Promise<void>
  remove(host: string): Promise<void>
}

export interface PolicyChange {
  host: string
  /** Values by their names in a row. Null removes a value of the policy, undefined keeps it. */
  values: Record<string, unknown>
}

export function requireHost(host: unknown): string {
  if (typeof host === 'string' && host.trim() !== '') return host.trim().toLowerCase()
  throw new AppError('USAGE', 'Give a host or a pattern, such as *.example.com.')
}

/** The policy of the host with new values. */
export function changePolicy(policies: readonly Policy[], { host, values }: PolicyChange): Policy {
  const known = policies.find((policy) => policy.host === host)
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
  const parsed = parsePolicy({ ...(known === undefined ? {} : toPolicyRow(known)), ...given, host })
  if ('policy' in parsed) return parsed.policy
  const lines = parsed.problems.map(({ field, message }) => `${field}: ${message}`)
  throw new AppError('BAD_CONFIG', `The policy is invalid:\n  ${lines.join('\n  ')}`)
}

export async function withPolicyAdmin<T>(
  config: Config,
  { openControlSession }: Pick<Openers, 'openControlSession'>,
  run: (admin: PolicyAdmin) => Promise<T>,
): Promise<T> {
  const client = createServerClient(config)
  if (client !== null) return callServer(client, () => run(serverPolicyAdmin(client)))
  const opening = openControlSession({ ...config, policies: null }, true)
  return withControlSession(opening, ({ policies }) => run(storePolicyAdmin(policies)))
}

function storePolicyAdmin(policies: Policies): PolicyAdmin {
  return {
    list: () => policies.list(),
    set: (wanted) => policies.set(wanted),
    async remove(host) {
      if (!(await policies.remove(host))) throw policyNotFoundError(host)
    },
  }
}

function serverPolicyAdmin(client: Client): PolicyAdmin {
  return {
    async list() {
      const { items } = await client.listPolicies()
      return items.flatMap(({ updated_at: _at, ...row }) => {
        const parsed = parsePolicy(row)
        return 'policy' in parsed ? [parsed.policy] : []
      })
    },
    async set(wanted) {
      for (const policy of wanted) {
        const { host, ...body } = toPolicyRow(policy)
        await client.setPolicy({ params: { host }, body })
      }
    },
    remove: (host) => client.deletePolicy({ params: { host } }),
  }
}
