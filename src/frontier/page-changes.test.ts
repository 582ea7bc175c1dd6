import assert from 'node:assert/strict'
import { it } from 'node:test'
import { NEW_HOST } from './host-freshness.ts'
import { changedFacts, changeKind, type Destination, isRepeatedChange, mayBeChange } from './page-changes.ts'
import { DEFAULT_PRIOR } from './recrawl/priors.ts'
import { addVisit, type EndedVisit, type RevisitHistory } from './revisit-history.ts'
import { testEnd } from './testing/visit-ends.ts'

const FACTS = { title: 'T', httpStatus: 200, redirectTo: null, canonical: null, noindex: false }
const VISIT: EndedVisit = testEnd({ observedHash: 'aa' })
const CONTEXT = { settings: { keepDays: null }, prior: DEFAULT_PRIOR, signals: NEW_HOST.signals }
const GONE: EndedVisit = { ...VISIT, state: 'not_found', observedHash: null }

function historyOf(...ends: EndedVisit[]): RevisitHistory | null {
  let history: RevisitHistory | null = null
  for (const [i, end] of ends.entries()) history = addVisit(history, end, { ...CONTEXT, now: i * 1000 })
  return history
}

it('only a visit that shows something else may be a change', () => {
  const other = { ...VISIT, observedHash: 'bb' }
  const cases: [before: EndedVisit[], end: EndedVisit, expected: boolean][] = [
    [[], VISIT, true],
    [[], GONE, false],
    [[], { ...VISIT, state: 'redirected' }, false],
    [[VISIT], VISIT, false],
    [[VISIT], { ...other, isUnchanged: true }, false],
    [[VISIT], { ...VISIT, state: 'failed', observedHash: null }, false],
    [[VISIT], other, true],
    [[VISIT], GONE, true],
    [[VISIT], { ...GONE, state: 'http_error', reason: 'http_410' }, true],
    [[VISIT, GONE], GONE, false],
    [[VISIT, { ...VISIT, state: 'failed', observedHash: null }], VISIT, false],
  ]
  for (const [before, end, expected] of cases) assert.equal(mayBeChange(historyOf(...before), end), expected)
})

it('a change is repeated if the visit before found one too', () => {
  const other = { ...VISIT, observedHash: 'bb' }
  assert.deepEqual(
    [[], [VISIT], [VISIT, other], [VISIT, other, other]].map((ends) => isRepeatedChange(historyOf(...ends))),
    [null, null, true, false],
  )
})

it('the kind follows from what the URL led to before and leads to now', () => {
  const kinds = (destination: Destination | null, pageId: number | null = null, isNewUrl = false) => {
    const last = destination === null ? null : { destination, facts: FACTS, pageId }
    return (['page', 'redirect', 'nothing'] as const).map((now) => changeKind(last, now, isNewUrl))
  }
  assert.deepEqual(kinds(null), [null, null, null])
  assert.deepEqual(kinds(null, null, true), ['added', null, null])
  assert.deepEqual(kinds('page', 1), ['changed', 'redirected', 'removed'])
  assert.deepEqual(kinds('redirect', 1), ['returned', 'redirected', 'removed'])
  assert.deepEqual(kinds('nothing', 1), ['returned', 'redirected', null])
  assert.deepEqual(kinds('nothing'), ['added', 'redirected', null])
})

it('facts that differ are recorded with both values', () => {
  assert.deepEqual(changedFacts(FACTS, FACTS), {})
  assert.deepEqual(changedFacts(FACTS, { ...FACTS, noindex: true, title: null }), {
    title: { before: 'T', after: null },
    noindex: { before: false, after: true },
  })
})
