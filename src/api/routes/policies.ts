// Handlers for the policies of hosts.

import type { z } from 'zod'
import { explainPolicies } from '../../config/policies/explain-policies.ts'
import { POLICY_FIELD_NAMES, type PolicyFieldName, parsePolicy, toFieldRow } from '../../config/policies/policy.ts'
import { AppError } from '../../lib/errors.ts'
import { isoTime } from '../../lib/iso-time.ts'
import type { StoredPolicy } from '../../ports/policies.ts'
import type { Policy } from '../contract/policies.ts'
import type { ApiDependencies, HandlersFor } from '../handlers.ts'
import { invalidFieldsError } from '../requests/request-error.ts'

export function policyHandlers(
  dependencies: ApiDependencies,
): HandlersFor<'listPolicies' | 'explainPolicy' | 'setPolicy' | 'deletePolicy'> {
  const { policies } = dependencies
  return {
    async listPolicies() {
      const rows = await policies.list()
      return { items: rows.map(policyJson), next_cursor: null, total: rows.length }
    },
    async explainPolicy({ query }) {
      const host = query.host.trim().toLowerCase()
      const values = explainPolicies(await policies.list(), host)
      const patterns = Object.fromEntries(values.map(({ name, policy }) => [name, policy]))
      return { host, ...fieldsJson(Object.fromEntries(values.map(({ name, value }) => [name, value]))), patterns }
    },
    async setPolicy({ params, body }) {
      const parsed = parsePolicy({ ...body, host: params.host })
      if ('problems' in parsed) {
        const problems = parsed.problems.map(({ field, message }) => ({
          field: field === 'host' ? 'params.host' : `body.${field}`,
          message,
        }))
        throw invalidFieldsError('BAD_CONFIG', problems)
      }
      await policies.set([parsed.policy])
      const saved = (await policies.list()).find(({ host }) => host === parsed.policy.host)
      if (saved === undefined) throw policyNotFoundError(parsed.policy.host)
      return policyJson(saved)
    },
    async deletePolicy({ params }) {
      const host = params.host.trim().toLowerCase()
      if (!(await policies.remove(host))) throw policyNotFoundError(host)
    },
  }
}

export function policyNotFoundError(host: string): AppError {
  return new AppError('POLICY_NOT_FOUND', `There is no policy for ${host}.`)
}

function policyJson(policy: StoredPolicy): z.output<typeof Policy> {
  return { host: policy.host, ...fieldsJson(toFieldRow(policy)), updated_at: isoTime(policy.updatedAt) }
}

type FieldRow = ReturnType<typeof toFieldRow>

function fieldsJson(row: FieldRow): Record<PolicyFieldName, string | number | null> {
  return Object.fromEntries(POLICY_FIELD_NAMES.map((name) => [name, row[name] ?? null])) as Record<
    PolicyFieldName,
    string | number | null
  >
}
