import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HEALTHY_HOST, type HostHealth } from '../../ports/leases.ts'
import { downReason, type HealthContext, isSuspended, type ResponseClass, updateHealth } from './host-health.ts'

const SETTINGS = { cooldownMs: 500, cooldownMaxMs: null, hostPatienceMs: 60_000, retries: 2 }
const CONTEXT: HealthContext = {
  startedAt: 1000,
  now: 1000,
  hasResponded: true,
  retryAfterMs: 0,
  attempts: 0,
  postponements: 0,
  hasPausedBefore: false,
  isAlone: true,
  isLimited: false,
}
const YEAR_2999_MS = 3e13

/** Applies responses one second apart. Returns the last health, all pauses, and which responses were overload. */
function update(responses: ResponseClass[], context: Partial<HealthContext> = {}, from: HostHealth = HEALTHY_HOST) {
  let health = from
  const pauses: number[] = []
  const overloads: boolean[] = []
  responses.forEach((responseClass, i) => {
    const now = CONTEXT.now + i * 1000
    const next = updateHealth(health, responseClass, { ...CONTEXT, startedAt: now, now, ...context }, SETTINGS)
    health = next.health
    pauses.push(Math.max(0, next.pauseUntil - (context.now ?? now)))
    overloads.push(next.isOverload)
  })
  return { health, pauses, overloads }
}

function times<T>(count: number, what: T): T[] {
  return new Array(count).fill(what)
}

describe('a host that refuses', () => {
  it('with 429 is paused for longer and longer, up to ten times the first pause', () => {
    assert.deepEqual(update(times(6, 'too_many')).pauses, [500, 1000, 2000, 4000, 5000, 5000])
  })

  it('is paused no longer than the longest pause', () => {
    const settings = { ...SETTINGS, cooldownMaxMs: 1500 }
    const strikes = { ...HEALTHY_HOST, strikes: 5 }
    assert.equal(updateHealth(strikes, 'too_many', CONTEXT, settings).pauseUntil, CONTEXT.now + 1500)
  })

  it('gets fewer requests instead of a pause if several were in flight', () => {
    const { pauses, health } = update(times(6, 'too_many'), { isAlone: false })
    assert.deepEqual([pauses, health.strikes], [times(6, 0), 0])
  })

  it('loses one strike with each good response', () => {
    const { health, pauses } = update(['too_many', 'too_many', 'good', 'too_many'])
    assert.equal(health.strikes, 2)
    assert.equal(pauses.at(-1), 1000)
    assert.deepEqual(update(['good']).health, HEALTHY_HOST)
  })

  it('pauses for as long as Retry-After says, if that is longer', () => {
    assert.deepEqual(update(['too_many'], { retryAfterMs: 30_000 }).pauses, [30_000])
    assert.deepEqual(update(['too_many'], { retryAfterMs: 100 }).pauses, [500])
    assert.deepEqual(update(['unavailable'], { retryAfterMs: 3_600_000 }).pauses, [3_600_000])
  })

  it('does not pause again for the same page, unless it is a 429 or two pages in a row', () => {
    const again = { retryAfterMs: 30_000, hasPausedBefore: true }
    assert.deepEqual(update(['good', 'unavailable', 'good'], again).pauses, [0, 0, 0])
    assert.deepEqual(update(['good', 'unavailable', 'unavailable'], again).pauses, [0, 0, 30_000])
    assert.deepEqual(update(['good', 'too_many'], again).pauses, [0, 30_000])
    assert.deepEqual(update(['unavailable'], { ...again, retryAfterMs: YEAR_2999_MS }).pauses, [0])
  })

  it('with a Retry-After of years pauses for the host patience, and only once', () => {
    const first = update(['unavailable'], { retryAfterMs: YEAR_2999_MS })
    assert.deepEqual([first.pauses, first.health.downUntil], [[60_000], 0])
    const later = update(['unavailable'], { retryAfterMs: YEAR_2999_MS, now: 61_000 }, first.health)
    assert.deepEqual([later.pauses, later.health.downUntil], [[0], 0])
  })

  it('with a Retry-After of years does not pause for a page that was refused before', () => {
    const { pauses, health } = update(['unavailable'], { retryAfterMs: YEAR_2999_MS, attempts: 1 })
    assert.deepEqual([pauses, health], [[0], HEALTHY_HOST])
  })
})

