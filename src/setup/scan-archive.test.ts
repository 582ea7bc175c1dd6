import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { readArchivedPage } from '../engine/pages/read-archived-page.ts'
import { AppError } from '../lib/errors.ts'
import { silentLog } from '../lib/log.ts'
import { addMonitor } from '../monitor/manage-monitors.ts'
import { scanArchive } from '../monitor/scan-archive.ts'
import type { TestStore } from '../ports/contracts/testing/store-harness.ts'
import type { HitFilter } from '../ports/monitors.ts'
import type { PageVersion } from '../ports/pages.ts'
import { makeTestStore } from '../store/testing/sqlite-test-store.ts'
import { makeHtmlArchive } from './testing/html-archive.ts'

const ALL: HitFilter = {
  monitorId: null,
  crawlId: null,
  url: null,
  isOpen: null,
  isMuted: null,
  before: null,
  limit: 500,
}
const PAGES = 250

describe('a scan of the archive', () => {
  let store: TestStore
  let archive: ReturnType<typeof makeHtmlArchive>
  beforeEach(async () => {
    store = await makeTestStore({ leaseMs: 60_000, random: () => 0.5 })
    archive = makeHtmlArchive(store)
    const names = Array.from({ length: PAGES }, (_, i) => `a/${i}`)
    const pageOf = (i: number) => ({ html: i % 50 === 7 ? '<p>a lamp' : '<p>other', links: i === 0 ? names : [] })
    await archive.crawl(Object.fromEntries(names.map((name, i) => [name, pageOf(i)])))
  })
  afterEach(() => store.close())

  const addLampMonitor = (include: string[] = []) => {
    const rule = { kind: 'words' as const, words: ['lamp'] }
    const draft = { name: 'Lamps', rule, crawlIds: [], include, exclude: [], isMuted: false }
    return addMonitor(store.monitors, draft, store.clock.now())
  }
  const scan = (
    monitor: Awaited<ReturnType<typeof addLampMonitor>>,
    after = 0,
    readPage = (version: PageVersion) => readArchivedPage(version, archive.reading),
  ) => {
    const { pages, protectedDocuments: documents, monitorHits: hits, clock } = store
    return scanArchive(monitor, after, { pages, readPage, documents, hits, clock, log: silentLog })
  }
  const countHits = async () => (await store.monitorHits.list(ALL)).length

  it('finds what was archived before the monitor was created, once', async () => {
    const monitor = await addLampMonitor()
    const first = await scan(monitor)
    assert.deepEqual(first, { examined: PAGES, unread: 0, newHits: 5, next: null, newest: PAGES })
    assert.equal((await scan(monitor)).newHits, 0)
    assert.equal(await countHits(), 5)
  })

  it('takes a bounded time and goes on where it stopped', async () => {
    const monitor = await addLampMonitor()
    const slowly = async (version: PageVersion) => {
      store.clock.advance(50)
      return readArchivedPage(version, archive.reading)
    }
    let calls = 0
    for (let after: number | null = 0; after !== null; calls++) {
      const { next, examined } = await scan(monitor, after, slowly)
      assert.ok(examined <= 20)
      after = next
    }
    assert.ok(calls >= PAGES / 20)
    assert.equal(await countHits(), 5)
  })

  it('reads only the URLs that the monitor watches, and counts what cannot be read', async () => {
    const monitor = await addLampMonitor(['/[0-9]7$'])
    const { examined, unread, newHits } = await scan(monitor, 0, async (version) => {
      if (version.url.endsWith('/57')) throw new AppError('ARCHIVE_BROKEN', 'damaged')
      return readArchivedPage(version, archive.reading)
    })
    assert.deepEqual({ examined, unread, newHits }, { examined: 8, unread: 1, newHits: 0 })
  })
})
