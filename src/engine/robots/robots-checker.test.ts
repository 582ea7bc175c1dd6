import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import type { RobotsCopies, RobotsCopy } from '../../ports/robots.ts'
import type { Fetcher, FetchProblem, FetchResult } from '../fetch/fetch-result.ts'
import { EMPTY_RESPONSE } from '../fetch/testing/empty-response.ts'
import { RobotsChecker } from './robots-checker.ts'

const DAY_MS = 86_400_000
const URL = 'http://a.test/private/x'

type Answer = { status: number; body?: string; location?: string } | { problem: FetchProblem }

/** A host whose robots.txt the test sets, a store that keeps copies, and gates on both. */
class Scene {
  readonly clock = new ManualClock()
  readonly asked: string[] = []
  readonly kept = new Map<string, RobotsCopy>()
  answers: Record<string, Answer> = {}

  readonly #fetcher: Fetcher = {
    fetch: (url, done) => {
      this.asked.push(url)
      queueMicrotask(() => done(toResult(this.answers[url] ?? { status: 404 })))
    },
    knownAddress: () => null,
    resolveAddress: (_url, done) => queueMicrotask(() => done(null)),
    countUnsent: () => ({ dns: 0, connect: 0 }),
    close: async () => undefined,
  }

  readonly #copies: RobotsCopies = {
    find: async (origin) => this.kept.get(origin) ?? null,
    save: async (copy) => void this.kept.set(copy.origin, copy),
  }

  open(): RobotsChecker {
    const parts = { fetcher: this.#fetcher, copies: this.#copies, clock: this.clock }
    return new RobotsChecker({ userAgent: 'Orbweaver/0.1', ignoreRobots: false, failureMs: 1000 }, parts)
  }

  /** What a thread does before a request. */
  async judge(gate: RobotsChecker, url = URL) {
    if (gate.check(url).kind === 'unknown') await gate.loadStoredRules(url)
    if (gate.check(url).kind === 'unlearnt') {
      let isLearnt = false
      void gate.fetchRules(url, 0).then(() => {
        isLearnt = true
      })
      for (; !isLearnt; this.clock.advance(0)) await new Promise(setImmediate)
    }
    return gate.check(url)
  }
}

function toResult(answer: Answer): FetchResult {
  const common = { wireBytes: 0, fetchMs: 1, ip: null, cname: null }
  if ('problem' in answer) return { kind: 'failure', problem: answer.problem, detail: '', ...common }
  const { status, location = null, body = '' } = answer
  return { ...EMPTY_RESPONSE, status, location, body: Buffer.from(body) }
}

const RULES: Answer = { status: 200, body: 'User-agent: *\nDisallow: /private\nCrawl-delay: 2\nSitemap: /map.xml' }
const FILE = 'http://a.test/robots.txt'

