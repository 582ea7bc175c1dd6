import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../../../lib/testing/manual-clock.ts'
import {
  mergePhases,
  NONE_WAITING,
  PhaseRecorder,
  type PhaseSample,
  queueLengthAt,
  totalPhaseMs,
} from './phase-recorder.ts'

const NONE = { dns: 0, connect: 0, origin: 0, parse: 0, renderer: 0, hooks: 0 }
const QUIET: PhaseSample = { slots: 10, isOnHold: false, commitsBlockedBy: null, taken: NONE, waiting: NONE_WAITING }

/** Adds the same sample ten times in one second. */
function secondOf(sample: Partial<PhaseSample>, queueLength = 0) {
  const clock = new ManualClock()
  const phaseRecorder = new PhaseRecorder(clock.now())
  for (let i = 0; i < 10; i++) {
    clock.advance(100)
    phaseRecorder.add({ ...QUIET, ...sample }, queueLength, clock.now())
  }
  return phaseRecorder.lastMinute(clock.now())
}

describe('a phase sample', () => {
  it('attributes the time of each slot to what it is busy with', () => {
    const taken = { dns: 1, connect: 2, origin: 3, parse: 2, renderer: 1, hooks: 1 }
    assert.deepEqual(secondOf({ taken }), {
      dns: 1000,
      connect: 2000,
      origin: 3000,
      parse: 2000,
      renderer: 1000,
      hooks: 1000,
    })
  })

  it('distributes free slots in proportion to taken slots and waiting hosts', () => {
    const waiting = { ...NONE_WAITING, politeness: 3 }
    assert.deepEqual(secondOf({ taken: { ...NONE, origin: 1 }, waiting }), { politeness: 6750, origin: 3250 })
  })

  it('has nothing to distribute when all slots are taken', () => {
    const waiting = { ...NONE_WAITING, politeness: 100 }
    assert.deepEqual(secondOf({ taken: { ...NONE, origin: 10 }, waiting }), { origin: 10_000 })
  })

  it('shows an idle crawl only when no slot is taken and no host waits', () => {
    assert.deepEqual(secondOf({}), { idle: 10_000 })
    assert.deepEqual(secondOf({ waiting: { ...NONE_WAITING, politeness: 1 } }), { politeness: 10_000 })
    assert.deepEqual(secondOf({ waiting: { ...NONE_WAITING, store: 1 } }), { store: 10_000 })
    assert.deepEqual(secondOf({ waiting: { ...NONE_WAITING, origin: 1 } }), { origin: 10_000 })
  })

  it('attributes free slots to a blocked store or archive, and to a hold before anything else', () => {
    const sample = { taken: { ...NONE, origin: 2 }, waiting: { ...NONE_WAITING, politeness: 5, dns: 5, store: 5 } }
    assert.deepEqual(secondOf({ ...sample, commitsBlockedBy: 'store' }), { origin: 2000, store: 8000 })
    assert.deepEqual(secondOf({ ...sample, commitsBlockedBy: 'archive' }), { origin: 2000, archive: 8000 })
    assert.deepEqual(secondOf({ ...sample, commitsBlockedBy: 'store', isOnHold: true }), { origin: 2000, held: 8000 })
  })

  it('counts responses that wait for a busy thread as parsing', () => {
    const taken = { ...NONE, origin: 10 }
    assert.deepEqual(secondOf({ taken }, queueLengthAt(0)), { origin: 10_000 })
    assert.deepEqual(secondOf({ taken }, queueLengthAt(1)), { parse: 10_000 })
    assert.deepEqual(secondOf({ taken }, queueLengthAt(0.5)), { origin: 9250, parse: 750 })
  })
})

describe('the last minute', () => {
  it('covers sixty seconds and forgets what is older', () => {
    const clock = new ManualClock(0)
    const phaseRecorder = new PhaseRecorder(clock.now())
    const record = (ms: number, taken: Partial<PhaseSample['taken']>) => {
      for (let i = 0; i < ms; i += 100) {
        clock.advance(100)
        phaseRecorder.add({ ...QUIET, slots: 1, taken: { ...NONE, ...taken } }, 0, clock.now())
      }
      return phaseRecorder.lastMinute(clock.now())
    }
    assert.deepEqual(record(10_000, { dns: 1 }), { dns: 10_000 })
    assert.equal(totalPhaseMs(record(49_900, { origin: 1 })), 59_900)
    const later = record(5000, { connect: 1 })
    assert.ok((later.dns ?? 0) <= 5100 && (later.dns ?? 0) >= 4000, String(later.dns))
    assert.equal(later.connect, 5000)
    clock.advance(61_000)
    assert.deepEqual(phaseRecorder.lastMinute(clock.now()), {})
  })

  it('does not count the time in which the machine slept', () => {
    const clock = new ManualClock(0)
    const phaseRecorder = new PhaseRecorder(clock.now())
    clock.advance(3_600_000)
    phaseRecorder.add({ ...QUIET, slots: 1 }, 0, clock.now())
    assert.deepEqual(phaseRecorder.lastMinute(clock.now()), { idle: 5000 })
  })
})

describe('the times of several threads', () => {
  it('add up', () => {
    assert.deepEqual(mergePhases([{ origin: 10, dns: 5 }, { origin: 1, held: 2 }, {}]), { origin: 11, dns: 5, held: 2 })
  })

  it('are idle only for the share in which all threads were idle', () => {
    assert.deepEqual(mergePhases([{ idle: 100 }, { politeness: 90, idle: 10 }]), { politeness: 90, idle: 20 })
    assert.deepEqual(mergePhases([{ idle: 100 }, { politeness: 100 }]), { politeness: 100 })
    assert.deepEqual(mergePhases([{ idle: 100 }, {}]), { idle: 100 })
    assert.deepEqual(mergePhases([]), {})
  })
})
