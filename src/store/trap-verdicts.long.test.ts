// What is excluded as a trap depends on the site alone (G12): on random graphs, both stores visit and exclude the
// same URLs, in whatever order the visits of a lease are committed. TRAP_SEEDS=FROM-TO tries other graphs.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { seededRandom } from '../lib/seeded-random.ts'
import { nameOf } from '../ports/contracts/testing/held-links.ts'
import { StoreHarness } from '../ports/contracts/testing/store-harness.ts'
import { makeTestStore as makePostgresStore } from './testing/postgres-test-store.ts'
import { makeTestStore as makeSqliteStore } from './testing/sqlite-test-store.ts'
import { ENTRANCES, makeTrapGraph, reportTrapPage, type TrapPage } from './testing/trap-graph.ts'

const options = { leaseMs: 30_000, random: () => 0.5 }
const [FROM = 1, TO = 60] = (process.env['TRAP_SEEDS'] ?? '1-60').split('-').map(Number)
/** More than any of these graphs needs. */
const MAX_LEASE_REQUESTS = 3000

type CommitOrder = 'together' | 'one by one' | 'backwards'

for (let seed = FROM; seed <= TO; seed++) {
  it(`seed ${seed}`, async () => {
    const pages = makeTrapGraph(seededRandom(seed))
    const expected = await crawlGraph(new StoreHarness(makeSqliteStore(options)), pages, 'together')
    assertNothingLost(expected, pages)
    for (const order of ['one by one', 'backwards'] as const)
      assert.deepEqual(await crawlGraph(new StoreHarness(makeSqliteStore(options)), pages, order), expected, order)
    for (const order of ['together', 'one by one'] as const) {
      const storeHarness = new StoreHarness(await makePostgresStore(options))
      assert.deepEqual(await crawlGraph(storeHarness, pages, order), expected, `Postgres, ${order}`)
    }
  })
}

/** The URLs with their states and reasons, and the patterns with their trials. */
async function crawlGraph(storeHarness: StoreHarness, pages: ReadonlyMap<string, TrapPage>, order: CommitOrder) {
  try {
    await storeHarness.start(ENTRANCES)
    for (let requests = 0; (await storeHarness.progress()).crawl.status === 'running'; requests++) {
      assert.ok(requests < MAX_LEASE_REQUESTS, 'the crawl does not end')
      for (const lease of (await storeHarness.lease()).leases) {
        const reports = lease.urls
          .toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
          .flatMap((url) => {
            const page = pages.get(nameOf(url))
            return page === undefined ? [] : [reportTrapPage(storeHarness, { lease, url, page })]
          })
        if (order === 'backwards') reports.reverse()
        if (order !== 'together') for (const report of reports.splice(0)) await storeHarness.commit([report])
        await storeHarness.commit(reports, { release: [lease.token] })
      }
    }
    await storeHarness.assertSound()
    const patterns = await storeHarness.store.diagnostics.patterns(storeHarness.crawlId)
    return {
      rows: (await storeHarness.rows()).map(({ url, state, reason }) => `${url} ${state} ${reason}`).sort(),
      patterns: patterns.map((row) => `${row.pattern} ${row.state} ${row.visits} ${row.fruitless}`).sort(),
    }
  } finally {
    await storeHarness.store.close()
  }
}

/** If nothing was excluded, every link of a visited page was followed. */
function assertNothingLost({ rows }: { rows: string[] }, pages: ReadonlyMap<string, TrapPage>): void {
  if (rows.some((row) => row.includes('trap:'))) return
  const found = new Set(rows.map((row) => `a/${row.slice('http://a.test/'.length).split(' ')[0]}`))
  for (const name of found) {
    const page = pages.get(name)
    if (page === undefined || page.kind === 'gone') continue
    const links = page.kind === 'redirect' ? page.links.slice(0, 1) : [...page.links, ...page.plainLinks]
    for (const link of links) assert.ok(found.has(link), `${link} of ${name} is lost`)
  }
}
