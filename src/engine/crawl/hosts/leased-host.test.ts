import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HEALTHY_HOST, type Lease } from '../../../ports/frontier.ts'
import { EMPTY_RESPONSE } from '../../fetch/testing/empty-response.ts'
import { LeasedHost, type PaceSettings } from './leased-host.ts'

const NOW = 1_000_000
const PACE = { delayMs: 100, perHost: 2, cooldownMs: 0, hostPatienceMs: 60_000, retries: 2 }
const ASKED = { startedAt: NOW, concurrentRequests: 1, attempts: 0, deferrals: 0 }

function makeWork(changes: Partial<Lease> = {}, pace: Partial<PaceSettings> = {}): LeasedHost {
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
  const known = {
    token: 1,
    hostId: 1,
    host: 'a.test',
    slots: 1,
    notBefore: 0,
    responseMs: 0,
    gapMs: 0,
    concurrencyLimit: 0,
  }
  const work = new LeasedHost({ ...known, health: HEALTHY_HOST, urls: [url], ...changes }, { ...PACE, ...pace }, NOW)
  work.startBefore = NOW + 1000
  return work
}

describe('a delay that robots.txt asks for', () => {
  it('counts from the last request', () => {
    const work = makeWork()
    work.beginRequest(NOW)
    work.applyCrawlDelay(5000)
    assert.equal(work.nextAt, NOW + 5000)
  })

  it('counts from the lease when whoever had the host before did not tell of it', () => {
    const work = makeWork({ gapMs: 100, responseMs: 20 })
    work.applyCrawlDelay(5000)
    assert.equal(work.nextAt, NOW + 5000)
  })

  it('is over when the host was last asked so long ago that the lease says so', () => {
    const work = makeWork({ gapMs: 5000, responseMs: 20, notBefore: NOW - 1 })
    work.applyCrawlDelay(5000)
    assert.ok(work.canStart(NOW))
  })
})

describe('what a host owes', () => {
  it('counts from the first request under way, or from the last answer', () => {
    const work = makeWork({ slots: 2 })
    assert.equal(work.unansweredMs(NOW), 0)
    work.beginRequest(NOW)
    work.beginRequest(NOW + 100)
    assert.equal(work.unansweredMs(NOW + 500), 500)
    work.finishRequest(EMPTY_RESPONSE, NOW + 600, ASKED)
    assert.equal(work.unansweredMs(NOW + 700), 100)
    work.finishRequest(EMPTY_RESPONSE, NOW + 800, ASKED)
    assert.equal(work.unansweredMs(NOW + 900), 0)
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
    work.beginRequest(NOW)
    work.finishRequest(EMPTY_RESPONSE, NOW + 5000, ASKED)
    assert.equal(work.inFlight, 0)
  })
})

describe('a host that refuses several requests at a time', () => {
  const REFUSED = { ...EMPTY_RESPONSE, status: 503 }

  /** Begins `count` requests at `at` and ends them a moment later, `refused` of them refused. */
  function ask(work: LeasedHost, at: number, { count, refused }: { count: number; refused: number }) {
    const asked = Array.from({ length: count }, () => {
      work.beginRequest(at)
      return { startedAt: at, concurrentRequests: work.inFlight, attempts: 0, deferrals: 0 }
    })
    return asked.map((one, i) => work.finishRequest(i < refused ? REFUSED : EMPTY_RESPONSE, at + 10, one).isOverload)
  }

  it('gets half as many at a time, once for all that were under way, and no pause', () => {
    const work = makeWork({ slots: 16 }, { perHost: 16, delayMs: 0, cooldownMs: 500 })
    ask(work, NOW, { count: 16, refused: 13 })
    assert.deepEqual([work.slots, work.isLimited, work.mustRelease, work.nextAt], [7, true, false, NOW])
    ask(work, NOW + 20, { count: 7, refused: 4 })
    assert.equal(work.slots, 3)
  })

  it('does not use up the attempts of the urls it refused', () => {
    const work = makeWork({ slots: 16, concurrencyLimit: 4 }, { perHost: 16, delayMs: 0 })
    assert.deepEqual(ask(work, NOW, { count: 4, refused: 1 }), [true, false, false, false])
    assert.equal(work.slots, 2)
  })

  it('tells the store of its limit once, and of none where nothing was learnt', () => {
    const work = makeWork({ slots: 16 }, { perHost: 16, delayMs: 0 })
    assert.equal(work.takeReport().concurrencyLimit, null)
    ask(work, NOW, { count: 16, refused: 13 })
    assert.equal(Math.floor(work.takeReport().concurrencyLimit ?? 0), 7)
    assert.equal(work.takeReport().concurrencyLimit, null)
  })

  it('goes back when only some of its slots were leased', () => {
    const work = makeWork({ slots: 8 }, { perHost: 16, delayMs: 0 })
    ask(work, NOW, { count: 8, refused: 8 })
    assert.ok(work.mustRelease)
  })

  it('is asked as before when only a page is refused now and then', () => {
    const work = makeWork({ slots: 16 }, { perHost: 16, delayMs: 0 })
    for (let round = 0; round < 20; round++) {
      assert.ok(!ask(work, NOW + round * 20, { count: 16, refused: 1 }).includes(true))
    }
    assert.equal(work.slots, 16)
  })

  it('says that it waits for fewer requests at a time', () => {
    const work = makeWork({ slots: 16, concurrencyLimit: 1 }, { perHost: 16, delayMs: 0 })
    assert.equal(work.isLimitReached, false)
    work.beginRequest(NOW)
    assert.equal(work.isLimitReached, true)
  })
})
