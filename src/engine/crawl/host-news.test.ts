import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HEALTHY, type HostHealth } from '../../ports/frontier.ts'
import { EMPTY_RESPONSE } from '../fetch/fixture.response.ts'
import { healthNews, isLongRefusal } from './host-news.ts'

const NOW = 1_000_000
const SILENT: HostHealth = { ...HEALTHY, strikes: 3, failures: 3, failingSince: NOW - 5000 }
const LONGER_SILENT = { ...SILENT, failures: 4 }
const DOWN = { ...SILENT, failures: 6, downUntil: NOW + 1000 }

describe('the health of a host', () => {
  it('is news when it changes', () => {
    assert.equal(healthNews(HEALTHY, SILENT, NOW), 'set_aside')
    assert.equal(healthNews(SILENT, DOWN, NOW), 'given_up')
    assert.equal(healthNews(SILENT, HEALTHY, NOW), 'answers_again')
    assert.equal(healthNews(DOWN, HEALTHY, NOW), 'answers_again')
    assert.equal(healthNews(HEALTHY, { ...HEALTHY, downUntil: NOW + 1 }, NOW), 'given_up')
  })

  it('is none when it stays as it was, or is not that bad yet', () => {
    assert.equal(healthNews(HEALTHY, { ...SILENT, failures: 1 }, NOW), null)
    assert.equal(healthNews(SILENT, LONGER_SILENT, NOW), null)
    assert.equal(healthNews(DOWN, { ...DOWN, downUntil: NOW + 2000 }, NOW), null)
    assert.equal(healthNews({ ...HEALTHY, strikes: 2 }, HEALTHY, NOW), null)
  })

  it('counts as given up once more when the time is over and nothing has become better', () => {
    const over = { ...DOWN, downUntil: NOW }
    assert.equal(healthNews(over, { ...DOWN, downUntil: NOW + 5 }, NOW), 'given_up')
  })
})

describe('a refusal', () => {
  const refusal = (retryAfter: string | null) => ({ ...EMPTY_RESPONSE, status: 429, retryAfter })

  it('is told when it brings a long pause', () => {
    const after = (pauseMs: number) => ({ dueAt: NOW, nextAt: NOW + pauseMs, now: NOW })
    assert.equal(isLongRefusal(refusal('60'), after(60_000)), true)
    assert.equal(isLongRefusal(refusal('59'), after(59_000)), false)
    assert.equal(isLongRefusal(refusal(null), after(60_000)), false)
  })

  it('is told once, though several requests were under way', () => {
    const after = (dueMs: number, pauseMs: number) => ({ dueAt: NOW + dueMs, nextAt: NOW + pauseMs, now: NOW })
    assert.equal(isLongRefusal(refusal('120'), after(119_000, 120_000)), false)
    assert.equal(isLongRefusal(refusal('600'), after(120_000, 600_000)), true)
  })
})
