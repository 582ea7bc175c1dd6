import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from './manual-clock.ts'

describe('a manual clock', () => {
  it('stands still until it is advanced', () => {
    const clock = new ManualClock(500)
    assert.deepEqual([clock.now(), clock.now(), clock.nextAt()], [500, 500, null])
    clock.advance(20)
    assert.equal(clock.now(), 520)
  })

  it('fires timers by time, then by creation, each at its own time', () => {
    const clock = new ManualClock(0)
    const fired: string[] = []
    const record = (name: string) => () => fired.push(`${name}@${clock.now()}`)
    clock.after(30, record('late'))
    clock.after(10, record('first'))
    clock.after(10, record('second'))
    clock.after(0, record('now'))
    clock.after(-5, record('past'))
    clock.advance(29)
    assert.deepEqual(fired, ['now@0', 'past@0', 'first@10', 'second@10'])
    clock.advance(1)
    assert.deepEqual(fired.at(-1), 'late@30')
  })

  it('fires no timer while it stands still, even if one is due', () => {
    const clock = new ManualClock()
    let count = 0
    clock.after(0, () => (count += 1))
    assert.equal(count, 0)
    clock.advance(0)
    assert.equal(count, 1)
    clock.advance(1000)
    assert.equal(count, 1)
  })

  it('fires timers set by other timers within the advanced time', () => {
    const clock = new ManualClock(0)
    const fired: number[] = []
    const tick = () => {
      fired.push(clock.now())
      clock.after(10, tick)
    }
    clock.after(10, tick)
    clock.advance(35)
    assert.deepEqual([fired, clock.now(), clock.nextAt()], [[10, 20, 30], 35, 40])
  })

  it('drops a cancelled timer, also if another timer cancels it', () => {
    const clock = new ManualClock(0)
    const fired: string[] = []
    const cancel = clock.after(10, () => fired.push('cancelled'))
    clock.after(5, cancel)
    clock.after(20, () => fired.push('kept'))
    assert.equal(clock.nextAt(), 5)
    clock.advance(100)
    assert.deepEqual(fired, ['kept'])
    cancel()
    assert.equal(clock.nextAt(), null)
  })
})
