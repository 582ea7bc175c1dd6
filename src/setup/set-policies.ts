import { isDeepStrictEqual } from 'node:util'
import { readPolicyFile } from '../cli/files/policy-file.ts'
import { toPolicyRow } from '../config/policies/policy.ts'
import type { Policies } from '../ports/policies.ts'

/** Sets the policies of a file. Unchanged policies are skipped: every change makes threads release their leases. */
export async function setPoliciesFromFile(path: string, policies: Policies): Promise<void> {
  const wanted = await readPolicyFile(path)
  const known = new Map((await policies.list()).map((policy) => [policy.host, toPolicyRow(policy)]))
  const changed = wanted.filter((policy) => !isDeepStrictEqual(known.get(policy.host), toPolicyRow(policy)))
  if (changed.length > 0) await policies.set(changed)
}
