import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HEALTHY_HOST, type HostHealth } from '../../ports/frontier.ts'
import { downReason, type HealthContext, isSuspended, type ResponseClass, updateHealth } from './host-health.ts'

const SETTINGS = { cooldownMs: 500, hostPatienceMs: 60_000, retries: 2 }
const MOMENT: HealthContext = {
  ...{ startedAt: 1000, now: 1000, hasAnswered: true, retryAfterMs: 0 },
  ...{ attempts: 0, deferrals: 0, hasPausedBefore: false, isAlone: true, isLimited: false },
}
const YEAR_2999_MS = 3e13

/** Takes answers one after the other, a second apart; gives the last health, all pauses and what was overload. */
function take(receptions: ResponseClass[], moment: Partial<HealthContext> = {}, from: HostHealth = HEALTHY_HOST) {
  let health = from
  const pauses: number[] = []
  const overloads: boolean[] = []
  receptions.forEach((reception, i) => {
    const now = MOMENT.now + i * 1000
    const next = updateHealth(health, reception, { ...MOMENT, startedAt: now, now, ...moment }, SETTINGS)
    health = next.health
    pauses.push(Math.max(0, next.pauseUntil - (moment.now ?? now)))
    overloads.push(next.isOverload)
  })
  return { health, pauses, overloads }
}

function times<T>(count: number, what: T): T[] {
  return new Array(count).fill(what)
}

describe('a host that refuses', () => {
  it('with 429 is paused for longer and longer, up to ten times the first pause', () => {
    assert.deepEqual(take(times(6, 'too_many')).pauses, [500, 1000, 2000, 4000, 5000, 5000])
  })

  it('gets fewer requests instead of a pause when several were under way', () => {
    const { pauses, health } = take(times(6, 'too_many'), { isAlone: false })
    assert.deepEqual([pauses, health.strikes], [times(6, 0), 0])
  })

  it('gets its strikes back one by one with good answers', () => {
    const { health, pauses } = take(['too_many', 'too_many', 'good', 'too_many'])
    assert.equal(health.strikes, 2)
    assert.equal(pauses.at(-1), 1000)
    assert.deepEqual(take(['good']).health, HEALTHY_HOST)
  })

  it('is left alone for as long as Retry-After says, when that is longer', () => {
    assert.deepEqual(take(['too_many'], { retryAfterMs: 30_000 }).pauses, [30_000])
    assert.deepEqual(take(['too_many'], { retryAfterMs: 100 }).pauses, [500])
    assert.deepEqual(take(['unavailable'], { retryAfterMs: 3_600_000 }).pauses, [3_600_000])
  })

  it('with one page is not left alone for that page again, unless it is a 429 or two pages in a row', () => {
    const again = { retryAfterMs: 30_000, hasPausedBefore: true }
    assert.deepEqual(take(['good', 'unavailable', 'good'], again).pauses, [0, 0, 0])
    assert.deepEqual(take(['good', 'unavailable', 'unavailable'], again).pauses, [0, 0, 30_000])
    assert.deepEqual(take(['good', 'too_many'], again).pauses, [0, 30_000])
    assert.deepEqual(take(['unavailable'], { ...again, retryAfterMs: YEAR_2999_MS }).pauses, [0])
  })

  it('for years is left alone for as long as the patience, and only once', () => {
    const first = take(['unavailable'], { retryAfterMs: YEAR_2999_MS })
    assert.deepEqual([first.pauses, first.health.downUntil], [[60_000], 0])
    const later = take(['unavailable'], { retryAfterMs: YEAR_2999_MS, now: 61_000 }, first.health)
    assert.deepEqual([later.pauses, later.health.downUntil], [[0], 0])
  })

  it('for years with a page that was refused before: that is about the page', () => {
    const { pauses, health } = take(['unavailable'], { retryAfterMs: YEAR_2999_MS, attempts: 1 })
    assert.deepEqual([pauses, health], [[0], HEALTHY_HOST])
  })
})

