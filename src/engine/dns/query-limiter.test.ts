import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { QueryLimiter } from './query-limiter.ts'

function openOutlet(questions: number) {
  const clock = new ManualClock()
  const queryLimiter = new QueryLimiter(clock)
  /** What ends each question, in the order they were let out. */
  const out: (() => void)[] = []
  for (let index = 0; index < questions; index += 1) queryLimiter.run((answered) => out.push(answered))
  return { clock, outlet: queryLimiter, out }
}

describe('Outlet', () => {
  it('lets out fifty, and one more for each that is answered', () => {
    const { out } = openOutlet(60)
    assert.equal(out.length, 50)
    out[7]?.()
    out[7]?.()
    assert.equal(out.length, 51)
    for (let index = 0; index < out.length; index += 1) out[index]?.()
    assert.equal(out.length, 60)
  })

  it('does not let slow questions hold up the others', () => {
    const { clock, out } = openOutlet(60)
    clock.advance(249)
    assert.equal(out.length, 50)
    clock.advance(1)
    assert.equal(out.length, 60)
    out[0]?.()
    clock.advance(250)
    assert.equal(clock.nextAt(), null)
  })

  it('lets out any number of questions that are answered at once', () => {
    const { outlet, out } = openOutlet(50)
    let asked = 0
    for (let index = 0; index < 20_000; index += 1) {
      outlet.run((answered) => {
        asked += 1
        answered()
      })
    }
    out[0]?.()
    assert.equal(asked, 20_000)
  })

  it('is as wide as before once all are answered', () => {
    const { outlet, clock, out } = openOutlet(200)
    clock.advance(250)
    for (let index = 0; index < out.length; index += 1) out[index]?.()
    let again = 0
    for (let index = 0; index < 60; index += 1) outlet.run(() => (again += 1))
    assert.deepEqual([out.length, again], [200, 50])
  })
})
