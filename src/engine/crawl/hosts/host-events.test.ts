import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HEALTHY_HOST, type HostHealth } from '../../../ports/leases.ts'
import { EMPTY_RESPONSE } from '../../fetch/testing/empty-response.ts'
import { causesLongPause, findHostEvent } from './host-events.ts'

const NOW = 1_000_000
const SILENT: HostHealth = { ...HEALTHY_HOST, strikes: 3, failures: 3, failingSince: NOW - 5000 }
const LONGER_SILENT = { ...SILENT, failures: 4 }
const DOWN = { ...SILENT, failures: 6, downUntil: NOW + 1000 }

describe('findHostEvent', () => {
  it('returns an event when the health changes', () => {
    assert.equal(findHostEvent(HEALTHY_HOST, SILENT, NOW), 'suspended')
    assert.equal(findHostEvent(SILENT, DOWN, NOW), 'given_up')
    assert.equal(findHostEvent(SILENT, HEALTHY_HOST, NOW), 'recovered')
    assert.equal(findHostEvent(DOWN, HEALTHY_HOST, NOW), 'recovered')
    assert.equal(findHostEvent(HEALTHY_HOST, { ...HEALTHY_HOST, downUntil: NOW + 1 }, NOW), 'given_up')
  })

  it('returns nothing while the health stays the same or is not bad enough', () => {
    assert.equal(findHostEvent(HEALTHY_HOST, { ...SILENT, failures: 1 }, NOW), null)
    assert.equal(findHostEvent(SILENT, LONGER_SILENT, NOW), null)
    assert.equal(findHostEvent(DOWN, { ...DOWN, downUntil: NOW + 2000 }, NOW), null)
    assert.equal(findHostEvent({ ...HEALTHY_HOST, strikes: 2 }, HEALTHY_HOST, NOW), null)
  })

  it('gives a host up again if it has not recovered when its time is over', () => {
    const over = { ...DOWN, downUntil: NOW }
    assert.equal(findHostEvent(over, { ...DOWN, downUntil: NOW + 5 }, NOW), 'given_up')
  })
})

describe('causesLongPause', () => {
  const refusal = (retryAfter: string | null) => ({ ...EMPTY_RESPONSE, status: 429, retryAfter })

  it('is an event if it causes a long pause', () => {
    const after = (pauseMs: number) => ({ dueAt: NOW, nextAt: NOW + pauseMs, now: NOW })
    assert.equal(causesLongPause(refusal('60'), after(60_000)), true)
    assert.equal(causesLongPause(refusal('59'), after(59_000)), false)
    assert.equal(causesLongPause(refusal(null), after(60_000)), false)
  })

  it('is one event, even if several requests were in flight', () => {
    const after = (dueMs: number, pauseMs: number) => ({ dueAt: NOW + dueMs, nextAt: NOW + pauseMs, now: NOW })
    assert.equal(causesLongPause(refusal('120'), after(119_000, 120_000)), false)
    assert.equal(causesLongPause(refusal('600'), after(120_000, 600_000)), true)
  })
})
