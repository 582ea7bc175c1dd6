// The request rate as the server sees it, and as `orbweaver politeness` reports it.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type PlainSite, servePlainSite } from '../sites/plain-site.ts'
import { runProgram } from '../testing/program.ts'
import { runInProcess } from '../testing/run-in-process.ts'
import { crawlPlainSite } from './testing/plain-crawl.ts'

const links = (count: number) => Array.from({ length: count }, (_, i) => `<a href="/${i}">x</a>`).join('')

/** A request that a busy machine delivers late is this much closer to the next. */
const LATE_MS = 150

/** The time between each request and the previous one. */
function gaps({ requests }: PlainSite): number[] {
  return requests.slice(1).map((request, i) => request.startedAt - (requests[i]?.startedAt ?? 0))
}

interface PolitenessOutput {
  requests: number
  peak_concurrency: number
  smallest_gap_ms: number
  crawl_delay_ms: number | null
  denied: number
  robots: string
}

// Runs one test after the other: the site would see requests late while this process starts programs for other tests.
describe('politeness', () => {
  it('by default there is one request at a time with a gap, robots.txt first, reported afterwards', async (t) => {
    const site = await servePlainSite(t, (path) => {
      if (path === '/robots.txt') return { status: 301, headers: { location: '/rules.txt' } }
      if (path === '/rules.txt') return 'User-agent: *\nCrawl-delay: 0.3\nDisallow: /3'
      return path === '/' ? links(5) : { body: 'page', afterMs: 20 }
    })
    const { summary, data } = await crawlPlainSite(t, site, [])
    assert.equal(site.paths()[0], '/robots.txt')
    assert.equal(site.peakConcurrency, 1)
    assert.ok(Math.min(...gaps(site)) >= 300 - LATE_MS, `gaps ${gaps(site).map(Math.round)}`)
    const { stdout } = await runInProcess(['politeness', summary.crawl_id, '--data', data, '--json'])
    const politenessOutput = JSON.parse(stdout) as PolitenessOutput
    assert.deepEqual(
      [
        politenessOutput.requests,
        politenessOutput.peak_concurrency,
        politenessOutput.crawl_delay_ms,
        politenessOutput.denied,
        politenessOutput.robots,
      ],
      [7, 1, 300, 1, 'rules'],
    )
    assert.equal(site.requests.length, 7)
    assert.ok(politenessOutput.smallest_gap_ms >= 300, `${politenessOutput.smallest_gap_ms}`)
    const table = await runProgram(['politeness', summary.crawl_id, '--data', data])
    assert.match(table.stdout, /^host +requests +peak +smallest gap/)
  })

  it('a second crawl of the host does not request robots.txt again and keeps the gap', async (t) => {
    const site = await servePlainSite(t, (path) => (path === '/robots.txt' ? 'User-agent: *\nCrawl-delay: 1' : 'page'))
    const first = await crawlPlainSite(t, site, [])
    const again = await runProgram(['crawl', `${site.origin}/other`, '--data', first.data, '--allow-private', '--json'])
    assert.equal(again.code, 0, again.stderr)
    assert.deepEqual(site.paths(), ['/robots.txt', '/', '/other'])
    assert.ok(Math.min(...gaps(site)) >= 1000 - LATE_MS, `gaps ${gaps(site).map(Math.round)}`)
  })

  for (const flag of ['--max-rate', '--worker-rate']) {
    it(`${flag} limits the requests per second, with several threads`, async (t) => {
      const site = await servePlainSite(t, (path) => (path === '/' ? links(40) : 'page'))
      const flags = [flag, '20', '--per-host', '8', '--delay', '0', '--threads', '2', '--ignore-robots', '--no-traps']
      await crawlPlainSite(t, site, flags)
      assert.equal(site.requests.length, 41)
      const tookMs = (site.requests.at(-1)?.startedAt ?? 0) - (site.requests[0]?.startedAt ?? 0)
      assert.ok(tookMs >= 2000 - LATE_MS, `40 requests in ${tookMs} ms`)
    })
  }

  it('slots and gap are as configured, with several threads', async (t) => {
    const site = await servePlainSite(t, (path) => (path === '/' ? links(20) : { body: 'page', afterMs: 400 }))
    const flags = ['--per-host', '3', '--delay', '150', '--threads', '2', '--ignore-robots', '--no-traps']
    const { summary, data } = await crawlPlainSite(t, site, flags)
    assert.equal(site.requests.length, 21)
    assert.equal(site.peakConcurrency, 3)
    // Two requests on different connections may arrive closer together, but not all of them.
    const span = (site.requests.at(-1)?.startedAt ?? 0) - (site.requests[0]?.startedAt ?? 0)
    assert.ok(span >= 20 * 150 - LATE_MS, `gaps ${gaps(site).map(Math.round)}`)
    const politenessOutput = JSON.parse(
      (await runInProcess(['politeness', summary.crawl_id, '--data', data, '--json'])).stdout,
    ) as PolitenessOutput
    assert.ok(politenessOutput.smallest_gap_ms >= 150, `${politenessOutput.smallest_gap_ms}`)
  })

  it('Retry-After is kept to the second', async (t) => {
    const site = await servePlainSite(t, (path, before) => {
      if (path === '/' && before === 0) return { status: 429, headers: { 'retry-after': '2' } }
      return path === '/' ? links(2) : 'page'
    })
    const { outcomes, summary, data } = await crawlPlainSite(t, site, ['--delay', '0', '--ignore-robots'])
    assert.deepEqual(outcomes, ['/ visited', '/0 visited', '/1 visited'])
    assert.ok((gaps(site)[0] ?? 0) >= 2000, `gaps ${gaps(site).map(Math.round)}`)
    const { stdout } = await runInProcess(['politeness', summary.crawl_id, '--data', data, '--json'])
    assert.equal((JSON.parse(stdout) as PolitenessOutput).requests, site.requests.length)
  })

  it('robots explains a decision', async (t) => {
    const site = await servePlainSite(t, (path) =>
      path === '/robots.txt'
        ? 'User-agent: orbweaver\nDisallow: /private\nAllow: /private/open\nSitemap: /map.xml'
        : 'page',
    )
    const denied = await runProgram(['robots', `${site.origin}/private/x`, '--allow-private'])
    assert.match(
      denied.stdout,
      /^Disallowed: .*\n.*longest matching rule\n {2}line 2 +Disallow: \/private\n {2}group +orbweaver/,
    )
    const { stdout } = await runInProcess(['robots', `${site.origin}/private/open`, '--allow-private', '--json'])
    const explanation = JSON.parse(stdout) as { allowed: boolean; rule: { line: number }; sitemaps: string[] }
    assert.deepEqual([explanation.allowed, explanation.rule.line, explanation.sitemaps], [true, 3, ['/map.xml']])
  })
})
