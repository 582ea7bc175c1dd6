import { z } from 'zod'
import { POLICY_FIELD_NAMES, POLICY_KINDS, type PolicyFieldName } from '../../config/policies/policy.ts'
import { paginated } from './pagination.ts'
import { route } from './route.ts'

const value = z.union([z.number(), z.string()]).nullable()

/** All fields. Null means that the policy does not set the field. */
const fields = z.object(
  Object.fromEntries(POLICY_FIELD_NAMES.map((name) => [name, value.describe(POLICY_KINDS[name].help)])) as Record<
    PolicyFieldName,
    typeof value
  >,
)

export const Policy = fields.extend({
  host: z.string().describe('A host name, or a pattern such as *.example.com.'),
  updated_at: z.iso.datetime(),
})

const hostParams = z.object({ host: z.string().min(1).max(300).describe('A host name or a pattern.') })

export const policyRoutes = {
  listPolicies: route({
    summary: 'List the policies of hosts',
    scope: 'read',
    response: paginated(Policy),
  }),
  explainPolicy: route({
    summary: 'Get what applies to a host, and the policy that each value comes from',
    scope: 'read',
    query: z.object({ host: z.string().min(1).max(300) }),
    response: fields.extend({
      host: z.string(),
      patterns: z.partialRecord(z.enum(POLICY_FIELD_NAMES), z.string()).describe('The deciding policy of each value.'),
    }),
  }),
  setPolicy: route({
    summary: 'Set the policy of a host or pattern, for all crawls, effective at once; it replaces the previous one',
    scope: 'admin',
    params: hostParams,
    body: z
      .record(z.string(), z.unknown())
      .describe(
        'The fields to set, as in a policy file: weight, delay, per_host, rate, burst, max_pages, recrawl_min, recrawl_max.',
      ),
    response: Policy,
    errors: ['BAD_CONFIG'],
  }),
  deletePolicy: route({
    summary: 'Delete the policy of a host or pattern',
    scope: 'admin',
    params: hostParams,
    response: null,
    status: 204,
    errors: ['POLICY_NOT_FOUND'],
  }),
}
