import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UrlState } from '../server/api.ts'
import { crawlStatusStyle, URL_STATE_ORDER } from './states.ts'

const ledger = (counts: Partial<Record<UrlState, number>>): Record<UrlState, number> => ({
  ...(Object.fromEntries(URL_STATE_ORDER.map((state) => [state, 0])) as Record<UrlState, number>),
  ...counts,
})

const QUIET = { held: null, silent_hosts: null, pages_per_second: 0, pages: 0 }
const styleOf = (status: 'completed' | 'running' | 'cancelled', counts: Partial<Record<UrlState, number>>) =>
  crawlStatusStyle({ ...QUIET, status, states: ledger(counts), pages: counts.visited ?? 0 })

test('a completed crawl that visited nothing is shown as a warning', () => {
  assert.deepEqual(styleOf('completed', { excluded: 1 }), {
    label: 'Completed, nothing reached',
    colour: 'var(--state-forbidden)',
    isFruitless: true,
    isWarning: true,
  })
  assert.equal(styleOf('completed', { failed: 3 }).label, 'Completed, nothing reached')
  assert.equal(styleOf('completed', { not_found: 1 }).label, 'Completed, nothing visited')
  const onlySitemap = { ...QUIET, status: 'completed', states: ledger({ visited: 1, failed: 1 }) } as const
  assert.equal(crawlStatusStyle(onlySitemap).label, 'Completed, nothing visited')
})

test('a running crawl without a worker is not shown as running', () => {
  assert.equal(
    crawlStatusStyle({ ...QUIET, status: 'running', states: ledger({}), held: 'no_worker' }).label,
    'No worker',
  )
  assert.ok(!crawlStatusStyle({ ...QUIET, status: 'running', states: ledger({}), held: 'no_worker' }).isFruitless)
  assert.equal(crawlStatusStyle({ ...QUIET, status: 'running', states: ledger({}), held: 'low_disk' }).label, 'Running')
})

test('a running crawl that gets no pages because hosts do not answer waits for the site', () => {
  const silent = {
    ...QUIET,
    status: 'running',
    states: ledger({}),
    silent_hosts: { hosts: 1, host: 'a.test' },
  } as const
  assert.equal(crawlStatusStyle(silent).label, 'Waiting for the site')
  assert.equal(crawlStatusStyle({ ...silent, pages_per_second: 3 }).label, 'Running')
})

test('a crawl that mostly failed says so', () => {
  assert.deepEqual(styleOf('completed', { visited: 1, failed: 5, not_found: 4, excluded: 50 }), {
    label: 'Completed, 9 of 10 URLs failed',
    colour: 'var(--state-forbidden)',
    isFruitless: false,
    isWarning: true,
  })
})

test('a crawl with a visited page is completed, and other statuses keep their label', () => {
  assert.deepEqual(styleOf('completed', { visited: 5, failed: 5 }), {
    label: 'Completed',
    colour: 'var(--state-visited)',
    isFruitless: false,
    isWarning: false,
  })
  assert.equal(styleOf('running', {}).label, 'Running')
  assert.equal(styleOf('cancelled', { excluded: 1 }).label, 'Cancelled')
})
