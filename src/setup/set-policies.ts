import { isDeepStrictEqual } from 'node:util'
import { readPolicyFile } from '../cli/files/policy-file.ts'
import { toPolicyRow } from '../config/policies/policy.ts'
import type { Policies } from '../ports/policies.ts'

/** Sets the policies of a file. Those that the store has already are not set again: every change costs the threads their leases. */
export async function setPoliciesFromFile(path: string, policies: Policies): Promise<void> {
  const wanted = await readPolicyFile(path)
  const known = new Map((await policies.list()).map((policy) => [policy.host, toPolicyRow(policy)]))
  const changed = wanted.filter((policy) => !isDeepStrictEqual(known.get(policy.host), toPolicyRow(policy)))
  if (changed.length > 0) await policies.set(changed)
}
