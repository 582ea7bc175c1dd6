import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fileKeyOf, SETTING_NAMES } from '../../config/schema.ts'
import { HOLD_REASONS } from '../../ports/hold-reasons.ts'
import { PHASES } from '../../ports/workers.ts'
import { findBottleneck } from './bottleneck.ts'

const one = (phases: Record<string, number>) => ({ crawlId: 'c', inFlight: 1, phases })
const spending = (...figures: ReturnType<typeof one>[]) => ({ figures, held: null })

describe('the bottleneck of a crawl', () => {
  it('is what most time of all workers goes to', () => {
    const answer = findBottleneck('running', spending(one({ origin: 30, parse: 10 }), one({ parse: 50, store: 10 })))
    assert.equal(answer.cause, 'parse')
    assert.deepEqual(answer.shares, { origin: 0.3, parse: 0.6, store: 0.1 })
  })

  it('is none while nobody works on it, or nothing was measured', () => {
    assert.equal(findBottleneck('running', spending()).cause, null)
    assert.equal(findBottleneck('running', spending(one({}))).cause, null)
    assert.equal(findBottleneck('paused', spending(one({ origin: 1 }))).cause, null)
  })

  it('names a setting that there is, and says what to do', () => {
    const known = SETTING_NAMES.map((name) => fileKeyOf(name))
    for (const phase of PHASES) {
      const { cause, explanation, setting } = findBottleneck('running', spending(one({ [phase]: 5 })))
      assert.equal(cause, phase)
      assert.match(explanation, /^The crawl .*\.$/)
      assert.ok(setting === null || known.includes(setting), String(setting))
    }
  })

  it('is the lack of a worker when none is running', () => {
    const { cause, explanation } = findBottleneck('running', { figures: [], held: 'no_worker' })
    assert.equal(cause, null)
    assert.match(explanation, /no worker is running\. Restart the server/)
  })

  it('is told by the reason when the crawl is held', () => {
    for (const held of HOLD_REASONS.filter((reason) => reason !== 'no_worker')) {
      const { setting } = findBottleneck('running', { ...spending(one({ held: 9, idle: 1 })), held })
      assert.ok(
        SETTING_NAMES.some((name) => fileKeyOf(name) === setting),
        held,
      )
    }
  })
})
