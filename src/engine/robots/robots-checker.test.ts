import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import type { RobotsCopies, RobotsCopy } from '../../ports/robots.ts'
import type { Fetcher, FetchFailure, FetchProblem, FetchResult } from '../fetch/fetch-result.ts'
import { EMPTY_RESPONSE } from '../fetch/testing/empty-response.ts'
import { RobotsChecker } from './robots-checker.ts'

const DAY_MS = 86_400_000
const URL = 'http://a.test/private/x'

type TestResponse = { status: number; body?: string; location?: string } | { problem: FetchProblem }

/** A host with a robots.txt that the test sets, a store for copies, and checkers on both. */
class TestOrigin {
  readonly clock = new ManualClock()
  readonly requests: string[] = []
  readonly storedCopies = new Map<string, RobotsCopy>()
  responses: Record<string, TestResponse> = {}

  readonly #fetcher: Fetcher = {
    fetch: (url, done, _limits, deadline) => {
      if (deadline !== undefined && this.clock.now() >= deadline.endDeadline) {
        return queueMicrotask(() => done(toFailure('lease_lapsed')))
      }
      this.requests.push(url)
      queueMicrotask(() => done(toResult(this.responses[url] ?? { status: 404 })))
    },
    knownAddress: () => null,
    resolveAddress: (_url, done) => queueMicrotask(() => done(null)),
    countUnsent: () => ({ dns: 0, connect: 0 }),
    stopResending: () => undefined,
    close: async () => undefined,
  }

  readonly #copies: RobotsCopies = {
    find: async (origin) => this.storedCopies.get(origin) ?? null,
    save: async (copy) => void this.storedCopies.set(copy.origin, copy),
  }

  open(): RobotsChecker {
    const parts = { fetcher: this.#fetcher, copies: this.#copies, clock: this.clock }
    return new RobotsChecker({ userAgent: 'Orbweaver/0.1', ignoreRobots: false, failureMs: 1000 }, parts)
  }

  /** Checks a URL as a crawl thread does before a request. */
  async checkWithRules(checker: RobotsChecker, url = URL) {
    if (checker.check(url).kind === 'unknown') await checker.loadStoredRules(url)
    if (checker.check(url).kind === 'not_fetched') {
      let isFetched = false
      void checker.fetchRules(url, 0).then(() => {
        isFetched = true
      })
      for (; !isFetched; this.clock.advance(0)) await new Promise(setImmediate)
    }
    return checker.check(url)
  }
}

function toResult(response: TestResponse): FetchResult {
  if ('problem' in response) return toFailure(response.problem)
  const { status, location = null, body = '' } = response
  return { ...EMPTY_RESPONSE, status, location, body: Buffer.from(body) }
}

function toFailure(problem: FetchProblem): FetchFailure {
  return { kind: 'failure', problem, detail: '', wireBytes: 0, fetchMs: 1, ip: null, cname: null }
}

const RULES: TestResponse = {
  status: 200,
  body: 'User-agent: *\nDisallow: /private\nCrawl-delay: 2\nSitemap: /map.xml',
}
const FILE = 'http://a.test/robots.txt'

