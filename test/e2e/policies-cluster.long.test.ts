// Policies of hosts as the server sees them, with two workers on Postgres: rate, and a change while the crawl runs.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type PlainSite, servePlainSite } from '../sites/plain-site.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { openTestCluster } from './testing/test-cluster.ts'

const links = (count: number) => Array.from({ length: count }, (_, i) => `<a href="/${i}">x</a>`).join('')

/** A request that a busy machine delivers late is this much closer to the next. */
const LATE_MS = 150

/** Requests beyond what a token bucket allows since the first one. */
function findExcess(
  { requests }: PlainSite,
  { perSecond, burst }: { perSecond: number; burst: number },
): string | null {
  const [first] = requests
  for (const [i, { startedAt }] of requests.entries()) {
    const tookMs = startedAt - (first?.startedAt ?? 0) + LATE_MS
    if (i + 1 > burst + (tookMs / 1000) * perSecond) return `${i + 1} requests in ${tookMs} ms`
  }
  return null
}

it('a rate with bursts holds with two workers, a change of it is applied at once, and a delay holds after that', async (t) => {
  const site = await servePlainSite(t, (path) => (path === '/' ? links(60) : 'page'))
  const cluster = await openTestCluster(t)
  await cluster.runCommand(['policies', 'set', '127.0.0.1', 'rate=5', 'burst=3'])
  cluster.startWorker()
  cluster.startWorker()
  const flags = ['--allow-private', '--ignore-robots', '--delay', '0', '--per-host', '4', '--no-traps', '--detach']
  await cluster.runCommand(['crawl', `${site.origin}/`, ...flags, '--archive', 'none'])
  await waitUntil(() => site.requests.length >= 20)
  assert.equal(findExcess(site, { perSecond: 5, burst: 3 }), null)
  await cluster.runCommand(['policies', 'set', '127.0.0.1', 'delay=600', 'per_host=1'])
  const atChange = site.requests.length
  // Requests in flight, and requests started before the threads asked for leases again.
  await waitUntil(() => site.requests.length >= atChange + 8)
  const later = site.requests.slice(atChange + 3).map(({ startedAt }) => startedAt)
  const spanMs = (later.at(-1) ?? 0) - (later[0] ?? 0)
  assert.ok(spanMs >= 600 * (later.length - 1) - LATE_MS, `${later.length} requests in ${spanMs} ms`)
  await cluster.runCommand(['policies', 'remove', '127.0.0.1'])
  await cluster.waitForRow(`select 1 from crawls where status = 'completed'`)
  assert.equal(site.requests.length, 61)
})
