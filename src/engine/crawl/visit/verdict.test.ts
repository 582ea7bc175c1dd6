import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { COOKIES_SHARED_MS } from '../../fetch/cookies/cookie-sync.ts'
import { FETCH_PROBLEMS, type FetchProblem, type FetchResponse, type FetchResult } from '../../fetch/fetch-result.ts'
import { EMPTY_RESPONSE } from '../../fetch/testing/empty-response.ts'
import { decideVerdict } from './verdict.ts'

const POLICY = { retries: 2, retryDelayMs: 1000, retryMaxDelayMs: 300_000 }
const NOW = Date.UTC(2026, 0, 1)
const PAGE_URL = 'http://a.test/page?a=b'

function response(status: number, changes: Partial<FetchResponse> = {}): FetchResult {
  return { ...EMPTY_RESPONSE, status, ...changes }
}

function failure(problem: FetchProblem): FetchResult {
  return { kind: 'failure', problem, detail: '', wireBytes: 0, fetchMs: 1, ip: null, cname: null }
}

function stateOf(result: FetchResult, attempts = 0): string {
  const visitOutcome = decideVerdict(result, POLICY, { url: PAGE_URL, attempts, now: NOW, jitter: 0.5 })
  return visitOutcome.reason === null ? visitOutcome.state : `${visitOutcome.state} ${visitOutcome.reason}`
}

describe('decideVerdict', () => {
  const statuses: [number, string][] = [
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
  for (const [status, state] of statuses)
    it(`${status} is ${state}`, () => assert.equal(stateOf(response(status)), state))

  for (const status of [301, 302, 303, 307, 308]) {
    it(`${status} is redirected if it has a location`, () => {
      assert.equal(stateOf(response(status, { location: '/x' })), 'redirected')
      assert.equal(stateOf(response(status)), 'http_error redirect_without_target')
    })
  }

  it('a redirect that leads nowhere has a reason', () => {
    for (const location of ['http://[::bad', 'mailto:me@a.test', 'http://me:secret@a.test/', `/${'x'.repeat(3000)}`]) {
      assert.equal(stateOf(response(302, { location })), 'redirected redirect_target_invalid', location)
    }
    for (const location of ['', '#top', PAGE_URL, '/page?a=b', '?a=b#x']) {
      assert.equal(stateOf(response(302, { location })), 'redirected redirect_loop', location)
    }
  })

  it('a redirect to itself that sets a cookie is followed at once, then when all threads have the cookie', () => {
    const cookieCheck = response(302, { location: PAGE_URL, setsCookies: true })
    assert.equal(stateOf(cookieCheck), 'retry redirect_loop')
    assert.equal(stateOf(cookieCheck, 1), 'retry redirect_loop')
    assert.equal(stateOf(cookieCheck, 2), 'redirected redirect_loop')
    const policy = { ...POLICY, retries: 0 }
    const outcomeAfter = (attempts: number) =>
      decideVerdict(cookieCheck, policy, { url: PAGE_URL, attempts, now: NOW, jitter: 0.5 })
    const retry = { state: 'retry', reason: 'redirect_loop' }
    assert.deepEqual(outcomeAfter(0), { ...retry, dueAt: NOW })
    assert.deepEqual(outcomeAfter(1), { ...retry, dueAt: NOW + COOKIES_SHARED_MS })
    assert.deepEqual(outcomeAfter(2), { state: 'redirected', reason: 'redirect_loop' })
    assert.equal(stateOf(response(302, { location: '/x', setsCookies: true })), 'redirected')
  })

  it('a truncated body is visited, with the reason', () => {
    assert.equal(stateOf(response(200, { truncated: true })), 'visited truncated')
  })

  it('retries end when the attempts are used up', () => {
    assert.equal(stateOf(response(500), 1), 'retry http_500')
    assert.equal(stateOf(response(500), 2), 'http_error http_500')
    assert.equal(stateOf(failure('connection_lost'), 2), 'failed connection_lost')
  })

  it('permanent problems are not retried', () => {
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

  it('any response ends when the attempts are used up', () => {
    const property = fc.property(fc.integer({ min: 100, max: 999 }), fc.string(), (status, retryAfter) => {
      return !stateOf(response(status, { retryAfter, location: '/' }), POLICY.retries).startsWith('retry')
    })
    fc.assert(property)
  })
})

describe('the delay before a retry', () => {
  const delayOf = (result: FetchResult, attempts: number, jitter: number) => {
    const visitOutcome = decideVerdict(
      result,
      { retries: 9, retryDelayMs: 1000, retryMaxDelayMs: 300_000 },
      { url: PAGE_URL, attempts, now: NOW, jitter: jitter },
    )
    return visitOutcome.state === 'retry' ? visitOutcome.dueAt - NOW : null
  }

  it('doubles with each attempt, half of it jitter', () => {
    assert.deepEqual([delayOf(response(500), 0, 0), delayOf(response(500), 0, 1)], [500, 1000])
    assert.deepEqual([delayOf(response(500), 3, 0), delayOf(response(500), 3, 1)], [4000, 8000])
  })

  it('is at most five minutes without a Retry-After', () => {
    const policy = { retries: 20, retryDelayMs: 1000, retryMaxDelayMs: 300_000 }
    const visitOutcome = decideVerdict(response(500), policy, { url: PAGE_URL, attempts: 15, now: NOW, jitter: 1 })
    assert.deepEqual(visitOutcome, { state: 'retry', reason: 'http_500', dueAt: NOW + 300_000 })
  })

  it('ignores a Retry-After of more than an hour', () => {
    assert.equal(delayOf(response(429, { retryAfter: '3600' }), 0, 0), 3_600_000)
    assert.equal(delayOf(response(429, { retryAfter: '3601' }), 0, 0), 500)
  })

  it('follows Retry-After if that is longer', () => {
    assert.equal(delayOf(response(429, { retryAfter: '7' }), 0, 0), 7000)
    assert.equal(delayOf(response(503, { retryAfter: '0' }), 0, 0), 500)
  })
})