describe('the robots gate', () => {
  it('asks an origin once and names the line that denies', async () => {
    const scene = new Scene()
    scene.answers[FILE] = RULES
    const gate = scene.open()
    assert.deepEqual(await scene.judge(gate), { kind: 'denied', reason: 'robots line 2: Disallow: /private' })
    assert.deepEqual(await scene.judge(gate, 'http://a.test/'), { kind: 'allowed', crawlDelayMs: 2000 })
    assert.deepEqual(scene.asked, [FILE])
  })

  it('another gate, as after a restart, asks nothing while the copy is young', async () => {
    const scene = new Scene()
    scene.answers[FILE] = RULES
    await scene.judge(scene.open())
    scene.clock.advance(DAY_MS - 1)
    assert.equal((await scene.judge(scene.open())).kind, 'denied')
    assert.equal(scene.asked.length, 1)
    scene.clock.advance(2)
    await scene.judge(scene.open())
    assert.equal(scene.asked.length, 2)
  })

  it('a missing file is remembered as well', async () => {
    const scene = new Scene()
    scene.answers[FILE] = { status: 404 }
    assert.equal((await scene.judge(scene.open())).kind, 'allowed')
    assert.equal((await scene.judge(scene.open())).kind, 'allowed')
    assert.equal(scene.asked.length, 1)
  })

  it('follows five redirects, also to another host', async () => {
    const scene = new Scene()
    scene.answers[FILE] = { status: 301, location: 'http://b.test/1' }
    for (let i = 1; i < 5; i++) scene.answers[`http://b.test/${i}`] = { status: 302, location: `/${i + 1}` }
    scene.answers['http://b.test/5'] = RULES
    assert.equal((await scene.judge(scene.open())).kind, 'denied')
    scene.answers['http://b.test/5'] = { status: 302, location: '/6' }
    scene.answers['http://b.test/6'] = RULES
    scene.clock.advance(DAY_MS)
    assert.equal((await scene.judge(scene.open())).kind, 'allowed')
  })

  for (const failure of [{ status: 503 }, { problem: 'connect_refused' as const }]) {
    it(`${JSON.stringify(failure)} without a copy denies for now, and is asked again soon`, async () => {
      const scene = new Scene()
      scene.answers[FILE] = failure
      const gate = scene.open()
      const robotsPermission = await scene.judge(gate, 'http://a.test/')
      assert.equal(robotsPermission.kind, 'unreachable')
      scene.answers[FILE] = RULES
      scene.clock.advance(1000)
      assert.equal((await scene.judge(gate, 'http://a.test/')).kind, 'allowed')
    })

    it(`${JSON.stringify(failure)} leaves the last good copy in force for 30 days`, async () => {
      const scene = new Scene()
      scene.answers[FILE] = RULES
      await scene.judge(scene.open())
      scene.answers[FILE] = failure
      scene.clock.advance(29 * DAY_MS)
      assert.equal((await scene.judge(scene.open())).kind, 'denied')
      assert.equal((await scene.judge(scene.open(), 'http://a.test/')).kind, 'allowed')
      scene.clock.advance(2 * DAY_MS)
      assert.equal((await scene.judge(scene.open())).kind, 'unreachable')
    })
  }

  it('what can never be had is left to the request of the url itself', async () => {
    const scene = new Scene()
    scene.answers[FILE] = { problem: 'address_blocked' }
    assert.equal((await scene.judge(scene.open())).kind, 'allowed')
    assert.equal(scene.kept.size, 0)
  })

  for (const problem of ['address_blocked', 'port_blocked', 'tls_untrusted', 'connect_refused'] as const) {
    it(`a redirect to a target that fails with ${problem} leaves the rules unknown`, async () => {
      const scene = new Scene()
      scene.answers[FILE] = { status: 302, location: 'https://b.test/robots.txt' }
      scene.answers['https://b.test/robots.txt'] = { problem }
      const robotsPermission = await scene.judge(scene.open(), 'http://a.test/')
      assert.deepEqual(robotsPermission, {
        kind: 'unreachable',
        reason: `robots_unreachable: ${problem}`,
        until: scene.clock.now() + 1000,
      })
      assert.equal(scene.kept.get('http://a.test')?.problem, problem)
    })
  }

  it('a redirect to the same file that is then refused leaves the rules unknown', async () => {
    const scene = new Scene()
    scene.answers[FILE] = { status: 302, location: '/robots.txt?again' }
    scene.answers[`${FILE}?again`] = { problem: 'address_blocked' }
    assert.equal((await scene.judge(scene.open())).kind, 'unreachable')
  })

  for (const location of ['ftp://b.test/robots.txt', 'http://[', 'javascript:0', undefined]) {
    it(`a redirect to ${location} leaves the rules unknown`, async () => {
      const scene = new Scene()
      scene.answers[FILE] = { status: 301, ...(location === undefined ? {} : { location }) }
      assert.equal((await scene.judge(scene.open())).kind, 'unreachable')
    })
  }

  it('a delay of more than five minutes is a refusal', async () => {
    const scene = new Scene()
    scene.answers[FILE] = { status: 200, body: 'User-agent: *\nCrawl-delay: 3600' }
    assert.deepEqual(await scene.judge(scene.open()), { kind: 'denied', reason: 'robots: Crawl-delay of 3600 s' })
  })

  it('tells the sitemaps of an origin once, and again after it has forgotten', async () => {
    const scene = new Scene()
    scene.answers[FILE] = RULES
    const gate = scene.open()
    await scene.judge(gate)
    assert.deepEqual(gate.takeSitemaps(URL), ['/map.xml'])
    assert.deepEqual(gate.takeSitemaps(URL), [])
    gate.clear()
    await scene.judge(gate)
    assert.deepEqual(gate.takeSitemaps(URL), ['/map.xml'])
    assert.equal(scene.asked.length, 1)
  })
})
