import assert from 'node:assert/strict'
import { it } from 'node:test'
import { z } from 'zod'
import { route } from '../contract/route.ts'
import { RequestError } from './request-error.ts'
import { validateRequest } from './validate-request.ts'

const ROUTE = route({
  summary: 'A test.',
  scope: 'read',
  query: z.object({ limit: z.string().optional(), cursor: z.string().optional() }),
  body: z.strictObject({ urls: z.array(z.string()), settings: z.strictObject({ max_pages: z.int() }).optional() }),
  response: null,
})

function problemsOf(query: string, body: unknown): Record<string, string> {
  try {
    validateRequest(ROUTE, { params: {}, query: new URLSearchParams(query), body })
  } catch (error) {
    if (error instanceof RequestError)
      return Object.fromEntries((error.fields ?? []).map(({ field, message }) => [field, message]))
    throw error
  }
  return {}
}

it('the error about an unknown name suggests a similar name or lists all names', () => {
  assert.deepEqual(problemsOf('limits=1&page=2', { urls: [], settings: { max_page: 1 }, pages: 3 }), {
    'query.limits': 'Unknown parameter. Did you mean limit?',
    'query.page': 'Unknown parameter. Known: limit, cursor.',
    'body.pages': 'Unknown field. Known: urls, settings.',
    'body.settings.max_pages': 'Required.',
    'body.settings.max_page': 'Unknown field. Did you mean max_pages?',
  })
  assert.deepEqual(problemsOf('limit=1', { urls: [] }), {})
})

it('a very long name is not compared with others', () => {
  const [message] = Object.values(problemsOf(`${'limit'.repeat(10_000)}=1`, { urls: [] }))
  assert.equal(message, 'Unknown parameter. Known: limit, cursor.')
})
