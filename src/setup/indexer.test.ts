import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { isLongRun } from '../../test/testing/long-run.ts'
import { AppError } from '../lib/errors.ts'
import { createLog, type Log, silentLog } from '../lib/log.ts'
import type { ManualClock } from '../lib/testing/manual-clock.ts'
import type { ArchivedResponse, Position } from '../ports/archive.ts'
import { hashOf, visitEach } from '../ports/contracts/testing/page-visits.ts'
import { StoreHarness } from '../ports/contracts/testing/store-harness.ts'
import { findPageIds, makeDocument, makeIndexQuery, termNode } from '../ports/contracts/testing/test-index.ts'
import type { VersionConsumer } from '../ports/versions.ts'
import { Analyser } from '../search/analyse/analyser.ts'
import { Indexer } from '../search/indexer/indexer.ts'
import { computeLinkRanks, isRankDue } from '../search/indexer/link-ranks.ts'
import { openTestIndex } from '../search/sqlite/testing/test-index.ts'
import { makeTestStore } from '../store/testing/sqlite-test-store.ts'

async function makeIndex(t: TestContext) {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-indexer-'))
  const store = makeTestStore({ leaseMs: 30_000, random: () => 0.5 })
  const index = openTestIndex(dir, store, () => rmSync(dir, { recursive: true }))
  t.after(() => index.close())
  return { ...index, bench: new StoreHarness(store) }
}

/** An archive of HTML pages by record offset; null: the record cannot be read now. */
function makeArchive(pages: (string | null)[]) {
  return {
    async read({ offset }: Position): Promise<ArchivedResponse> {
      const html = pages[offset]
      if (html === null || html === undefined) throw new AppError('STORE_FAILED', 'the disk does not respond')
      const response = {
        url: '',
        fetchedAt: 0,
        ip: null,
        status: 200,
        isTruncated: false,
        sameAs: null,
        extracted: null,
      }
      return { ...response, headers: [['content-type', 'text/html']], payload: Buffer.from(html) }
    },
  }
}

type TestIndexSetup = Awaited<ReturnType<typeof makeIndex>>

function makeIndexer(
  { feed, store, clock }: TestIndexSetup,
  htmlPages: (string | null)[],
  log: Log = silentLog,
  consumers: VersionConsumer[] = [],
): Indexer {
  const reading = {
    pages: store.pages,
    archive: makeArchive(htmlPages),
    readDocument: () => assert.fail('there is no document'),
  }
  const analyser = new Analyser({ detect: () => [], findEntities: null })
  return new Indexer({
    feed,
    reading,
    crawls: store.crawls,
    urls: store.urls,
    revisits: store.revisits,
    analyser,
    consumers,
    clock,
    log,
  })
}

const page = (n: number) => ({ digest: hashOf(n + 1), position: { segment: 's1', offset: n, length: 1 } })

/** Runs the indexer for this time. */
async function pass(clock: ManualClock, seconds: number): Promise<void> {
  for (let i = 0; i < seconds; i++) {
    clock.advance(1000)
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  }
}

