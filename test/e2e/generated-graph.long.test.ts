// `npm run test:e2e:generated`, `:medium` and `:stress`: generated sites, crawled through /crawl-runs and compared with
// what the generator knows. A failure names its seed; TEST_GRAPH_SEED=n runs that site alone, and E2E_GRAPH_PAGES=n
// sets the size. With E2E_CROSS_CHECK=1, an independent crawler visits the site too and must find the same URLs.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { serveSites } from '../../src/demo/serve-sites.ts'
import { crawlWithOracle } from '../field/oracle-crawler.ts'
import { findDifferences } from '../oracle/compare-crawl.ts'
import { expectCrawl } from '../oracle/expected-crawl.ts'
import { makeSite } from '../sites/generated/make-site.ts'
import { type FixtureRun, fixtureAddress, fixtureHost, openRuns, testedServers } from './testing/run-fixture.ts'

const givenSeed = process.env['TEST_GRAPH_SEED']
const seeds = givenSeed === undefined ? [42_424, 91_817] : [Number(givenSeed)]
const pages = Number(process.env['E2E_GRAPH_PAGES'] ?? 11)

/** States of the oracle by the words of this API. */
const STATES: Record<string, string> = {
  VISITED: 'visited',
  REDIRECT_FOLLOWED: 'redirected',
  REDIRECT_OUT_OF_SCOPE: 'redirected',
  FORBIDDEN: 'forbidden',
  NOT_FOUND: 'not_found',
  HTTP_TERMINAL: 'http_error',
  FAILED: 'failed',
}
/** Defaults of a run. */
const PLAN = { maxDepth: 25, retries: 2, followRedirects: true }

for (const server of testedServers) {
  describe(`on ${server}`, () => {
    const cleanups: (() => unknown)[] = []
    let crawl: (seedUrl: string) => Promise<FixtureRun>
    before(async () => {
      crawl = await openRuns({ after: (cleanup) => cleanups.push(cleanup) }, server)
    })
    after(async () => {
      for (const cleanup of cleanups.toReversed()) await cleanup()
    })

    for (const seed of seeds) {
      it(`site ${seed} with ${pages} URLs is crawled exactly`, async (t) => {
        const hostname = fixtureHost === null ? {} : { hostname: fixtureHost }
        const web = await serveSites([makeSite(seed, { pages })], { addresses: [fixtureAddress], ...hostname })
        t.after(() => web.close())
        const starts = web.sites.map(({ origin }) => `${origin}/`)
        const { run, urls } = await crawl(starts[0] ?? '')
        const hint = `replay with TEST_GRAPH_SEED=${seed}`
        const crawled = urls.map(({ normalized_url: url, status, http_status: httpStatus, depth }) => {
          return { url, state: STATES[status] ?? status, httpStatus, depth }
        })
        const expected = expectCrawl(web.sites, { ...PLAN, seeds: starts })
        assert.deepEqual(findDifferences(expected, crawled), [], hint)
        assert.deepEqual([run['status'], urls.length], ['COMPLETED', expected.size], hint)
        if (process.env['E2E_CROSS_CHECK'] !== '1') return
        const { requested } = await crawlWithOracle(starts[0] ?? '', 10 * pages, true)
        assert.deepEqual([...requested].sort(), [...expected.keys()].sort(), hint)
      })
    }
  })
}
