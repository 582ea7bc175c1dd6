import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UrlState } from '../server/api.ts'
import { crawlStatusStyle, URL_STATE_ORDER } from './states.ts'

const ledger = (counts: Partial<Record<UrlState, number>>): Record<UrlState, number> => ({
  ...(Object.fromEntries(URL_STATE_ORDER.map((state) => [state, 0])) as Record<UrlState, number>),
  ...counts,
})

const look = (status: 'completed' | 'running' | 'cancelled', counts: Partial<Record<UrlState, number>>) =>
  crawlStatusStyle({ status, states: ledger(counts), held: null })

test('a completed crawl that visited nothing does not look like a success', () => {
  assert.deepEqual(look('completed', { excluded: 1 }), {
    label: 'Completed, nothing reached',
    colour: 'var(--state-forbidden)',
    isFruitless: true,
    isWarning: true,
  })
  assert.equal(look('completed', { failed: 3 }).label, 'Completed, nothing reached')
  assert.equal(look('completed', { not_found: 1 }).label, 'Completed, nothing visited')
})

test('a running crawl without a worker does not look as if it were running', () => {
  assert.equal(crawlStatusStyle({ status: 'running', states: ledger({}), held: 'no_worker' }).label, 'No worker')
  assert.ok(!crawlStatusStyle({ status: 'running', states: ledger({}), held: 'no_worker' }).isFruitless)
  assert.equal(crawlStatusStyle({ status: 'running', states: ledger({}), held: 'low_disk' }).label, 'Running')
})

test('one visited page makes it completed, and another status keeps its own word', () => {
  assert.deepEqual(look('completed', { visited: 1, failed: 9 }), {
    label: 'Completed',
    colour: 'var(--state-visited)',
    isFruitless: false,
    isWarning: false,
  })
  assert.equal(look('running', {}).label, 'Running')
  assert.equal(look('cancelled', { excluded: 1 }).label, 'Cancelled')
})
