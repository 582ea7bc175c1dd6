import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { FETCH_PROBLEMS, type FetchProblem, type FetchResponse, type FetchResult } from '../../fetch/fetch-result.ts'
import { EMPTY_RESPONSE } from '../../fetch/testing/empty-response.ts'
import { decideVerdict } from './verdict.ts'

const POLICY = { retries: 2, retryDelayMs: 1000 }
const NOW = Date.UTC(2026, 0, 1)
const URL_ASKED = 'http://a.test/page?a=b'

function answer(status: number, changes: Partial<FetchResponse> = {}): FetchResult {
  return { ...EMPTY_RESPONSE, status, ...changes }
}

function failure(problem: FetchProblem): FetchResult {
  return { kind: 'failure', problem, detail: '', wireBytes: 0, fetchMs: 1, ip: null, cname: null }
}

function stateOf(result: FetchResult, attempts = 0): string {
  const visitOutcome = decideVerdict(result, POLICY, { url: URL_ASKED, attempts, now: NOW, jitter: 0.5 })
  return visitOutcome.reason === null ? visitOutcome.state : `${visitOutcome.state} ${visitOutcome.reason}`
}

describe('decideVerdict', () => {
  const answers: [number, string][] = [
    [200, 'visited'],
    [204, 'visited'],
    [299, 'visited'],
    [300, 'http_error http_300'],
    [304, 'http_error http_304'],
    [400, 'http_error http_400'],
    [401, 'http_error http_401'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [410, 'http_error http_410'],
    [408, 'retry http_408'],
    [421, 'retry http_421'],
    [425, 'retry http_425'],
    [429, 'retry http_429'],
    [500, 'retry http_500'],
    [503, 'retry http_503'],
    [599, 'retry http_599'],
  ]
  for (const [status, state] of answers) it(`${status} is ${state}`, () => assert.equal(stateOf(answer(status)), state))

  for (const status of [301, 302, 303, 307, 308]) {
    it(`${status} is redirected when it says where to`, () => {
      assert.equal(stateOf(answer(status, { location: '/x' })), 'redirected')
      assert.equal(stateOf(answer(status)), 'http_error redirect_without_target')
    })
  }

  it('a redirect that leads nowhere says why', () => {
    for (const location of ['http://[::bad', 'mailto:me@a.test', 'http://me:secret@a.test/', `/${'x'.repeat(3000)}`]) {
      assert.equal(stateOf(answer(302, { location })), 'redirected redirect_target_invalid', location)
    }
    for (const location of ['', '#top', URL_ASKED, '/page?a=b', '?a=b#x']) {
      assert.equal(stateOf(answer(302, { location })), 'redirected redirect_loop', location)
    }
  })

  it('a cut body is visited, and says so', () => {
    assert.equal(stateOf(answer(200, { truncated: true })), 'visited truncated')
  })

  it('retries end after the attempts allowed', () => {
    assert.equal(stateOf(answer(500), 1), 'retry http_500')
    assert.equal(stateOf(answer(500), 2), 'http_error http_500')
    assert.equal(stateOf(failure('connection_lost'), 2), 'failed connection_lost')
  })

  it('what cannot pass is not tried again', () => {
    for (const problem of ['tls_invalid', 'tls_expired', 'compression_bomb', 'encoding_unsupported'] as const) {
      assert.equal(stateOf(failure(problem)), `failed ${problem}`)
    }
  })

  it('a blocked address is excluded, not failed', () => {
    assert.equal(stateOf(failure('address_blocked')), 'excluded address_blocked')
  })

  it('every problem ends in a state with a reason', () => {
    for (const problem of FETCH_PROBLEMS) assert.match(stateOf(failure(problem), 99), / /)
  })

  it('any answer whatever ends within the attempts allowed', () => {
    const property = fc.property(fc.integer({ min: 100, max: 999 }), fc.string(), (status, retryAfter) => {
      return !stateOf(answer(status, { retryAfter, location: '/' }), POLICY.retries).startsWith('retry')
    })
    fc.assert(property)
  })
})

describe('waiting before a retry', () => {
  const delayOf = (result: FetchResult, attempts: number, jitter: number) => {
    const visitOutcome = decideVerdict(
      result,
      { retries: 9, retryDelayMs: 1000 },
      { url: URL_ASKED, attempts, now: NOW, jitter: jitter },
    )
    return visitOutcome.state === 'retry' ? visitOutcome.dueAt - NOW : null
  }

  it('doubles with each attempt, half of it by chance', () => {
    assert.deepEqual([delayOf(answer(500), 0, 0), delayOf(answer(500), 0, 1)], [500, 1000])
    assert.deepEqual([delayOf(answer(500), 3, 0), delayOf(answer(500), 3, 1)], [4000, 8000])
  })

  it('is never longer than five minutes by itself', () => {
    const policy = { retries: 20, retryDelayMs: 1000 }
    const visitOutcome = decideVerdict(answer(500), policy, { url: URL_ASKED, attempts: 15, now: NOW, jitter: 1 })
    assert.deepEqual(visitOutcome, { state: 'retry', reason: 'http_500', dueAt: NOW + 300_000 })
  })

  it('follows no Retry-After of more than an hour', () => {
    assert.equal(delayOf(answer(429, { retryAfter: '3600' }), 0, 0), 3_600_000)
    assert.equal(delayOf(answer(429, { retryAfter: '3601' }), 0, 0), 500)
  })

  it('follows Retry-After when that is longer', () => {
    assert.equal(delayOf(answer(429, { retryAfter: '7' }), 0, 0), 7000)
    assert.equal(delayOf(answer(503, { retryAfter: '0' }), 0, 0), 500)
  })
})
