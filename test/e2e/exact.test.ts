// Generated sites, crawled by the real program, against an oracle that knows the graph. A failure names its seed;
// TEST_GRAPH_SEED=n runs that site alone.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { type ServedWeb, serveSites } from '../../src/demo/serve.ts'
import { isLong } from '../long.ts'
import { differences } from '../oracle/compare.ts'
import { type CrawlPlan, expectCrawl } from '../oracle/expect.ts'
import { makeSite } from '../sites/graph.ts'
import { exportRows, FAST, run, summaryOf, temporaryFolder } from './program.ts'

const givenSeed = process.env['TEST_GRAPH_SEED']
const seeds = givenSeed === undefined ? [isLong ? 91817 : 42424] : [Number(givenSeed)]

interface Variant {
  name: string
  plan: Omit<CrawlPlan, 'seeds'>
  flags: string[]
  hosts: number
  pages: number
}

const variants: Variant[] = [
  {
    name: 'a whole site',
    plan: { maxDepth: null, retries: 2, followRedirects: true },
    flags: ['--retries', '2'],
    hosts: 1,
    pages: 300,
  },
  {
    name: 'three steps deep',
    plan: { maxDepth: 3, retries: 2, followRedirects: true },
    flags: ['--depth', '3'],
    hosts: 1,
    pages: 300,
  },
  {
    name: 'without retries and redirects',
    plan: { maxDepth: null, retries: 0, followRedirects: false },
    flags: ['--retries', '0', '--no-follow-redirects'],
    hosts: 1,
    pages: 120,
  },
  {
    name: 'several hosts on two threads, two steps deep',
    plan: { maxDepth: 2, retries: 1, followRedirects: true },
    flags: ['--retries', '1', '--depth', '2', '--threads', '2'],
    hosts: 4,
    pages: 60,
  },
]

async function serve(t: TestContext, seed: number, variant: Variant): Promise<ServedWeb> {
  const sites = Array.from({ length: variant.hosts }, (_, i) => makeSite(seed + i, { pages: variant.pages }))
  const web = await serveSites(sites)
  t.after(() => web.close())
  return web
}

for (const seed of seeds) {
  describe(`site ${seed}`, () => {
    for (const variant of variants) {
      it(`${variant.name} is crawled exactly`, async (t) => {
        const web = await serve(t, seed, variant)
        const data = join(temporaryFolder(t), 'data')
        const starts = web.placed.map(({ origin }) => `${origin}/`)
        const ended = await run(['crawl', ...starts, '--data', data, ...FAST, ...variant.flags])
        assert.equal(ended.code, 0, ended.stderr)
        const expected = expectCrawl(web.placed, { ...variant.plan, seeds: starts })
        const { crawl_id, status, total } = summaryOf(ended)
        const rows = await exportRows(data, crawl_id)
        const crawled = rows.map((row) => ({ ...row, httpStatus: row.http_status }))
        const hint = `replay with TEST_GRAPH_SEED=${seed}`
        assert.deepEqual(differences(expected, crawled), [], hint)
        assert.deepEqual([status, total], ['completed', expected.size], hint)
        for (const [url, want] of expected) {
          const { host, pathname, search } = new URL(url)
          assert.equal(web.log.count(host, pathname + search), want.attempts, `requests for ${url}; ${hint}`)
        }
        const verified = await run(['verify', crawl_id, '--data', data])
        assert.equal(verified.code, 0, verified.stdout)
      })
    }
  })
}