describe('the indexer', () => {
  it('skips noindex pages, errors and pages that were not archived, and removes their earlier versions', async (t) => {
    const setup = await makeIndex(t)
    const { bench, index } = setup
    await visitEach(bench, [
      ['a/1', page(0)],
      ['a/2', page(1), { noindex: true }],
      ['a/3', page(2), { httpStatus: 404 }],
      ['a/4', { digest: hashOf(9), position: null, resembles: 1 }],
      ['a/5', page(3)],
      ['a/5', page(4), { noindex: true }],
    ])
    const htmlPages = Array.from({ length: 5 }, (_, n) => `<title>T${n}</title><p>apple number ${n}`)
    const indexer = makeIndexer(setup, htmlPages)
    await indexer.catchUp()
    const hits = (await index.find(makeIndexQuery('appl', { now: 0 }))).hits
    assert.deepEqual(
      hits.map(({ url, title }) => [url, title]),
      [['http://a.test/1', 'T0']],
    )
    assert.deepEqual(indexer.counts, { indexed: 2, again: 0, leftOut: { noindex: 2, status: 1, not_kept: 1 } })
  })

  it('passes every version with content to its consumers once, and again if they fail', async (t) => {
    const setup = await makeIndex(t)
    await visitEach(setup.bench, [
      ['a/1', page(0)],
      ['a/2', page(1), { noindex: true }],
      ['a/3', page(2), { httpStatus: 404 }],
      ['a/1', page(3)],
    ])
    const htmlPages = Array.from({ length: 4 }, (_, n) => `<title>T${n}</title><p>apple number <b>${n}</b>`)
    const seen: string[] = []
    let isFailing = true
    const consumer: VersionConsumer = {
      wants: ({ url }) => url.startsWith('http://a.test/'),
      async examine({ url, version }, { html, text }) {
        if (isFailing && version === 2) throw new AppError('STORE_FAILED', 'the consumer cannot write')
        seen.push(`${url.slice(14)} ${version} ${text()} ${html?.length}`)
      },
    }
    await assert.rejects(makeIndexer(setup, htmlPages, silentLog, [consumer]).catchUp(), { code: 'STORE_FAILED' })
    isFailing = false
    seen.length = 0
    const indexer = makeIndexer(setup, htmlPages, silentLog, [consumer])
    await indexer.catchUp()
    assert.deepEqual(seen, ['1 1 apple number 0 41', '2 1 apple number 1 41', '1 2 apple number 3 41'])
    await indexer.catchUp()
    assert.equal(seen.length, 3)
  })

  it('stops within a batch, which is repeated later', async (t) => {
    const setup = await makeIndex(t)
    const { bench, index } = setup
    const urls = Array.from({ length: 40 }, (_, n) => n)
    await visitEach(
      bench,
      urls.map((n) => [`a/${n}`, page(n)]),
    )
    const htmlPages = urls.map((n) => `<p>apple ${n}`)
    const stopped = makeIndexer(setup, htmlPages)
    const first = htmlPages[0]
    Object.defineProperty(htmlPages, 0, {
      get: () => {
        stopped.stop()
        return first
      },
    })
    await stopped.catchUp()
    assert.deepEqual([stopped.counts.indexed, (await index.status()).documents], [0, 0])
    await makeIndexer(setup, Array.from(htmlPages)).catchUp()
    assert.equal((await index.status()).documents, urls.length)
  })

  it('waits while the archive cannot be read, and skips nothing', async (t) => {
    const setup = await makeIndex(t)
    const { bench, index, clock } = setup
    await visitEach(bench, [
      ['a/1', page(0)],
      ['a/2', page(1)],
    ])
    const htmlPages: (string | null)[] = ['<p>apple', null]
    const failures: string[] = []
    const failed = Promise.withResolvers<void>()
    const log = createLog((_level, event) => {
      failures.push(event)
      failed.resolve()
    })
    const indexer = makeIndexer(setup, htmlPages, log)
    const running = indexer.run()
    await failed.promise
    assert.deepEqual([failures, (await index.status()).documents], [['indexing failed, will retry'], 0])
    htmlPages[1] = '<p>apple too'
    while ((await index.status()).documents < 2) {
      clock.advance(1000)
      await new Promise(setImmediate)
    }
    indexer.stop()
    await running
    assert.equal((await findPageIds({ index }, 'appl', { now: 0 })).length, 2)
  })

  it('indexes anchor text, also if the batch failed the first time', async (t) => {
    const setup = await makeIndex(t)
    // There are more pages than are read concurrently; the last one cannot be read.
    const count = 20
    await visitEach(
      setup.bench,
      Array.from({ length: count }, (_, n) => [`a/${n}`, page(n)]),
    )
    const htmlPages: (string | null)[] = Array.from({ length: count }, () => '<p>a pear</p><a href="/1">Orchard</a>')
    htmlPages[count - 1] = null
    const indexer = makeIndexer(setup, htmlPages)
    await assert.rejects(indexer.catchUp(), { code: 'STORE_FAILED' })
    htmlPages[count - 1] = '<p>a plum</p>'
    await indexer.catchUp()
    const anchored = { ...termNode('orchard'), field: 'anchors' as const }
    const { hits } = await setup.index.find(makeIndexQuery(anchored, { now: 0 }))
    assert.deepEqual(
      hits.map(({ url }) => url),
      ['http://a.test/1'],
    )
  })

  it('indexes each page once, with the texts of links on later pages', async (t) => {
    const setup = await makeIndex(t)
    // There are more pages than are written at once.
    const count = 150
    await visitEach(
      setup.bench,
      Array.from({ length: count }, (_, n) => [`a/${n}`, page(n)]),
    )
    const next = (n: number) => `<p>apple ${n}</p><a href="/${(n + count - 1) % count}">pear${n}</a>`
    const indexer = makeIndexer(
      setup,
      Array.from({ length: count }, (_, n) => next(n)),
    )
    await indexer.catchUp()
    assert.deepEqual(indexer.counts, { indexed: count, again: 0, leftOut: {} })
    const inAnchors = (word: string) => makeIndexQuery({ ...termNode(word), field: 'anchors' as const }, { now: 0 })
    const { hits } = await setup.index.find(inAnchors('pear100'))
    assert.deepEqual(
      hits.map(({ url }) => url),
      ['http://a.test/99'],
    )
  })

  it('gives pages of a running crawl time for links to them, and indexes them again when it has ended', async (t) => {
    const setup = await makeIndex(t)
    const { bench, index, clock, store } = setup
    const { id } = await bench.start(['b/1'])
    const indexer = makeIndexer(setup, ['<p>apple', '<p>plum</p><a href="/1">Orchard</a>'])
    const documents = async () => (await index.status()).documents
    await visitEach(bench, [['a/1', page(0)]])
    const running = indexer.run()
    await pass(clock, 30)
    assert.equal(await documents(), 0)
    while ((await documents()) < 1) await pass(clock, 1)
    await visitEach(bench, [['a/2', page(1)]])
    while ((await documents()) < 2) await pass(clock, 1)
    await pass(clock, 60)
    assert.equal(indexer.counts.again, 0)
    await store.crawls.close(id, 'enough')
    while (indexer.counts.again < 1) await pass(clock, 1)
    indexer.stop()
    await running
    assert.deepEqual(indexer.counts, { indexed: 2, again: 1, leftOut: {} })
  })

  it('indexes pages of a running crawl in batches, however slowly they come', async (t) => {
    const setup = await makeIndex(t)
    const { bench, clock, feed } = setup
    await bench.start(['b/1'])
    const indexer = makeIndexer(
      setup,
      Array.from({ length: 30 }, () => '<p>apple'),
    )
    const finish = t.mock.method(feed, 'finish')
    const running = indexer.run()
    for (let n = 0; n < 30; n++) {
      await visitEach(bench, [[`a/${n}`, page(n)]])
      await pass(clock, 1)
    }
    while (indexer.counts.indexed < 30) await pass(clock, 1)
    indexer.stop()
    await running
    assert.ok(finish.mock.callCount() <= 10, `${finish.mock.callCount()} batches`)
  })

  const needsLongRun = { skip: isLongRun ? false : 'takes 12 s; runs in test:long' }
  it('indexes pages with late links again during a crawl that always has new pages', needsLongRun, async (t) => {
    const setup = await makeIndex(t)
    const { bench, clock, index } = setup
    await bench.start(['b/1'])
    const link = '<p>plum</p><a href="/0">Orchard</a>'
    // For more than an hour, a page is due at every check.
    const indexer = makeIndexer(setup, ['<p>apple', ...Array.from({ length: 420 }, () => link)])
    const running = indexer.run()
    await visitEach(bench, [['a/0', page(0)]])
    while ((await index.status()).documents < 1) await pass(clock, 1)
    for (let n = 1; n <= 420; n++) {
      await visitEach(bench, [[`a/${n}`, page(n)]])
      await pass(clock, 9)
    }
    indexer.stop()
    await running
    assert.equal(indexer.counts.again, 1)
  })

  it('stops immediately while it is idle', async (t) => {
    const indexer = makeIndexer(await makeIndex(t), [])
    const running = indexer.run()
    await new Promise(setImmediate)
    indexer.stop()
    await running
  })
})

