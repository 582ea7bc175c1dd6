import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seededRandom } from '../../lib/seeded-random.ts'
import { changeRate, NO_EVIDENCE, posteriorOf, recordObservation } from './change-rate.ts'
import { digamma, inverseTrigamma, trigamma } from './gamma-functions.ts'
import { addToGroup, DEFAULT_PRIOR, EMPTY_GROUP, groupIncrement, priorOfGroups, type RateGroup } from './priors.ts'

const DAY_MS = 86_400_000

/** The group after ten observations of each of 100 pages that change this often, in rounds. */
function learnGroup(perDay: number): RateGroup {
  const random = seededRandom(13)
  const histories = Array.from({ length: 100 }, () => NO_EVIDENCE)
  let group = EMPTY_GROUP
  for (let round = 0; round < 10; round++) {
    histories.forEach((history, i) => {
      const prior = priorOfGroups([group])
      const elapsedMs = DAY_MS / perDay
      const isChanged = random.chance(-Math.expm1(-1))
      const after = recordObservation(history, { elapsedMs, isChanged, announcement: null }, prior)
      histories[i] = after
      group = addToGroup(group, groupIncrement(elapsedMs, after, prior))
    })
  }
  return group
}

describe('the prior of a change rate', () => {
  it('is the default one without groups', () => {
    assert.deepEqual(priorOfGroups([]), DEFAULT_PRIOR)
    assert.deepEqual(priorOfGroups([EMPTY_GROUP, EMPTY_GROUP]), DEFAULT_PRIOR)
  })

  it('comes close to the rates of the group, over four orders of magnitude', () => {
    for (const perDay of [24, 2, 0.1, 0.01]) {
      const { changes, observedMs } = priorOfGroups([learnGroup(perDay)])
      const logRate = digamma(changes) - Math.log(observedMs / DAY_MS)
      assert.ok(Math.abs(logRate - Math.log(perDay)) < Math.log(2.5), `${perDay}: ${Math.exp(logRate)}`)
    }
  })

  it('is that of the narrower group where there is one', () => {
    const host = learnGroup(0.1)
    const pattern = learnGroup(5)
    const rate = (groups: RateGroup[]) => changeRate(posteriorOf(NO_EVIDENCE, priorOfGroups(groups)))
    assert.ok(rate([host, pattern]) > 10 * rate([host]))
    assert.ok(rate([host, EMPTY_GROUP]) === rate([host]))
  })

  it('is positive and finite for broken sums', () => {
    for (const value of [Number.NaN, -1, 0, 1e300, Number.POSITIVE_INFINITY]) {
      const prior = priorOfGroups([{ observations: value, weight: value, logRates: value, squaredLogRates: value }])
      const rate = changeRate(posteriorOf(NO_EVIDENCE, prior))
      assert.ok(rate > 0 && Number.isFinite(rate), `${value}: ${rate}`)
    }
  })
})

describe('gamma functions', () => {
  it('have their known values', () => {
    assert.ok(Math.abs(digamma(1) + 0.5772156649) < 1e-7)
    assert.ok(Math.abs(digamma(0.5) + 1.963510026) < 1e-7)
    assert.ok(Math.abs(trigamma(1) - Math.PI ** 2 / 6) < 1e-7)
    assert.ok(Math.abs(trigamma(0.5) - Math.PI ** 2 / 2) < 1e-7)
  })

  it('are inverted closely enough for a prior', () => {
    for (const x of [0.3, 0.5, 1, 1.5, 3]) assert.ok(Math.abs(inverseTrigamma(trigamma(x)) / x - 1) < 0.1)
  })
})
