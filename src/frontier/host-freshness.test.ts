import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hostIncrement, NEW_HOST, sendsValidators, type ValidatorRecord } from './host-freshness.ts'
import { DEFAULT_PRIOR } from './recrawl/priors.ts'
import { addVisit, type EndedVisit } from './revisit-history.ts'
import { testEnd } from './testing/visit-ends.ts'

const DATE = 'Tue, 17 Nov 2026 10:00:00 GMT'

const end = testEnd

/** What the second of two visits shows about the validators of its host. */
function test(first: EndedVisit, second: EndedVisit): ValidatorRecord {
  const context = { settings: { keepDays: null }, prior: DEFAULT_PRIOR, signals: NEW_HOST.signals }
  const before = addVisit(null, first, { ...context, now: 0 })
  const after = addVisit(before, second, { ...context, now: 1000 })
  const gain = hostIncrement(before, second, { after, prior: DEFAULT_PRIOR, host: NEW_HOST })
  return { tests: gain?.tests ?? 0, honest: gain?.honest ?? 0, lied: gain?.lied ?? 0 }
}

describe('validators', () => {
  it('lie if the content changes without them', () => {
    assert.deepEqual(test(end(), end({ observedHash: 'b' })), { tests: 1, honest: 0, lied: 1 })
    const dated = { etag: null, lastModified: DATE }
    assert.deepEqual(test(end(dated), end({ ...dated, observedHash: 'b' })), { tests: 1, honest: 0, lied: 1 })
  })

  it('are honest if they change with the content', () => {
    assert.deepEqual(test(end(), end({ observedHash: 'b', etag: '"2"' })), { tests: 1, honest: 1, lied: 0 })
  })

  it('may change without the content', () => {
    assert.deepEqual(test(end(), end({ etag: '"2"' })), { tests: 1, honest: 0, lied: 0 })
  })

  it('are not tested by a 304, by a failure, or where there are none', () => {
    const nothing = { tests: 0, honest: 0, lied: 0 }
    assert.deepEqual(test(end(), end({ isUnchanged: true, isNotModified: true })), nothing)
    assert.deepEqual(test(end(), end({ state: 'failed', observedHash: null })), nothing)
    assert.deepEqual(test(end(), end({ state: 'not_found', observedHash: null })), nothing)
    assert.deepEqual(test(end({ etag: null }), end({ etag: null, observedHash: 'b' })), nothing)
  })
})

describe('requests to a host', () => {
  const sends = (record: ValidatorRecord) =>
    Array.from({ length: 100 }, (_, visits) => sendsValidators(record, { id: 7, visits })).filter(Boolean).length

  it('are not conditional before its validators were tested', () => {
    assert.equal(sends({ tests: 2, honest: 0, lied: 0 }), 0)
  })

  it('are conditional, with one test in twenty', () => {
    assert.equal(sends({ tests: 3, honest: 0, lied: 0 }), 95)
  })

  it('are not conditional after a lie, until many changes were announced', () => {
    assert.equal(sends({ tests: 500, honest: 10, lied: 1 }), 0)
    assert.equal(sends({ tests: 500, honest: 20, lied: 1 }), 95)
  })
})
