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

const INPUT = { text: 3, limit: 'many', whole: 1.5, state: 'x', urls: [], name: 'long', isOn: 1, either: 'x', ours: '' }

function describeAll(input: Record<string, unknown>): Record<string, string> {
  const { error } = SCHEMA.safeParse(input, { reportInput: true })
  return Object.fromEntries((error?.issues ?? []).map((issue) => [issue.path.join('.'), describeIssue(issue)]))
}

it('issues are described in plain words', () => {
  assert.deepEqual(describeAll(INPUT), {
    text: 'Must be text.',
    limit: 'Must be a number.',
    whole: 'Must be a whole number.',
    state: 'Must be one of queued, visited.',
    urls: 'Must have at least 1 entry.',
    name: 'Must have at most 3 characters.',
    isOn: 'Must be true or false.',
    either: 'Has none of the allowed forms.',
    ours: 'It is not ours.',
    gone: 'Required.',
  })
  assert.equal(describeAll({ ...INPUT, limit: '0' })['limit'], 'Must be at least 1.')
  assert.equal(describeAll({ ...INPUT, limit: '1.5' })['limit'], 'Must be a whole number.')
  assert.equal(describeAll({ ...INPUT, name: '' })['name'], 'Must have at least 1 character.')
})
