// Crawls generated sites with the real program and compares the result with an oracle that knows the graph. A failure
// names its seed; TEST_GRAPH_SEED=n runs that site alone.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { type ServedSites, serveSites } from '../../src/demo/serve-sites.ts'
import type { Site } from '../../src/demo/site-model.ts'
import { findDifferences } from '../oracle/compare-crawl.ts'
import { type ExpectedCrawlOptions, expectCrawl } from '../oracle/expected-crawl.ts'
import { makeSite } from '../sites/generated/make-site.ts'
import { MAX_FAILURES } from '../sites/generated/site-nodes.ts'
import { isLongRun } from '../testing/long-run.ts'
import { FAST_FLAGS, makeTemporaryFolder, parseSummary, runProgram } from '../testing/program.ts'
import { exportRows, runInProcess } from '../testing/run-in-process.ts'

const givenSeed = process.env['TEST_GRAPH_SEED']
const seeds = givenSeed === undefined ? [isLongRun ? 91817 : 42424] : [Number(givenSeed)]

interface Variant {
  name: string
  plan: Omit<ExpectedCrawlOptions, 'seeds'>
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

async function serve(t: TestContext, seed: number, { hosts, pages, plan }: Variant): Promise<ServedSites> {
  const sites = Array.from({ length: hosts }, (_, i) => makeSite(seed + i, { pages }))
  if (plan.retries < MAX_FAILURES) for (const { nodes } of sites) replaceRefusals(nodes)
  const web = await serveSites(sites)
  t.after(() => web.close())
  return web
}

/** A host that refuses several requests in a row is overloaded, which costs its pages no attempts. */
function replaceRefusals(nodes: Site['nodes']): void {
  for (const [path, node] of nodes) {
    if (node.kind === 'flaky' && (node.status === 429 || node.status === 503)) nodes.set(path, { ...node, status: 500 })
  }
}

for (const seed of seeds) {
  describe(`site ${seed}`, () => {
    for (const variant of variants) {
      it(`${variant.name} is crawled exactly`, async (t) => {
        const web = await serve(t, seed, variant)
        const data = join(makeTemporaryFolder(t), 'data')
        const starts = web.sites.map(({ origin }) => `${origin}/`)
        const programResult = await runProgram(['crawl', ...starts, '--data', data, ...FAST_FLAGS, ...variant.flags])
        assert.equal(programResult.code, 0, programResult.stderr)
        const expected = expectCrawl(web.sites, { ...variant.plan, seeds: starts })
        const { crawl_id, status, total } = parseSummary(programResult)
        const rows = await exportRows(data, crawl_id)
        const crawled = rows.map((exportRow) => ({ ...exportRow, httpStatus: exportRow.http_status }))
        const hint = `replay with TEST_GRAPH_SEED=${seed}`
        assert.deepEqual(findDifferences(expected, crawled), [], hint)
        assert.deepEqual([status, total], ['completed', expected.size], hint)
        for (const [url, want] of expected) {
          const { host, pathname, search } = new URL(url)
          assert.equal(web.log.count(host, pathname + search), want.attempts, `requests for ${url}; ${hint}`)
        }
        const verified = await runInProcess(['verify', crawl_id, '--data', data])
        assert.equal(verified.code, 0, verified.stdout)
      })
    }
  })
}
