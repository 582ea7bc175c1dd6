import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCOPES } from '../../../src/api/contract/route.ts'
import { includesScope } from './token-scopes.ts'

test('a scope includes the ones before it', () => {
  const allowed = SCOPES.map((has) => SCOPES.filter((wanted) => includesScope(has, wanted)))
  assert.deepEqual(allowed, [['read'], ['read', 'crawl'], ['read', 'crawl', 'admin']])
})

test('an unknown scope includes everything', () => {
  assert.ok(includesScope(null, 'admin') && includesScope(undefined, 'admin'))
})
