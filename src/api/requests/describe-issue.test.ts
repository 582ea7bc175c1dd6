import assert from 'node:assert/strict'
import { it } from 'node:test'
import { z } from 'zod'
import { describeIssue } from './describe-issue.ts'

const SCHEMA = z.object({
  text: z.string(),
  limit: z.coerce.number().int().min(1).max(10),
  whole: z.int(),
  state: z.enum(['queued', 'visited']),
  urls: z.array(z.string()).min(1),
  name: z.string().min(1).max(3),
  isOn: z.boolean(),
  either: z.union([z.number(), z.array(z.number())]),
  ours: z.string().refine(() => false, 'It is not ours'),
  gone: z.string(),
})

const GIVEN = { text: 3, limit: 'many', whole: 1.5, state: 'x', urls: [], name: 'long', isOn: 1, either: 'x', ours: '' }

function told(given: Record<string, unknown>): Record<string, string> {
  const { error } = SCHEMA.safeParse(given, { reportInput: true })
  return Object.fromEntries((error?.issues ?? []).map((issue) => [issue.path.join('.'), describeIssue(issue)]))
}

it('what is wrong with a value is told in plain words', () => {
  assert.deepEqual(told(GIVEN), {
    text: 'It must be text.',
    limit: 'It must be a number.',
    whole: 'It must be a whole number.',
    state: 'It must be one of queued, visited.',
    urls: 'It must have at least 1 entry.',
    name: 'It must have at most 3 characters.',
    isOn: 'It must be true or false.',
    either: 'It has none of the forms that are allowed.',
    ours: 'It is not ours.',
    gone: 'It is missing.',
  })
  assert.equal(told({ ...GIVEN, limit: '0' })['limit'], 'It must be at least 1.')
  assert.equal(told({ ...GIVEN, limit: '1.5' })['limit'], 'It must be a whole number.')
  assert.equal(told({ ...GIVEN, name: '' })['name'], 'It must have at least 1 character.')
})
