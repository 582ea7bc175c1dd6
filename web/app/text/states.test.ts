import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UrlState } from '../server/api.ts'
import { crawlStatusStyle, URL_STATE_ORDER } from './states.ts'

const ledger = (counts: Partial<Record<UrlState, number>>): Record<UrlState, number> => ({
  ...(Object.fromEntries(URL_STATE_ORDER.map((state) => [state, 0])) as Record<UrlState, number>),
  ...counts,
})

const styleOf = (status: 'completed' | 'running' | 'cancelled', counts: Partial<Record<UrlState, number>>) =>
  crawlStatusStyle({ status, states: ledger(counts), held: null })

test('a completed crawl that visited nothing is shown as a warning', () => {
  assert.deepEqual(styleOf('completed', { excluded: 1 }), {
    label: 'Completed, nothing reached',
    colour: 'var(--state-forbidden)',
    isFruitless: true,
    isWarning: true,
  })
  assert.equal(styleOf('completed', { failed: 3 }).label, 'Completed, nothing reached')
  assert.equal(styleOf('completed', { not_found: 1 }).label, 'Completed, nothing visited')
})

test('a running crawl without a worker is not shown as running', () => {
  assert.equal(crawlStatusStyle({ status: 'running', states: ledger({}), held: 'no_worker' }).label, 'No worker')
  assert.ok(!crawlStatusStyle({ status: 'running', states: ledger({}), held: 'no_worker' }).isFruitless)
  assert.equal(crawlStatusStyle({ status: 'running', states: ledger({}), held: 'low_disk' }).label, 'Running')
})

test('a crawl with a visited page is completed, and other statuses keep their label', () => {
  assert.deepEqual(styleOf('completed', { visited: 1, failed: 9 }), {
    label: 'Completed',
    colour: 'var(--state-visited)',
    isFruitless: false,
    isWarning: false,
  })
  assert.equal(styleOf('running', {}).label, 'Running')
  assert.equal(styleOf('cancelled', { excluded: 1 }).label, 'Cancelled')
})