describe('broken pages', () => {
  it('do not pause their host while most others are fine', () => {
    const site = times(5, [...times(30, 'good' as const), 'failed' as const, 'unavailable' as const]).flat()
    const { pauses, overloads, health } = update(site)
    assert.deepEqual([Math.max(...pauses), health.strikes], [0, 0])
    assert.ok(!overloads.includes(true))
  })

  it('pause it if they are a larger share of the responses', () => {
    for (const responseClass of ['failed', 'unavailable'] as const) {
      assert.deepEqual(update(times(6, responseClass)).pauses, [0, 0, 0, 500, 1000, 2000])
    }
  })

  it('count once, no matter how often they are retried', () => {
    const { health, pauses } = update(times(9, 'unavailable'), { attempts: 1 })
    assert.deepEqual([health, Math.max(...pauses)], [HEALTHY_HOST, 0])
  })
})

describe('an overloaded host', () => {
  it('is one that refuses a quarter of the requests', () => {
    assert.deepEqual(update(times(6, 'unavailable')).overloads, [false, false, false, false, true, true])
    assert.ok(!update(times(9, 'failed')).overloads.includes(true))
  })

  it('is one that got more requests than it is known to accept', () => {
    const { overloads, health } = update(['unavailable'], { isLimited: true, isAlone: false })
    assert.deepEqual([overloads, health.failureShare], [[true], 0])
    assert.deepEqual(update(['unavailable'], { isLimited: true }).overloads, [false])
  })

  it('is one that refuses two of several concurrent requests', () => {
    const { overloads, health } = update(['good', 'unavailable', 'unavailable'], { isAlone: false })
    assert.deepEqual([overloads, health.strikes], [[false, false, true], 0])
    assert.deepEqual(update(['too_many'], { isAlone: false }).overloads, [true])
  })

  it('keeps no URL from its last attempt while other requests are in flight, within a bound', () => {
    const last = { attempts: SETTINGS.retries, isAlone: false }
    assert.deepEqual(update(['unavailable'], last).overloads, [true])
    assert.deepEqual(update(['unavailable'], { ...last, postponements: 3 }).overloads, [false])
    assert.deepEqual(update(['unavailable'], { ...last, isAlone: true }).overloads, [false])
    assert.deepEqual(update(['failed'], last).overloads, [false])
  })

  it('is not blamed if one page is refused again and again while others are served', () => {
    for (const [postponements, isOverload] of [
      [2, true],
      [3, false],
    ] as const) {
      const context = { isLimited: true, isAlone: false, postponements }
      assert.deepEqual(update(['unavailable'], context).overloads, [isOverload])
    }
  })

  it('is down when it has served nothing for the host patience, and not before', () => {
    const { health } = update(times(5, 'unavailable'))
    const since = health.refusingSince
    assert.equal(since, 5000)
    assert.equal(update(['unavailable'], { now: since + 59_999 }, health).health.downUntil, 0)
    const down = update(['unavailable'], { now: since + 60_000 }, health).health
    assert.ok(down.downUntil > since + 60_000)
    assert.equal(downReason(down), 'host_overloaded')
    assert.equal(update(['good'], {}, health).health.refusingSince, 0)
  })
})

describe('a host that is silent', () => {
  it('three times in a row is suspended, and probed within 25 seconds', () => {
    const two = update(['silent', 'silent'])
    assert.equal(isSuspended(two.health), false)
    const { health, pauses } = update(times(7, 'silent'))
    assert.equal(isSuspended(health), true)
    assert.deepEqual(pauses.slice(2), [5000, 10_000, 20_000, 25_000, 25_000])
    assert.equal(health.failingSince, 1000)
  })

  it('is suspended after one timeout', () => {
    const { health, pauses } = update(['timed_out'])
    assert.equal(isSuspended(health), true)
    assert.deepEqual(pauses, [5000])
  })

  it('is no longer silent after a response of any kind', () => {
    for (const responseClass of ['good', 'too_many', 'unavailable', 'failed'] as const) {
      const { health } = update(['timed_out', 'silent', responseClass])
      assert.deepEqual([isSuspended(health), health.failingSince], [false, 0])
    }
  })

  it('is down when the host patience is over, and not before', () => {
    const silent = update(times(3, 'silent')).health
    const before = update(['silent'], { now: 60_000 }, silent).health
    assert.equal(before.downUntil, 0)
    const after = update(['silent'], { now: 61_000 }, silent).health
    assert.ok(after.downUntil > 61_000)
    assert.equal(downReason(after), 'host_unresponsive')
  })

  it('is down right after its retries if it has never responded', () => {
    const context = { hasResponded: false }
    assert.equal(update(['silent', 'silent'], context).health.downUntil, 0)
    assert.ok(update(['silent', 'silent', 'silent'], context).health.downUntil > 0)
  })

  it('is not silent if only one URL has a problem, which adds no strike', () => {
    const silent = update(times(3, 'silent')).health
    const { health, pauses } = update(['neutral'], {}, silent)
    assert.deepEqual([health, pauses], [{ ...HEALTHY_HOST, strikes: 3 }, [0]])
  })
})
