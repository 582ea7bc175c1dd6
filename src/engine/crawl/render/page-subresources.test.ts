import assert from 'node:assert/strict'
import { it } from 'node:test'
import { systemClock } from '../../../lib/clock.ts'
import type { SubresourceRequest } from '../../../ports/renderer.ts'
import type { FetchResult, RequestDeadline } from '../../fetch/fetch-result.ts'
import { EMPTY_RESPONSE } from '../../fetch/testing/empty-response.ts'
import type { RobotsChecker, RobotsPermission } from '../../robots/robots-checker.ts'
import type { Subrequests, WantedSubrequest } from '../loop/subrequests.ts'
import { PageSubresources } from './page-subresources.ts'

const PAGE = 'http://a.test/'

function request(url: string, fields: Partial<SubresourceRequest> = {}): SubresourceRequest {
  return { url, method: 'GET', type: 'Script', headers: [], body: null, pageUrl: PAGE, validators: null, ...fields }
}

function harness(result: FetchResult | null = EMPTY_RESPONSE) {
  const sent: WantedSubrequest[] = []
  const world = {
    epoch: 0,
    permission: { kind: 'allowed', crawlDelayMs: 0 } as RobotsPermission,
    isStoreBroken: false,
    deadline: { endDeadline: Number.POSITIVE_INFINITY },
    rulesDeadlines: [] as (RequestDeadline | undefined)[],
  }
  const subrequests = {
    get epoch() {
      return world.epoch
    },
    async fetch(wanted: WantedSubrequest) {
      sent.push(wanted)
      return result
    },
    waitForThrottle: async () => () => undefined,
    deadline: () => world.deadline,
  } as unknown as Subrequests
  const robotsChecker = {
    check: () => world.permission,
    async loadStoredRules() {
      if (world.isStoreBroken) throw new Error('The store is gone.')
      world.permission = { kind: 'allowed', crawlDelayMs: 0 }
    },
    async fetchRules(_url: string, _gapMs: number, deadline?: RequestDeadline) {
      world.rulesDeadlines.push(deadline)
      world.permission = { kind: 'allowed', crawlDelayMs: 0 }
      return EMPTY_RESPONSE
    },
  } as unknown as RobotsChecker
  const dependencies = { subrequests, robotsChecker, filters: null, clock: systemClock, delayMs: 50 }
  return { subresources: new PageSubresources(dependencies), sent, world }
}

it('nothing is sent for a page that has ended, not even what it asked for before', async () => {
  const { subresources, sent } = harness()
  const answers = [1, 2, 3].map((i) => subresources.fetch(request(`http://a.test/${i}.js`)))
  await answers[0]
  subresources.close()
  const reasons = (await Promise.all(answers)).map(({ blockedReason }) => blockedReason)
  assert.equal(reasons.at(-1), 'interrupted')
  assert.equal((await subresources.fetch(request('http://a.test/4.js'))).blockedReason, 'interrupted')
  assert.ok(sent.length < 3)
  assert.ok(sent.every(({ isWanted }) => !isWanted()))
})

it('nothing is sent for a page whose visit was dropped', async () => {
  const { subresources, sent, world } = harness()
  world.epoch += 1
  assert.equal((await subresources.fetch(request('http://a.test/1.js'))).blockedReason, 'interrupted')
  assert.deepEqual(sent, [])
})

it('a store that fails interrupts one request, and the next one is sent', async () => {
  const { subresources, sent, world } = harness()
  world.permission = { kind: 'unknown' }
  world.isStoreBroken = true
  const { blockedReason, gapMs } = await subresources.fetch(request('http://b.test/1.js'))
  assert.deepEqual([blockedReason, gapMs], ['interrupted', 50])
  world.isStoreBroken = false
  assert.equal((await subresources.fetch(request('http://b.test/2.js'))).blockedReason, null)
  assert.deepEqual(
    sent.map(({ url, isOwnHost }) => [url, isOwnHost]),
    [['http://b.test/2.js', false]],
  )
})

it('expired rules of the host of the page are not fetched for a subresource', async () => {
  const { subresources, sent, world } = harness()
  world.permission = { kind: 'not_fetched' }
  assert.equal((await subresources.fetch(request('http://a.test/1.js'))).blockedReason, 'interrupted')
  assert.deepEqual([sent, world.rulesDeadlines], [[], []])
})

it('a request for the rules of another host ends when everything is dropped', async () => {
  const { subresources, world } = harness()
  world.permission = { kind: 'not_fetched' }
  assert.equal((await subresources.fetch(request('http://b.test/1.js'))).blockedReason, null)
  assert.deepEqual(world.rulesDeadlines, [world.deadline])
})

it('only GET is sent', async () => {
  const { subresources, sent } = harness()
  for (const method of ['HEAD', 'POST', 'PUT', 'DELETE'])
    assert.equal((await subresources.fetch(request('http://a.test/', { method }))).blockedReason, 'method')
  assert.deepEqual(sent, [])
})

it('Retry-After is part of the gap', async () => {
  for (const [retryAfter, expected] of [
    [null, 50],
    ['2', 2000],
    ['86400', 3_600_000],
  ] as const) {
    const { subresources } = harness({ ...EMPTY_RESPONSE, status: 503, retryAfter })
    assert.equal((await subresources.fetch(request('http://b.test/1.js'))).gapMs, expected)
  }
})
