import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCOPES } from '../../../src/api/contract/route.ts'
import { includesScope } from './token-scopes.ts'

test('a scope includes those before it', () => {
  const allowed = SCOPES.map((has) => SCOPES.filter((wanted) => includesScope(has, wanted)))
  assert.deepEqual(allowed, [['read'], ['read', 'crawl'], ['read', 'crawl', 'admin']])
})

test('nothing is hidden from those of whom nothing is known yet', () => {
  assert.ok(includesScope(null, 'admin') && includesScope(undefined, 'admin'))
})
