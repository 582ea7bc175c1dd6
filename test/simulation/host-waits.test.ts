// Waits of the hosts of a crawl, inspected while it runs in virtual time.

import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { HostWait } from '../../src/engine/crawl/hosts/host-waits.ts'
import type { CrawlSettings } from '../../src/ports/crawls.ts'
import { makeTreeSite, type PageResponder, simulateCrawl } from './testing/simulated-crawl.ts'
import type { VirtualPage } from './testing/virtual-web.ts'

const robots = (body: string) => (page: PageResponder) => (url: string, now: number) =>
  url.endsWith('/robots.txt') ? { body, contentType: 'text/plain' } : page(url, now)

interface WaitScenario extends Partial<CrawlSettings> {
  seeds?: string[]
  addressFor?: (url: string) => string
}

async function waitsAt(
  t: TestContext,
  atMs: number,
  pageResponder: PageResponder,
  waitScenario: WaitScenario,
): Promise<HostWait[]> {
  const seen: HostWait[][] = []
  await simulateCrawl(t, pageResponder, {
    ...waitScenario,
    onStart: ([loop], { clock }) => clock.after(atMs, () => seen.push(loop?.monitor.waits ?? [])),
  })
  return seen.flat()
}

const words = (waits: HostWait[]) => waits.map(({ reason, hosts, host }) => `${reason} ${hosts} ${host}`)

describe('what hosts wait for', () => {
  it('the gap between two requests', async (t) => {
    const waits = await waitsAt(t, 1000, makeTreeSite(10), { delayMs: 600 })
    assert.deepEqual(words(waits), ['gap 1 a.test'])
    assert.ok((waits[0]?.leftMs ?? 0) <= 600)
  })

  it('a crawl-delay of robots.txt, also while the host is with the store', async (t) => {
    const respond = robots('User-agent: *\nCrawl-delay: 8')(makeTreeSite(4))
    const waits = await waitsAt(t, 12_000, respond, { delayMs: 'auto', ignoreRobots: false })
    assert.deepEqual(words(waits), ['crawl_delay 1 a.test'])
    assert.ok((waits[0]?.leftMs ?? 0) > 2000, `${waits[0]?.leftMs}`)
  })

  it('a cooldown after refusals', async (t) => {
    const refusing = (): VirtualPage => ({ status: 429 })
    const waits = await waitsAt(t, 3000, refusing, { delayMs: 'auto', cooldownMs: 5000, retryDelayMs: 100 })
    assert.deepEqual(words(waits), ['cooldown 1 a.test'])
  })

  it('a proxy, without a visit, an attempt or a strike against the host', async (t) => {
    const page = makeTreeSite(5)
    const withoutProxy: PageResponder = (url, now) =>
      now >= 1000 && now < 60_000 ? { problem: 'proxy_failed', proxyRetryAfterMs: 4000 } : page(url)
    const waits: HostWait[][] = []
    const { progress, web } = await simulateCrawl(t, withoutProxy, {
      delayMs: 400,
      ignoreRobots: false,
      retries: 0,
      onStart: ([loop], { clock }) => clock.after(3000, () => waits.push(loop?.monitor.waits ?? [])),
    })
    assert.deepEqual(words(waits.flat()), ['proxy 1 a.test'])
    // One request every 4 seconds for a minute, besides the successful ones.
    assert.ok(web.requests.length <= 25, `${web.requests.length} requests`)
    const { visited, failed, excluded } = progress.ledger
    assert.deepEqual([progress.crawl.status, visited, failed, excluded], ['completed', 5, 0, 0])
  })

  it('a proxy from the first request on, for robots.txt', async (t) => {
    const page = robots('User-agent: *\nDisallow: /1')(makeTreeSite(3))
    const withoutProxy: PageResponder = (url, now) =>
      now < 60_000 ? { problem: 'proxy_failed', proxyRetryAfterMs: 4000 } : page(url, now)
    const { progress } = await simulateCrawl(t, withoutProxy, { delayMs: 400, ignoreRobots: false, retries: 0 })
    const { visited, failed, excluded } = progress.ledger
    assert.deepEqual([progress.crawl.status, visited, failed, excluded], ['completed', 2, 0, 1])
  })

  it('a host that stopped responding', async (t) => {
    const page = makeTreeSite(20)
    const dying: PageResponder = (url, now) => (now > 1000 ? { problem: 'connect_timeout', latencyMs: 100 } : page(url))
    const waits = await waitsAt(t, 3000, dying, { delayMs: 'auto', cooldownMs: 500, hostPatienceMs: 20_000 })
    assert.deepEqual(words(waits), ['no_answer 1 a.test'])
  })

  it('the rate limit of the whole crawl, and a server address that is busy with other hosts', async (t) => {
    const seeds = ['http://a.test/0', 'http://b.test/0', 'http://c.test/0']
    const rate = await waitsAt(t, 500, makeTreeSite(1), { seeds, maxRate: 1 })
    assert.deepEqual([rate[0]?.reason, rate[0]?.hosts], ['max_rate', 2])
    const shared = { seeds, perIp: 1, addressFor: () => '192.0.2.1' }
    const perIp = await waitsAt(t, 500, makeTreeSite(1, 2000), shared)
    assert.deepEqual([perIp[0]?.reason, perIp[0]?.hosts], ['per_ip', 2])
  })

  it('nothing, if no host waits', async (t) => {
    assert.deepEqual(await waitsAt(t, 500, makeTreeSite(1, 2000), {}), [])
  })
})
