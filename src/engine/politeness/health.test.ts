import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HEALTHY, type HostHealth } from '../../ports/frontier.ts'
import { afterReception, isSetAside, type Moment, type Reception } from './health.ts'

const SETTINGS = { cooldownMs: 500, hostPatienceMs: 60_000, retries: 2 }
const MOMENT: Moment = { startedAt: 1000, now: 1000, hasAnswered: true, hintMs: 0 }

/** Takes answers one after the other, a second apart; gives the last health and all pauses. */
function take(receptions: Reception[], moment: Partial<Moment> = {}, from: HostHealth = HEALTHY) {
  let health = from
  const pauses: number[] = []
  receptions.forEach((reception, i) => {
    const now = MOMENT.now + i * 1000
    const next = afterReception(health, reception, { ...MOMENT, startedAt: now, now, ...moment }, SETTINGS)
    health = next.health
    pauses.push(Math.max(0, next.holdUntil - (moment.now ?? now)))
  })
  return { health, pauses }
}

describe('the health of a host', () => {
  it('refusals pause it for longer and longer, up to ten times the first pause', () => {
    const { pauses } = take(['refused', 'refused', 'refused', 'refused', 'refused', 'refused'])
    assert.deepEqual(pauses, [500, 1000, 2000, 4000, 5000, 5000])
  })

  it('each good answer takes a strike away', () => {
    const { health, pauses } = take(['refused', 'refused', 'good', 'refused'])
    assert.equal(health.strikes, 2)
    assert.equal(pauses.at(-1), 1000)
    assert.deepEqual(take(['good'], {}, { ...HEALTHY, strikes: 0 }).health, HEALTHY)
  })

  it('Retry-After counts when it is longer', () => {
    assert.deepEqual(take(['refused'], { hintMs: 30_000 }).pauses, [30_000])
    assert.deepEqual(take(['refused'], { hintMs: 100 }).pauses, [500])
  })

  it('is down at once when Retry-After is longer than an hour, for a day at most', () => {
    assert.equal(take(['refused'], { hintMs: 3_600_000 }).health.downUntil, 0)
    assert.equal(take(['refused'], { hintMs: 3_600_001 }).health.downUntil, 3_601_001)
    assert.equal(take(['refused'], { hintMs: 1e12 }).health.downUntil, 86_401_000)
  })

  it('three failures in a row set it aside, and it is tried again within 25 seconds', () => {
    const two = take(['silent', 'silent'])
    assert.equal(isSetAside(two.health), false)
    const { health, pauses } = take(['silent', 'silent', 'silent', 'silent', 'silent', 'silent', 'silent'])
    assert.equal(isSetAside(health), true)
    assert.deepEqual(pauses.slice(2), [5000, 10_000, 20_000, 25_000, 25_000])
    assert.equal(health.failingSince, 1000)
  })

  it('one time-out sets it aside', () => {
    const { health, pauses } = take(['timed_out'])
    assert.equal(isSetAside(health), true)
    assert.deepEqual(pauses, [5000])
  })

  it('an answer of any kind ends the silence', () => {
    for (const reception of ['good', 'refused'] as const) {
      const { health } = take(['timed_out', 'silent', reception])
      assert.deepEqual([isSetAside(health), health.failingSince], [false, 0])
    }
  })

  it('is down when the patience is over, and not before', () => {
    const silent = take(['silent', 'silent', 'silent']).health
    const before = take(['silent'], { now: 60_000 }, silent).health
    assert.equal(before.downUntil, 0)
    const after = take(['silent'], { now: 61_000 }, silent).health
    assert.ok(after.downUntil > 61_000)
  })

  it('is down at once after all retries when it has never answered', () => {
    const moment = { hasAnswered: false }
    assert.equal(take(['silent', 'silent'], moment).health.downUntil, 0)
    assert.ok(take(['silent', 'silent', 'silent'], moment).health.downUntil > 0)
  })

  it('what is wrong with one url adds no strike, and shows that the host is not silent', () => {
    const silent = take(['silent', 'silent', 'silent']).health
    assert.deepEqual(take(['neutral'], {}, silent), { health: { ...HEALTHY, strikes: 3 }, pauses: [0] })
  })
})