describe('broken pages', () => {
  it('do not pause their host as long as most others are fine', () => {
    const site = times(5, [...times(30, 'good' as const), 'failed' as const, 'unavailable' as const]).flat()
    const { pauses, overloads, health } = take(site)
    assert.deepEqual([Math.max(...pauses), health.strikes], [0, 0])
    assert.ok(!overloads.includes(true))
  })

  it('pause it when they are a larger share of the answers', () => {
    for (const reception of ['failed', 'unavailable'] as const) {
      assert.deepEqual(take(times(6, reception)).pauses, [0, 0, 0, 500, 1000, 2000])
    }
  })

  it('count once, however often they are tried', () => {
    const { health, pauses } = take(times(9, 'unavailable'), { attempts: 1 })
    assert.deepEqual([health, Math.max(...pauses)], [HEALTHY_HOST, 0])
  })
})

describe('an overloaded host', () => {
  it('is one that refuses a quarter of the requests', () => {
    assert.deepEqual(take(times(6, 'unavailable')).overloads, [false, false, false, false, true, true])
    assert.ok(!take(times(9, 'failed')).overloads.includes(true))
  })

  it('is one that was asked for more than it is known to take', () => {
    const { overloads, health } = take(['unavailable'], { isLimited: true, isAlone: false })
    assert.deepEqual([overloads, health.failureShare], [[true], 0])
    assert.deepEqual(take(['unavailable'], { isLimited: true }).overloads, [false])
  })

  it('is one that refuses two of several at a time', () => {
    const { overloads, health } = take(['good', 'unavailable', 'unavailable'], { isAlone: false })
    assert.deepEqual([overloads, health.strikes], [[false, false, true], 0])
    assert.deepEqual(take(['too_many'], { isAlone: false }).overloads, [true])
  })

  it('is not held to be the cause when one page is refused again and again while others are served', () => {
    for (const [deferrals, isOverload] of [
      [2, true],
      [3, false],
    ] as const) {
      const moment = { isLimited: true, isAlone: false, deferrals }
      assert.deepEqual(take(['unavailable'], moment).overloads, [isOverload])
    }
  })

  it('is down when it has served nothing for as long as the patience, and not before', () => {
    const { health } = take(times(5, 'unavailable'))
    const since = health.refusingSince
    assert.equal(since, 5000)
    assert.equal(take(['unavailable'], { now: since + 59_999 }, health).health.downUntil, 0)
    const down = take(['unavailable'], { now: since + 60_000 }, health).health
    assert.ok(down.downUntil > since + 60_000)
    assert.equal(downReason(down), 'host_overloaded')
    assert.equal(take(['good'], {}, health).health.refusingSince, 0)
  })
})

describe('a host that is silent', () => {
  it('three times in a row is set aside, and tried again within 25 seconds', () => {
    const two = take(['silent', 'silent'])
    assert.equal(isSuspended(two.health), false)
    const { health, pauses } = take(times(7, 'silent'))
    assert.equal(isSuspended(health), true)
    assert.deepEqual(pauses.slice(2), [5000, 10_000, 20_000, 25_000, 25_000])
    assert.equal(health.failingSince, 1000)
  })

  it('for one time-out is set aside', () => {
    const { health, pauses } = take(['timed_out'])
    assert.equal(isSuspended(health), true)
    assert.deepEqual(pauses, [5000])
  })

  it('is no longer silent with an answer of any kind', () => {
    for (const reception of ['good', 'too_many', 'unavailable', 'failed'] as const) {
      const { health } = take(['timed_out', 'silent', reception])
      assert.deepEqual([isSuspended(health), health.failingSince], [false, 0])
    }
  })

  it('is down when the patience is over, and not before', () => {
    const silent = take(times(3, 'silent')).health
    const before = take(['silent'], { now: 60_000 }, silent).health
    assert.equal(before.downUntil, 0)
    const after = take(['silent'], { now: 61_000 }, silent).health
    assert.ok(after.downUntil > 61_000)
    assert.equal(downReason(after), 'host_unresponsive')
  })

  it('is down at once after all retries when it has never answered', () => {
    const moment = { hasAnswered: false }
    assert.equal(take(['silent', 'silent'], moment).health.downUntil, 0)
    assert.ok(take(['silent', 'silent', 'silent'], moment).health.downUntil > 0)
  })

  it('is not silent when something is wrong with one url, which adds no strike', () => {
    const silent = take(times(3, 'silent')).health
    const { health, pauses } = take(['neutral'], {}, silent)
    assert.deepEqual([health, pauses], [{ ...HEALTHY_HOST, strikes: 3 }, [0]])
  })
})
