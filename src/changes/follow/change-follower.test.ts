import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { AppError } from '../../lib/errors.ts'
import { silentLog } from '../../lib/log.ts'
import type { Position } from '../../ports/archive.ts'
import { ALL_CHANGES } from '../../ports/contracts/changes.contract.ts'
import { archivedVisit, hashOf } from '../../ports/contracts/testing/page-visits.ts'
import { only, StoreHarness } from '../../ports/contracts/testing/store-harness.ts'
import type { CrawlSettings } from '../../ports/crawls.ts'
import type { PageVersion } from '../../ports/pages.ts'
import { makeTestStore } from '../../store/testing/sqlite-test-store.ts'
import { ChangeFollower } from './change-follower.ts'

const DAY_MS = 86_400_000

/** A crawl of one page whose body the test sets. Everything is real except the bytes in the archive. */
class WatchedPage {
  readonly harness: StoreHarness
  readonly follower: ChangeFollower
  readonly #bodies = new Map<number, string>()
  #lastOffset = 0
  isUnavailable = false

  constructor(harness: StoreHarness) {
    this.harness = harness
    const { changeFeed: feed, pages, clock } = harness.store
    const reading = {
      pages,
      archive: { read: (at: Position) => this.#read(at) },
      readDocument: () => assert.fail('none'),
    }
    this.follower = new ChangeFollower({ feed, reading, clock, log: silentLog })
  }

  static async open(t: TestContext, body: string, settings: Partial<CrawlSettings> = {}): Promise<WatchedPage> {
    const store = makeTestStore({ leaseMs: 30_000, random: () => 0.5 })
    t.after(() => store.close())
    const harness = new StoreHarness(store)
    await harness.start(['a/'], { recrawl: 3_600_000, archive: 'all', keepDays: null, ...settings })
    const page = new WatchedPage(harness)
    await page.visit(body)
    return page
  }

  async visit(body: string, contentType = 'text/html'): Promise<void> {
    const offset = this.#lastOffset + 1
    this.#lastOffset = offset
    this.#bodies.set(offset, body)
    if (offset > 1) await this.waitUntilDue()
    const lease = only((await this.harness.lease()).leases)
    const report = { digest: hashOf(offset), position: { segment: 's1', offset, length: 1 } }
    const visit = archivedVisit(this.harness, lease, only(lease.urls), report, { contentType })
    await this.harness.commit([visit], { release: [lease.token] })
  }

  async waitUntilDue(): Promise<void> {
    this.harness.store.clock.advance(DAY_MS)
    await this.harness.store.revisits.requeueDue(10)
  }

  changes() {
    return this.harness.store.changes.list(ALL_CHANGES)
  }

  drop(version: PageVersion | undefined): void {
    if (version?.payload != null) this.#bodies.delete(version.payload.offset)
  }

  async #read({ offset }: Position) {
    if (this.isUnavailable) throw new AppError('ARCHIVE_AWAY', 'The worker is unreachable.')
    const body = this.#bodies.get(offset)
    if (body === undefined) throw new AppError('ARCHIVE_BROKEN', 'The record is damaged.')
    const about = { url: 'http://a.test/', fetchedAt: 0, ip: null, status: 200, isTruncated: false, sameAs: null }
    return { ...about, headers: [], payload: Buffer.from(body), extracted: null }
  }
}

const article = (text: string, footer = '') => `<main><h1>News</h1><p>${text}</p></main><footer>${footer}</footer>`

describe('the follower of changes', () => {
  it('publishes what is news, with its words and a summary', async (t) => {
    const page = await WatchedPage.open(t, article('The shop opens at nine.'))
    await page.visit(article('The shop opens at ten, and closes at five.'))
    assert.equal(await page.follower.examineNext(), 1)
    const change = only(await page.changes())
    assert.deepEqual([change.wordsAdded, change.wordsRemoved], [5, 1])
    assert.equal(change.summary, 'The shop opens at ten, and closes at five.')
    assert.equal(await page.follower.examineNext(), 0)
  })

  it('drops changes of footers, markup, clocks and ignored parts', async (t) => {
    const settings = { ignoreChanges: ['^Sponsored by '], ignoreSelectors: ['.ad', '#poll'] }
    const page = await WatchedPage.open(t, article('Sponsored by Acme'), settings)
    await page.visit(article('Sponsored by Acme', 'Copyright 2027'))
    await page.visit(`<!-- new markup --><div>${article('Sponsored by Acme')}</div>`)
    await page.visit(article('Sponsored by Bolt'))
    await page.visit(article('Sponsored by Bolt<span class="ad"> Buy now</span>'))
    await page.visit(article('Sponsored by Bolt</p><p>It is 12:30:01').replace('</main>', '<p id=poll>Yes</main>'))
    await page.visit(article('Sponsored by Bolt</p><p>It is 12:31:59').replace('</main>', '<p id=poll>No</main>'))
    while ((await page.follower.examineNext()) > 0);
    const summaries = (await page.changes()).map(({ summary }) => summary)
    assert.deepEqual(summaries, ['It is 12:30:01'])
    assert.equal((await page.harness.store.changes.count(null, null)).pending, 0)
  })

  it('publishes a new title even if the text is the same', async (t) => {
    const page = await WatchedPage.open(t, article('Text'))
    const { store } = page.harness
    await page.waitUntilDue()
    const lease = only((await page.harness.lease()).leases)
    const report = { digest: hashOf(99), position: { segment: 's1', offset: 1, length: 1 } }
    const visit = archivedVisit(page.harness, lease, only(lease.urls), report, { title: 'Another' })
    await page.harness.commit([visit], { release: [lease.token] })
    await page.follower.examineNext()
    assert.equal(only(await store.changes.list(ALL_CHANGES)).summary, 'Title: Another')
  })

  it('tries again later if the bytes are away, and publishes without a diff after a day', async (t) => {
    const page = await WatchedPage.open(t, article('One'))
    await page.visit(article('Two'))
    page.isUnavailable = true
    const { clock } = page.harness.store
    await page.follower.examineNext()
    assert.deepEqual([await page.follower.examineNext(), (await page.changes()).length], [0, 0])
    clock.advance(30_000)
    assert.equal(await page.follower.examineNext(), 1)
    clock.advance(DAY_MS)
    await page.follower.examineNext()
    const change = only(await page.changes())
    assert.deepEqual([change.wordsAdded, change.summary], [null, 'A title'])
  })

  it('publishes without a diff if the bytes are damaged, or not text', async (t) => {
    const page = await WatchedPage.open(t, article('One'))
    await page.visit(article('Two'))
    page.drop((await page.harness.store.pages.history('http://a.test/'))[0])
    await page.visit('\u0000\u0001\u0002', 'image/png')
    while ((await page.follower.examineNext()) > 0);
    assert.deepEqual(
      (await page.changes()).map(({ wordsAdded }) => wordsAdded),
      [null, null],
    )
  })

  it('learns a counter', async (t) => {
    const page = await WatchedPage.open(t, article('We have 100 readers', ''))
    for (let i = 0; i < 14; i++) {
      await page.visit(article(`We have ${101 + i * 7} readers`))
      while ((await page.follower.examineNext()) > 0);
    }
    const before = (await page.changes()).length
    assert.ok(before <= 9, `${before} changes`)
    await page.visit(article('We have 5000 readers and a new editor'))
    await page.follower.examineNext()
    assert.equal((await page.changes()).length, before + 1)
  })
})
