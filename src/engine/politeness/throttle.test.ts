import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { divideRate, newRateCell, Throttle } from './throttle.ts'

describe('Throttle', () => {
  it('limits the concurrent requests per address', () => {
    const throttle = new Throttle({ rates: [], perIp: 2 })
    throttle.beginRequest('192.0.2.1', 0)
    assert.equal(throttle.hasRoomFor('192.0.2.1'), true)
    throttle.beginRequest('192.0.2.1', 0)
    assert.equal(throttle.hasRoomFor('192.0.2.1'), false)
    assert.equal(throttle.hasRoomFor('192.0.2.2'), true)
    assert.equal(throttle.hasRoomFor(null), true)
    throttle.endRequest('192.0.2.1')
    assert.equal(throttle.hasRoomFor('192.0.2.1'), true)
  })

  it('does not delay anything without a rate', () => {
    const throttle = new Throttle({ rates: [{ perSecond: null, cell: newRateCell() }], perIp: 1 })
    for (let i = 0; i < 10; i++) throttle.beginRequest(null, 0)
    assert.equal(throttle.nextAt, 0)
  })

  it('starts no more requests in any second than the rate, except to catch up after late timers', () => {
    const rates = fc.integer({ min: 1, max: 2000 })
    const pauses = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(rates, pauses, (maxRate, waits) => {
        const throttle = new Throttle({ rates: [{ perSecond: maxRate, cell: newRateCell() }], perIp: 1 })
        const starts: number[] = []
        let now = 1000
        for (const wait of waits) {
          now += wait
          while (throttle.nextAt <= now && starts.length < 5000) {
            throttle.beginRequest(null, now)
            starts.push(now)
          }
        }
        const allowed = maxRate * 1.05 + 1
        for (const [i, start] of starts.entries()) {
          const inSecond = starts.slice(i).filter((at) => at < start + 1000).length
          assert.ok(inSecond <= allowed, `${inSecond} of ${maxRate}`)
          if (i > 300) break
        }
      }),
      { numRuns: 50 },
    )
  })

  it('processes that share a rate stay within it together', () => {
    const cell = newRateCell()
    divideRate(cell, 4)
    const throttle = new Throttle({ rates: [{ perSecond: 8, cell }], perIp: 1 })
    let starts = 0
    for (let now = 1000; now < 11_000; now += 10) {
      if (throttle.nextAt > now) continue
      throttle.beginRequest(null, now)
      starts += 1
    }
    assert.ok(starts === 20 || starts === 21, `${starts} in ten seconds`)
  })

  it('crawls with rates of their own stay within the rate of the process together', () => {
    const cell = newRateCell()
    const crawls = [20, 100].map(
      (perSecond) =>
        new Throttle({
          rates: [
            { perSecond, cell: newRateCell() },
            { perSecond: 50, cell },
          ],
          perIp: 1,
        }),
    )
    const starts = [0, 0]
    for (let now = 1000; now < 11_000; now += 5) {
      for (const [i, throttle] of crawls.entries()) {
        if (throttle.nextAt > now) continue
        throttle.beginRequest(null, now)
        starts[i] = (starts[i] ?? 0) + 1
      }
    }
    const [slow = 0, quick = 0] = starts
    assert.ok(slow <= 202 && slow + quick >= 495 && slow + quick <= 503, `${starts} in ten seconds`)
  })
})
