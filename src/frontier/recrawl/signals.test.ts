import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seededRandom } from '../../lib/seeded-random.ts'
import { NO_EVIDENCE, posteriorOf, rateConfidence, recordObservation, unchangedProbability } from './change-rate.ts'
import { addToGroup, EMPTY_GROUP, groupIncrement, priorOfGroups } from './priors.ts'
import {
  addToAccuracy,
  announcementOf,
  announcesChange,
  gainOfSignal,
  NEW_SIGNAL,
  type SignalAccuracy,
  signalPrecision,
  signalRecall,
} from './signals.ts'

const DAY_MS = 86_400_000
/** A page that changes every ten days on average. */
const POSTERIOR = { changes: 20, observedMs: 200 * DAY_MS }

/** The record after observations at intervals from one day to `maxDays`, each with a signal that depends on the change or not. */
function learn(
  observations: number,
  maxDays: number,
  hasSignal: (isChanged: boolean, luck: number) => boolean,
): SignalAccuracy {
  const random = seededRandom(11)
  let record = NEW_SIGNAL
  for (let i = 0; i < observations; i++) {
    const elapsedMs = (1 + random.next() * (maxDays - 1)) * DAY_MS
    const isChanged = random.chance(1 - unchangedProbability(POSTERIOR, elapsedMs))
    const signalled = hasSignal(isChanged, random.next())
    const observation = { hasSignal: signalled, isChanged, posterior: POSTERIOR, confidence: 1, elapsedMs }
    record = addToAccuracy(record, gainOfSignal(record, observation))
  }
  return record
}

describe('signals', () => {
  it('are not trusted before they have proved themselves', () => {
    assert.equal(signalPrecision(NEW_SIGNAL), 0)
    assert.equal(signalRecall(NEW_SIGNAL), 0)
    assert.equal(announcementOf(NEW_SIGNAL, { posterior: POSTERIOR, elapsedMs: DAY_MS, afterMs: 0 }), null)
  })

  it('that come with most changes and little else are trusted soon', () => {
    const record = learn(80, 10, (isChanged, luck) => (isChanged ? luck < 0.9 : luck < 0.02))
    assert.ok(signalPrecision(record) > 0.55, JSON.stringify(record))
    assert.ok(signalRecall(record) > 0.4, JSON.stringify(record))
  })

  it('that always come are never trusted, even for pages that nearly always change', () => {
    for (const maxDays of [2, 10, 50]) {
      const record = learn(2000, maxDays, () => true)
      assert.equal(signalPrecision(record), 0, JSON.stringify(record))
      assert.equal(signalRecall(record), 0)
    }
  })

  it('that come at random or never are not trusted', () => {
    assert.equal(signalPrecision(learn(2000, 10, (_isChanged, luck) => luck < 0.5)), 0)
    assert.equal(signalRecall(learn(2000, 10, () => false)), 0)
  })

  it('that come at random are not trusted on a host whose pages change faster than expected', () => {
    const random = seededRandom(11)
    const histories = Array.from({ length: 100 }, () => NO_EVIDENCE)
    let record = NEW_SIGNAL
    let rates = EMPTY_GROUP
    for (let round = 0; round < 10; round++) {
      histories.forEach((history, page) => {
        const prior = priorOfGroups([rates])
        const posterior = posteriorOf(history, prior)
        const confidence = rateConfidence(history, posterior)
        const found = { isChanged: true, elapsedMs: DAY_MS }
        record = addToAccuracy(
          record,
          gainOfSignal(record, { hasSignal: random.chance(0.5), ...found, posterior, confidence }),
        )
        const after = recordObservation(history, { ...found, announcement: null }, prior)
        rates = addToGroup(rates, groupIncrement(DAY_MS, after, prior))
        histories[page] = after
        assert.equal(signalPrecision(record), 0, JSON.stringify(record))
      })
    }
  })

  it('lose trust when they begin to lie', () => {
    let record = learn(300, 10, (isChanged) => isChanged)
    assert.ok(signalPrecision(record) > 0.8)
    const lie = { hasSignal: true, isChanged: false, posterior: POSTERIOR, confidence: 1, elapsedMs: DAY_MS }
    for (let i = 0; i < 400; i++) record = addToAccuracy(record, gainOfSignal(record, lie))
    assert.equal(signalPrecision(record), 0)
  })
})

describe('the time of a change', () => {
  const visitedAt = 20_000 * DAY_MS + 36_000_000
  const now = visitedAt + 5 * DAY_MS

  it('announces a change if it is after our visit', () => {
    assert.equal(announcesChange(visitedAt + 1, { before: null, visitedAt, now }), true)
    assert.equal(announcesChange(visitedAt - 1, { before: null, visitedAt, now }), false)
    assert.equal(announcesChange(visitedAt - 1, { before: visitedAt - 100, visitedAt, now }), false)
  })

  it('announces nothing if it is in the future', () => {
    assert.equal(announcesChange(now + 2 * DAY_MS, { before: null, visitedAt, now }), false)
  })

  it('that is only a day announces one if it has become later', () => {
    const day = 20_000 * DAY_MS
    assert.equal(announcesChange(day, { before: day - DAY_MS, visitedAt, now }), true)
    assert.equal(announcesChange(day, { before: day, visitedAt, now }), false)
    assert.equal(announcesChange(day, { before: null, visitedAt, now }), false)
    assert.equal(announcesChange(day - DAY_MS, { before: day - 2 * DAY_MS, visitedAt, now }), false)
  })
})
