import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HEALTHY, type Lease } from '../../ports/frontier.ts'
import { EMPTY_RESPONSE } from '../fetch/fixture.response.ts'
import { HostWork } from './host-work.ts'

const NOW = 1_000_000
const PACE = { delayMs: 100, cooldownMs: 0, hostPatienceMs: 60_000, retries: 2 }

function makeWork(changes: Partial<Lease> = {}): HostWork {
  const url = {
    id: 1,
    url: 'http://a.test/',
    kind: 'page' as const,
    depth: 0,
    hops: 0,
    attempts: 0,
    dueAt: 0,
    ancestry: null,
  }
  const known = { token: 1, hostId: 1, host: 'a.test', slots: 1, notBefore: 0, responseMs: 0, gapMs: 0 }
  const work = new HostWork({ ...known, health: HEALTHY, urls: [url], ...changes }, PACE, NOW)
  work.startBefore = NOW + 1000
  return work
}

describe('a delay that robots.txt asks for', () => {
  it('counts from the last request', () => {
    const work = makeWork()
    work.begin(NOW)
    work.heedDelay(5000)
    assert.equal(work.nextAt, NOW + 5000)
  })

  it('counts from the lease when whoever had the host before did not tell of it', () => {
    const work = makeWork({ gapMs: 100, responseMs: 20 })
    work.heedDelay(5000)
    assert.equal(work.nextAt, NOW + 5000)
  })

  it('is over when the host was last asked so long ago that the lease says so', () => {
    const work = makeWork({ gapMs: 5000, responseMs: 20, notBefore: NOW - 1 })
    work.heedDelay(5000)
    assert.ok(work.canStart(NOW))
  })
})

describe('what a host owes', () => {
  it('counts from the first request under way, or from the last answer', () => {
    const work = makeWork({ slots: 2 })
    assert.equal(work.owesMs(NOW), 0)
    work.begin(NOW)
    work.begin(NOW + 100)
    assert.equal(work.owesMs(NOW + 500), 500)
    work.finish(EMPTY_RESPONSE, NOW + 600)
    assert.equal(work.owesMs(NOW + 700), 100)
    work.finish(EMPTY_RESPONSE, NOW + 800)
    assert.equal(work.owesMs(NOW + 900), 0)
  })
})

describe('a lease that may be about to lapse', () => {
  it('starts nothing until it is renewed', () => {
    const work = makeWork()
    assert.ok(work.canStart(NOW + 999))
    assert.ok(!work.canStart(NOW + 1000))
    work.startBefore = NOW + 2000
    assert.ok(work.canStart(NOW + 1000))
  })

  it('still takes answers', () => {
    const work = makeWork()
    work.begin(NOW)
    work.finish(EMPTY_RESPONSE, NOW + 5000)
    assert.equal(work.inFlight, 0)
  })
})
