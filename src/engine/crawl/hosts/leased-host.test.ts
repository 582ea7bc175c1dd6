import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HEALTHY_HOST, type Lease } from '../../../ports/leases.ts'
import { EMPTY_RESPONSE } from '../../fetch/testing/empty-response.ts'
import { type HostLoadSettings, LeasedHost } from './leased-host.ts'

const NOW = 1_000_000
const PACE = {
  delayMs: 100,
  jitterMs: 0,
  perHost: 2,
  cooldownMs: 0,
  cooldownMaxMs: null,
  hostPatienceMs: 60_000,
  retries: 2,
}
const REQUEST = { startedAt: NOW, concurrentRequests: 1, attempts: 0, postponements: 0 }

function makeHost(changes: Partial<Lease> = {}, settings: Partial<HostLoadSettings> = {}): LeasedHost {
  const url = {
    id: 1,
    url: 'http://a.test/',
    kind: 'page' as const,
    depth: 0,
    hops: 0,
    attempts: 0,
    dueAt: 0,
    ancestry: null,
    lastVisit: null,
  }
  const known = {
    token: 1,
    hostId: 1,
    host: 'a.test',
    slots: 1,
    nextAt: 0,
    responseMs: 0,
    gapMs: 0,
    concurrencyLimit: 0,
    policy: null,
  }
  const host = new LeasedHost(
    { ...known, health: HEALTHY_HOST, urls: [url], ...changes },
    { ...PACE, ...settings },
    NOW,
    () => 0.5,
  )
  host.startDeadline = NOW + 1000
  return host
}

describe('the pause after a failure', () => {
  const failure = {
    kind: 'failure',
    problem: 'connect_refused',
    detail: '',
    wireBytes: 0,
    fetchMs: 1,
    ip: null,
    cname: null,
  } as const

  it('is for a host that does not answer, from the first failure on', () => {
    const host = makeHost({}, { cooldownMs: 5000 })
    host.beginRequest(NOW)
    host.finishRequest(failure, NOW + 1, REQUEST)
    assert.equal(host.pauseReason, 'no_answer')
  })

  it('is a cooldown for a host that answers with errors', () => {
    const host = makeHost({}, { cooldownMs: 5000 })
    for (let at = NOW; at < NOW + 4; at += 1) {
      host.beginRequest(at)
      host.finishRequest({ ...EMPTY_RESPONSE, status: 500 }, at, REQUEST)
    }
    assert.equal(host.pauseReason, 'cooldown')
  })
})

describe('jitter', () => {
  it('lengthens each gap by a share of it', () => {
    for (const [jitterMs, gapMs] of [
      [40, 120],
      [5000, 150],
    ] as const) {
      const host = makeHost({}, { jitterMs })
      host.beginRequest(NOW)
      assert.equal(host.nextAt, NOW + gapMs)
      // The stored gap is the minimum.
      assert.equal(host.takeReport().gapMs, 100)
    }
  })
})

describe('a crawl delay in robots.txt', () => {
  it('runs from the last request', () => {
    const host = makeHost()
    host.beginRequest(NOW)
    host.applyCrawlDelay(5000)
    assert.equal(host.nextAt, NOW + 5000)
  })

  it('runs from the lease if the previous holder did not know it', () => {
    const host = makeHost({ gapMs: 100, responseMs: 20 })
    host.applyCrawlDelay(5000)
    assert.equal(host.nextAt, NOW + 5000)
  })

  it('is over if the last request of the previous holder is long enough ago', () => {
    const host = makeHost({ gapMs: 5000, responseMs: 20, nextAt: NOW - 1 })
    host.applyCrawlDelay(5000)
    assert.ok(host.canStart(NOW))
  })
})

describe('a request that is sent again', () => {
  it('keeps the gap to the one before, and the next keeps it too', () => {
    const host = makeHost()
    host.beginRequest(NOW)
    assert.equal(host.takeTurn(NOW + 30), NOW + 130)
    assert.equal(host.nextAt, NOW + 230)
    const shared = makeHost({ slots: 2 })
    shared.beginRequest(NOW)
    assert.equal(shared.takeTurn(NOW + 30), NOW + 100)
    assert.equal(shared.takeTurn(NOW + 500), NOW + 500)
    assert.equal(shared.nextAt, NOW + 600)
  })
})

describe('the time without a response', () => {
  it('runs from the first request in flight, or from the last response', () => {
    const host = makeHost({ slots: 2 })
    assert.equal(host.unansweredMs(NOW), 0)
    host.beginRequest(NOW)
    host.beginRequest(NOW + 100)
    assert.equal(host.unansweredMs(NOW + 500), 500)
    host.finishRequest(EMPTY_RESPONSE, NOW + 600, REQUEST)
    assert.equal(host.unansweredMs(NOW + 700), 100)
    host.finishRequest(EMPTY_RESPONSE, NOW + 800, REQUEST)
    assert.equal(host.unansweredMs(NOW + 900), 0)
  })
})