describe('the robots checker', () => {
  it('fetches the rules of an origin once and names the denying line', async () => {
    const origin = new TestOrigin()
    origin.responses[FILE] = RULES
    const checker = origin.open()
    assert.deepEqual(await origin.checkWithRules(checker), {
      kind: 'denied',
      reason: 'robots line 2: Disallow: /private',
    })
    assert.deepEqual(await origin.checkWithRules(checker, 'http://a.test/'), { kind: 'allowed', crawlDelayMs: 2000 })
    assert.deepEqual(origin.requests, [FILE])
  })

  it('another checker, as after a restart, fetches nothing while the copy is fresh', async () => {
    const origin = new TestOrigin()
    origin.responses[FILE] = RULES
    await origin.checkWithRules(origin.open())
    origin.clock.advance(DAY_MS - 1)
    assert.equal((await origin.checkWithRules(origin.open())).kind, 'denied')
    assert.equal(origin.requests.length, 1)
    origin.clock.advance(2)
    await origin.checkWithRules(origin.open())
    assert.equal(origin.requests.length, 2)
  })

  it('remembers a missing file as well', async () => {
    const origin = new TestOrigin()
    origin.responses[FILE] = { status: 404 }
    assert.equal((await origin.checkWithRules(origin.open())).kind, 'allowed')
    assert.equal((await origin.checkWithRules(origin.open())).kind, 'allowed')
    assert.equal(origin.requests.length, 1)
  })

  it('follows five redirects, even to another host', async () => {
    const origin = new TestOrigin()
    origin.responses[FILE] = { status: 301, location: 'http://b.test/1' }
    for (let i = 1; i < 5; i++) origin.responses[`http://b.test/${i}`] = { status: 302, location: `/${i + 1}` }
    origin.responses['http://b.test/5'] = RULES
    assert.equal((await origin.checkWithRules(origin.open())).kind, 'denied')
    origin.responses['http://b.test/5'] = { status: 302, location: '/6' }
    origin.responses['http://b.test/6'] = RULES
    origin.clock.advance(DAY_MS)
    assert.equal((await origin.checkWithRules(origin.open())).kind, 'allowed')
  })

  for (const failure of [{ status: 503 }, { problem: 'connect_refused' as const }]) {
    it(`${JSON.stringify(failure)} without a copy denies for now, and is retried soon`, async () => {
      const origin = new TestOrigin()
      origin.responses[FILE] = failure
      const checker = origin.open()
      const robotsPermission = await origin.checkWithRules(checker, 'http://a.test/')
      assert.equal(robotsPermission.kind, 'unreachable')
      origin.responses[FILE] = RULES
      origin.clock.advance(1000)
      assert.equal((await origin.checkWithRules(checker, 'http://a.test/')).kind, 'allowed')
    })

    it(`${JSON.stringify(failure)} leaves the last good copy in force for 30 days`, async () => {
      const origin = new TestOrigin()
      origin.responses[FILE] = RULES
      await origin.checkWithRules(origin.open())
      origin.responses[FILE] = failure
      origin.clock.advance(29 * DAY_MS)
      assert.equal((await origin.checkWithRules(origin.open())).kind, 'denied')
      assert.equal((await origin.checkWithRules(origin.open(), 'http://a.test/')).kind, 'allowed')
      origin.clock.advance(2 * DAY_MS)
      assert.equal((await origin.checkWithRules(origin.open())).kind, 'unreachable')
    })
  }

  it('leaves permanent problems to the request of the URL itself', async () => {
    const origin = new TestOrigin()
    origin.responses[FILE] = { problem: 'address_blocked' }
    assert.equal((await origin.checkWithRules(origin.open())).kind, 'allowed')
    assert.equal(origin.storedCopies.size, 0)
  })

  for (const problem of ['address_blocked', 'port_blocked', 'tls_untrusted', 'connect_refused'] as const) {
    it(`a redirect to a target that fails with ${problem} leaves the rules unknown`, async () => {
      const origin = new TestOrigin()
      origin.responses[FILE] = { status: 302, location: 'https://b.test/robots.txt' }
      origin.responses['https://b.test/robots.txt'] = { problem }
      const robotsPermission = await origin.checkWithRules(origin.open(), 'http://a.test/')
      assert.deepEqual(robotsPermission, {
        kind: 'unreachable',
        reason: `robots_unreachable: ${problem}`,
        until: origin.clock.now() + 1000,
      })
      assert.equal(origin.storedCopies.get('http://a.test')?.problem, problem)
    })
  }

  it('a redirect to the same file that is then blocked leaves the rules unknown', async () => {
    const origin = new TestOrigin()
    origin.responses[FILE] = { status: 302, location: '/robots.txt?again' }
    origin.responses[`${FILE}?again`] = { problem: 'address_blocked' }
    assert.equal((await origin.checkWithRules(origin.open())).kind, 'unreachable')
  })

  for (const location of ['ftp://b.test/robots.txt', 'http://[', 'javascript:0', undefined]) {
    it(`a redirect to ${location} leaves the rules unknown`, async () => {
      const origin = new TestOrigin()
      origin.responses[FILE] = { status: 301, ...(location === undefined ? {} : { location }) }
      assert.equal((await origin.checkWithRules(origin.open())).kind, 'unreachable')
    })
  }

  it('sends nothing after the deadline of its lease, and learns nothing from that', async () => {
    const origin = new TestOrigin()
    origin.responses[FILE] = { status: 301, location: 'http://b.test/robots.txt' }
    const checker = origin.open()
    await checker.loadStoredRules(URL)
    const gapMs = 1000
    const fetched = checker.fetchRules(URL, gapMs, { endDeadline: origin.clock.now() + gapMs })
    await new Promise(setImmediate)
    origin.clock.advance(gapMs)
    const result = await fetched
    assert.equal(result.kind === 'failure' && result.problem, 'lease_lapsed')
    assert.deepEqual(origin.requests, [FILE])
    assert.equal(origin.storedCopies.size, 0)
    assert.equal(checker.check(URL).kind, 'not_fetched')
  })

  it('a delay of more than five minutes denies', async () => {
    const origin = new TestOrigin()
    origin.responses[FILE] = { status: 200, body: 'User-agent: *\nCrawl-delay: 3600' }
    assert.deepEqual(await origin.checkWithRules(origin.open()), {
      kind: 'denied',
      reason: 'robots: Crawl-delay of 3600 s',
    })
  })

  it('returns the sitemaps of an origin once, and again after it was cleared', async () => {
    const origin = new TestOrigin()
    origin.responses[FILE] = RULES
    const checker = origin.open()
    await origin.checkWithRules(checker)
    assert.deepEqual(checker.takeSitemaps(URL), ['/map.xml'])
    assert.deepEqual(checker.takeSitemaps(URL), [])
    checker.clear()
    await origin.checkWithRules(checker)
    assert.deepEqual(checker.takeSitemaps(URL), ['/map.xml'])
    assert.equal(origin.requests.length, 1)
  })
})
