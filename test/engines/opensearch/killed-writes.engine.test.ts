// kill -9 between the bulk write of a batch and its commit: documents that no row of the store refers to must not stay.

import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { ManualClock } from '../../../src/lib/testing/manual-clock.ts'
import { makeDocument, NOW, toPageResults } from '../../../src/ports/contracts/testing/test-index.ts'
import { openEngineFeed } from '../../../src/search/opensearch/open.ts'
import { writeOutcome } from '../../../src/search/postgres/write/write-outcome.ts'
import { startProgram } from '../../testing/program.ts'
import { openBulkGate } from './bulk-gate.ts'
import { anySearchEngine } from './search-engines.ts'
import { type SearchNode, startSearchNode } from './search-node.ts'
import { crawlSite, openCluster, VERIFIED } from './test-cluster.ts'

const PAGES = 30

describe('an indexer that is killed while it writes', () => {
  let node: SearchNode
  const cleanups: (() => unknown)[] = []
  before(async () => {
    node = await startSearchNode({ after: (cleanUp) => cleanups.push(cleanUp) }, anySearchEngine())
  })
  after(async () => {
    for (const cleanUp of cleanups) await cleanUp()
  })

  type Site = Awaited<ReturnType<typeof crawlSite>>

  /** Runs `index ...` and kills it at its first bulk request. */
  async function killWhileWriting(t: TestContext, site: Site, args: string[], { isAfter }: { isAfter: boolean }) {
    const gate = await openBulkGate(t, site.search, isAfter)
    const program = startProgram(['index', ...args], { env: { ...site.env, ORBWEAVER_SEARCH: gate.search } })
    await Promise.race([gate.held, program.ended.then(({ stderr }) => assert.fail(`It ended: ${stderr}`))])
    program.child.kill('SIGKILL')
    await program.ended
    return gate
  }

  async function assertCounts({ countAll, countRows, shown }: Site, documents: number) {
    assert.deepEqual({ documents: await countAll(), rows: await countRows() }, { documents, rows: documents })
    assert.match(await shown(['index', 'verify']), VERIFIED)
  }

  it('leaves documents that the next run writes again', async (t) => {
    const site = await crawlSite(t, node, PAGES)
    await killWhileWriting(t, site, ['run'], { isAfter: true })
    assert.deepEqual([await site.countAll(), await site.countRows()], [PAGES + 1, 0])
    await site.shown(['index', 'run'])
    await assertCounts(site, PAGES + 1)
  })

  it('leaves no document of a crawl that is deleted before the next run', async (t) => {
    const site = await crawlSite(t, node, PAGES)
    await killWhileWriting(t, site, ['run'], { isAfter: true })
    await site.shown(['delete', site.crawlId, '--yes'])
    await site.shown(['index', 'run'])
    await assertCounts(site, 0)
  })

  it('leaves no document if the engine gets its request after the next run', async (t) => {
    const site = await crawlSite(t, node, PAGES)
    const gate = await killWhileWriting(t, site, ['run'], { isAfter: false })
    await site.shown(['delete', site.crawlId, '--yes'])
    await site.shown(['index', 'run'])
    await gate.release()
    await assertCounts(site, 0)
  })

  it('leaves no document of a rebuild, which is started again or not', async (t) => {
    const site = await crawlSite(t, node, PAGES)
    await site.shown(['index', 'run'])
    await killWhileWriting(t, site, ['rebuild'], { isAfter: true })
    assert.equal(await site.count(), PAGES + 1)
    await site.shown(['index', 'rebuild'])
    assert.match((await site.indexNames()).join(), /^[^,]*-r3$/)
    await assertCounts(site, PAGES + 1)
    await killWhileWriting(t, site, ['rebuild'], { isAfter: true })
    await site.shown(['delete', site.crawlId, '--yes'])
    await site.shown(['index', 'run'])
    await assertCounts(site, 0)
  })

  it('leaves one document of a URL whose versions are in the indices of several months', async (t) => {
    const { env, search, countAll } = await openCluster(t, node)
    const timing = { clock: new ManualClock(NOW), isClockVirtual: true, random: () => 0.5, onOutage: () => undefined }
    const { db, sink, close } = openEngineFeed({ url: env.ORBWEAVER_STORE, search, env: {} }, timing)
    t.after(close)
    const write = async (version: number, isKilled = false) => {
      const visitedAt = Date.UTC(2026, version)
      const pages = toPageResults([makeDocument(1, { pageId: version, version, visitedAt })])
      await db.transaction(async (tx) => {
        await writeOutcome(tx, { pages, anchors: [] }, sink)
        if (isKilled) throw new Error('killed')
      })
    }
    await sink?.check()
    await write(1)
    await assert.rejects(write(2, true), /killed/)
    await write(3)
    assert.equal(await countAll(), 2)
    await sink?.check()
    assert.equal(await countAll(), 1)
    await assert.rejects(write(4, true), /killed/)
    await write(4)
    await sink?.check()
    assert.equal(await countAll(), 1)
  })
})