describe('link ranks', () => {
  it('are due when a crawl has ended, and rank linked pages first', async (t) => {
    const { bench, index, feed, write, store } = await makeIndex(t)
    const links = { 'a/1': ['a/2', 'a/3'], 'a/2': ['a/3'], 'a/3': ['a/1'], 'a/4': ['a/3'] }
    await bench.start(['a/1', 'a/4'])
    await bench.crawlAll(links)
    const [progress] = await store.crawls.list()
    assert.ok(progress !== undefined && (await isRankDue(progress, feed)))
    const rows = await bench.rows()
    await write(
      rows.map(({ id, url }) => makeDocument(id, { urlId: id, url, crawlId: bench.crawlId, terms: { body: 'apple' } })),
    )
    const yieldTurn = async () => true
    assert.equal(await computeLinkRanks(progress, { feed, ...store, yieldTurn }), true)
    assert.equal(await isRankDue(progress, feed), false)
    const { hits } = await index.find(makeIndexQuery(termNode('apple'), { groupsSimilar: false }))
    assert.deepEqual([hits[0]?.url, hits.at(-1)?.url], ['http://a.test/3', 'http://a.test/4'])
    assert.ok((hits[0]?.parts.linkRank ?? 0) > 1)
    assert.equal(hits.at(-1)?.parts.linkRank, 1)
  })

  it('of a crawl that watches are due when it begins to, and count for its revisits', async (t) => {
    const { bench, feed, store } = await makeIndex(t)
    await bench.start(['a/1', 'a/2'], { recrawl: 'adaptive' })
    await bench.crawlAll({ 'a/1': ['a/3'], 'a/2': ['a/3'] })
    const [progress] = await store.crawls.list()
    assert.ok(progress !== undefined && progress.crawl.status === 'watching' && (await isRankDue(progress, feed)))
    await computeLinkRanks(progress, { feed, ...store, yieldTurn: async () => true })
    assert.equal(await isRankDue(progress, feed), false)
    const rows = (await bench.rows()).toSorted((a, b) => a.url.localeCompare(b.url))
    const details = await Promise.all(rows.map(({ id }) => store.browse.urlDetails(bench.crawlId, id)))
    assert.deepEqual(
      details.map((found) => found?.revisit?.linkRank),
      [0, 0, 1],
    )
  })

  it('are abandoned when the process is stopping', async (t) => {
    const { bench, feed, store } = await makeIndex(t)
    await bench.start(['a/1'])
    await bench.crawlAll({ 'a/1': ['a/2', 'a/3'] })
    const [progress] = await store.crawls.list()
    assert.ok(progress !== undefined)
    assert.equal(await computeLinkRanks(progress, { feed, ...store, yieldTurn: async () => false }), false)
    assert.equal(await isRankDue(progress, feed), true)
  })
})
