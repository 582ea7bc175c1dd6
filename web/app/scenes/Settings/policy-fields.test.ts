import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromDrafts, policyText, toDrafts } from './policy-fields.ts'

const OPEN = {
  weight: null,
  delay: null,
  per_host: null,
  rate: null,
  burst: null,
  max_pages: null,
  recrawl_min: null,
  recrawl_max: null,
}

test('a policy is described by what it sets', () => {
  assert.equal(policyText(OPEN), '')
  assert.equal(policyText({ ...OPEN, delay: 2000, per_host: 1 }), '2000 ms delay, 1 at a time')
})

test('a form returns what it was opened with; empty fields are left open', () => {
  const set = { delay: 0, rate: 0.5, recrawl_min: '6h' }
  assert.deepEqual(fromDrafts(toDrafts({ ...OPEN, ...set })), set)
  assert.deepEqual(fromDrafts({ weight: ' 2 ', delay: ' ', recrawl_max: 'soon' }), { weight: 2, recrawl_max: 'soon' })
})
