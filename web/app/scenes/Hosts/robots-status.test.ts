import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeRobots } from './robots-status.ts'

const robots = (status: number | null, problem: string | null = null) => ({
  origin: 'http://a.test',
  asked_at: '2026-01-01T00:00:00Z',
  status,
  problem,
})

test('a missing robots.txt means no rules, and a failing one is a problem', () => {
  assert.deepEqual(describeRobots(robots(200)), { label: 'Found (200)', tone: 'good' })
  assert.deepEqual(describeRobots(robots(404)), { label: 'No rules (404)', tone: 'neutral' })
  assert.deepEqual(describeRobots(robots(503)), { label: 'Unavailable (503)', tone: 'bad' })
  assert.deepEqual(describeRobots(robots(null, 'dns_failed')), { label: 'DNS lookup failed', tone: 'bad' })
})
