import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeRobots } from './robots-status.ts'

const robots = (status: number | null, problem: string | null = null) => ({
  origin: 'http://a.test',
  asked_at: '2026-01-01T00:00:00Z',
  status,
  problem,
})

test('a robots.txt that is missing means no rules, and one that fails means none of the host', () => {
  assert.deepEqual(describeRobots(robots(200)), { word: '200: read', tone: 'good' })
  assert.deepEqual(describeRobots(robots(404)), { word: '404: no rules', tone: 'neutral' })
  assert.deepEqual(describeRobots(robots(503)), { word: '503: everything refused', tone: 'bad' })
  assert.deepEqual(describeRobots(robots(null, 'dns_failed')), { word: 'dns failed', tone: 'bad' })
})
