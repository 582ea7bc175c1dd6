import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fileKeyOf, SETTING_NAMES } from '../../config/schema.ts'
import { HOLD_REASONS, type HoldReason } from '../../ports/hold-reasons.ts'
import { type CrawlFigures, PHASES } from '../../ports/workers.ts'
import { findBottleneck } from './bottleneck.ts'

const workerReport = (phases: Record<string, number>) => ({ crawlId: 'c', inFlight: 1, phases })
const activity = (...figures: CrawlFigures[]) => ({ figures, held: null })

describe('the bottleneck of a crawl', () => {
  it('is the phase that takes most time of all workers', () => {
    const bottleneck = findBottleneck(
      'running',
      activity(workerReport({ origin: 30, parse: 10 }), workerReport({ parse: 50, store: 10 })),
    )
    assert.equal(bottleneck.cause, 'parse')
    assert.deepEqual(bottleneck.shares, { origin: 0.3, parse: 0.6, store: 0.1 })
  })

  it('is null without workers or measurements', () => {
    assert.equal(findBottleneck('running', activity()).cause, null)
    assert.equal(findBottleneck('running', activity(workerReport({}))).cause, null)
    assert.equal(findBottleneck('paused', activity(workerReport({ origin: 1 }))).cause, null)
  })

  it('has an existing setting and an explanation', () => {
    const known = SETTING_NAMES.map((name) => fileKeyOf(name))
    for (const phase of PHASES) {
      const { cause, explanation, setting } = findBottleneck('running', activity(workerReport({ [phase]: 5 })))
      assert.equal(cause, phase)
      assert.match(explanation, /^The crawl .*\.$/)
      assert.ok(setting === null || known.includes(setting), String(setting))
    }
  })

  it('is the site if more hosts are silent than requests are in flight', () => {
    const silentHosts = { hosts: 2, host: 'a.test' }
    const waiting = { ...workerReport({ politeness: 9, origin: 1 }), silentHosts }
    const { explanation, setting } = findBottleneck('running', activity(waiting, { ...waiting, inFlight: 0 }))
    assert.match(explanation, /^Waiting for the site: 4 hosts are not responding\./)
    assert.equal(setting, 'host_patience')
    const one = { ...waiting, silentHosts: { hosts: 1, host: 'a.test' } }
    assert.match(
      findBottleneck('running', activity(one)).explanation,
      /^Waiting for the site: a\.test is not responding\./,
    )
    const busy = { ...waiting, inFlight: 9 }
    assert.match(findBottleneck('running', activity(busy)).explanation, /^The crawl mostly waits between requests/)
  })

  it('is the missing worker if none is running', () => {
    const { cause, explanation } = findBottleneck('running', { figures: [], held: 'no_worker' })
    assert.equal(cause, null)
    assert.match(explanation, /no worker is running\. Restart the server/)
  })

  it('is explained by the hold reason if the crawl is on hold', () => {
    // No setting can change these two.
    const others: HoldReason[] = ['no_worker', 'reader_lag']
    for (const held of HOLD_REASONS.filter((reason) => !others.includes(reason))) {
      const { setting } = findBottleneck('running', { ...activity(workerReport({ held: 9, idle: 1 })), held })
      assert.ok(
        SETTING_NAMES.some((name) => fileKeyOf(name) === setting),
        held,
      )
    }
  })
})
