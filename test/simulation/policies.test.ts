// Policies of hosts in virtual time: several threads keep them, and a change is applied while the crawl runs.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { EMPTY_POLICY, type Policy } from '../../src/config/policies/policy.ts'
import { HOST, makeTreeSite, simulateCrawl } from './testing/simulated-crawl.ts'

const PAGES = 120

function policy(fields: Partial<Policy>): Policy {
  return { ...EMPTY_POLICY, host: HOST, ...fields }
}

function timesOf({ web, startedAt }: Awaited<ReturnType<typeof simulateCrawl>>): number[] {
  return web.requests.map(({ at }) => at - startedAt)
}

it('threads that share a host keep a rate that is set while they crawl, within a moment', async (t) => {
  const result = await simulateCrawl(
    t,
    makeTreeSite(PAGES),
    {
      perHost: 4,
      delayMs: 0,
      onStart: (_loops, store) =>
        void store.clock.after(100, () => void store.policies.set([policy({ rate: 2, burst: 3 })])),
    },
    2,
  )
  assert.equal(result.progress.ledger.visited, PAGES)
  const times = timesOf(result)
  assert.ok(times.filter((at) => at < 100).length > 8, `${times.slice(0, 20)}`)
  const later = times.filter((at) => at > 1000)
  for (const [i, from] of later.entries()) {
    for (const [j, to] of later.entries()) {
      if (j >= i) assert.ok(j - i + 1 <= 3 + ((to - from) / 1000) * 2 + 1e-6, `${j - i + 1} in ${to - from} ms`)
    }
  }
})

it('a delay that is removed no longer holds', async (t) => {
  const result = await simulateCrawl(t, makeTreeSite(PAGES), {
    perHost: 4,
    delayMs: 0,
    onStart(_loops, store) {
      void store.policies.set([policy({ delayMs: 500 })])
      store.clock.after(10_000, () => void store.policies.remove(HOST))
    },
  })
  const times = timesOf(result)
  const before = times.filter((at) => at > 1000 && at < 10_000)
  assert.ok(
    before.slice(1).every((at, i) => at - (before[i] ?? 0) >= 500),
    `${before}`,
  )
  assert.ok(result.tookMs < 15_000, `${result.tookMs} ms`)
})

it('a change of policies that concern no host costs the crawl no visit', async (t) => {
  const result = await simulateCrawl(t, makeTreeSite(PAGES), {
    perHost: 2,
    delayMs: 0,
    onStart: (_loops, store) =>
      void store.clock.after(300, () => void store.policies.set([{ ...policy({ delayMs: 9000 }), host: 'b.test' }])),
  })
  assert.equal(result.progress.ledger.visited, PAGES)
  assert.equal(result.web.requests.length, PAGES)
})