describe('a lease that may be about to expire', () => {
  it('starts no request until it is renewed', () => {
    const host = makeHost()
    assert.ok(host.canStart(NOW + 999))
    assert.ok(!host.canStart(NOW + 1000))
    host.startDeadline = NOW + 2000
    assert.ok(host.canStart(NOW + 1000))
  })

  it('still accepts responses', () => {
    const host = makeHost()
    host.beginRequest(NOW)
    host.finishRequest(EMPTY_RESPONSE, NOW + 5000, REQUEST)
    assert.equal(host.inFlight, 0)
  })
})

describe('a host that refuses concurrent requests', () => {
  const REFUSED = { ...EMPTY_RESPONSE, status: 503 }

  /** Starts `count` requests at `at` and finishes them 10 ms later, `refused` of them refused. */
  function send(host: LeasedHost, at: number, { count, refused }: { count: number; refused: number }) {
    const requests = Array.from({ length: count }, () => {
      host.beginRequest(at)
      return { startedAt: at, concurrentRequests: host.inFlight, attempts: 0, postponements: 0 }
    })
    return requests.map(
      (request, i) => host.finishRequest(i < refused ? REFUSED : EMPTY_RESPONSE, at + 10, request).isOverload,
    )
  }

  it('gets half as many requests, once for all that were in flight, and no pause', () => {
    const host = makeHost({ slots: 16 }, { perHost: 16, delayMs: 0, cooldownMs: 500 })
    send(host, NOW, { count: 16, refused: 13 })
    assert.deepEqual([host.slots, host.isLimited, host.mustReleaseLease, host.nextAt], [7, true, false, NOW])
    send(host, NOW + 20, { count: 7, refused: 4 })
    assert.equal(host.slots, 3)
  })

  it('does not use up the attempts of the refused URLs', () => {
    const host = makeHost({ slots: 16, concurrencyLimit: 4 }, { perHost: 16, delayMs: 0 })
    assert.deepEqual(send(host, NOW, { count: 4, refused: 1 }), [true, false, false, false])
    assert.equal(host.slots, 2)
  })

  it('reports a changed limit once, and none if nothing changed', () => {
    const host = makeHost({ slots: 16 }, { perHost: 16, delayMs: 0 })
    assert.equal(host.takeReport().concurrencyLimit, null)
    send(host, NOW, { count: 16, refused: 13 })
    assert.equal(Math.floor(host.takeReport().concurrencyLimit ?? 0), 7)
    assert.equal(host.takeReport().concurrencyLimit, null)
  })

  it('must be released if only some of its slots are leased', () => {
    const host = makeHost({ slots: 8 }, { perHost: 16, delayMs: 0 })
    send(host, NOW, { count: 8, refused: 8 })
    assert.ok(host.mustReleaseLease)
  })

  it('keeps its slots if only a page is refused now and then', () => {
    const host = makeHost({ slots: 16 }, { perHost: 16, delayMs: 0 })
    for (let round = 0; round < 20; round++) {
      assert.ok(!send(host, NOW + round * 20, { count: 16, refused: 1 }).includes(true))
    }
    assert.equal(host.slots, 16)
  })

  it('shows that the limit keeps URLs from starting', () => {
    const host = makeHost({ slots: 16, concurrencyLimit: 1 }, { perHost: 16, delayMs: 0 })
    assert.equal(host.isLimitReached, false)
    host.beginRequest(NOW)
    assert.equal(host.isLimitReached, true)
  })
})

describe('a host with a policy', () => {
  const policy = { delayMs: 0, perHost: 3, rate: { perSecond: 2, burst: 2 }, isDelayFromPolicy: false }

  it('starts a burst and then keeps the rate, also over responses', () => {
    const host = makeHost({ slots: 3, policy })
    host.beginRequest(NOW)
    assert.equal(host.nextAt, NOW)
    host.beginRequest(NOW)
    assert.equal(host.nextAt, NOW + 500)
    host.finishRequest(EMPTY_RESPONSE, NOW + 10, REQUEST)
    assert.equal(host.nextAt, NOW + 500)
    assert.equal(host.pauseReason, 'policy')
  })

  it('reports the interval of its rate as its gap, so that it outlives a crash', () => {
    assert.equal(makeHost({ policy }).takeReport().gapMs, 500)
  })

  it('has one token if another thread has just requested it', () => {
    const host = makeHost({ policy, nextAt: NOW, gapMs: 500 })
    host.beginRequest(NOW)
    assert.equal(host.nextAt, NOW + 500)
  })

  it('keeps the rate beside a longer gap', () => {
    const host = makeHost({ policy: { ...policy, delayMs: 900, rate: { perSecond: 0.5, burst: 1 } } })
    host.beginRequest(NOW)
    assert.equal(host.nextAt, NOW + 2000)
    host.finishRequest(EMPTY_RESPONSE, NOW + 1500, REQUEST)
    assert.equal(host.nextAt, NOW + 2400)
  })

  it('counts a new delay from the last request of the previous holder', () => {
    const policy = { delayMs: 5000, perHost: 1, rate: null, isDelayFromPolicy: true }
    const host = makeHost({ policy, nextAt: NOW + 100, gapMs: 200, responseMs: 10 })
    assert.equal(host.nextAt, NOW + 4900)
    assert.equal(host.pauseReason, 'policy')
    assert.equal(makeHost({ policy }).nextAt, 0)
  })
})
