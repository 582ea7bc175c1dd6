// Reads a file of policies: a JSON list of rows, such as {"host": "*.example.com", "delay": 2000}.

import { readFile } from 'node:fs/promises'
import { type Policy, parsePolicy } from '../../config/policies/policy.ts'
import { AppError } from '../../lib/errors.ts'
import { fileError } from './file-error.ts'

const MAX_SHOWN = 20

/** One problem rejects the whole file; the error names every problem. */
export async function readPolicyFile(path: string): Promise<Policy[]> {
  const rows = parseRows(path, await readText(path))
  const policies = new Map<string, Policy>()
  const problems: string[] = []
  for (const [i, row] of rows.entries()) {
    const parsed = parsePolicy(row)
    if ('problems' in parsed) {
      problems.push(...parsed.problems.map(({ field, message }) => `row ${i + 1}${field && `, ${field}`}: ${message}`))
    } else if (policies.has(parsed.policy.host))
      problems.push(`row ${i + 1}, host: ${parsed.policy.host} is set twice.`)
    else policies.set(parsed.policy.host, parsed.policy)
  }
  if (problems.length === 0) return [...policies.values()]
  const shown = problems.slice(0, MAX_SHOWN)
  if (problems.length > MAX_SHOWN) shown.push(`And ${problems.length - MAX_SHOWN} more.`)
  throw new AppError('BAD_CONFIG', `${path} has invalid policies:\n  ${shown.join('\n  ')}`)
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw fileError('read', path, cause)
  }
}

function parseRows(path: string, text: string): unknown[] {
  let rows: unknown
  try {
    rows = JSON.parse(text)
  } catch (cause) {
    throw new AppError('BAD_CONFIG', `${path} is not valid JSON.`, { cause })
  }
  if (!Array.isArray(rows))
    throw new AppError(
      'BAD_CONFIG',
      `${path} must be a JSON list of policies, such as [{"host": "*.example.com", "delay": 2000}].`,
    )
  return rows
}
