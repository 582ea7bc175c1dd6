import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { ManualClock } from '../lib/testing/manual-clock.ts'
import { hashOf, visitEach } from '../ports/contracts/testing/page-visits.ts'
import { StoreHarness } from '../ports/contracts/testing/store-harness.ts'
import { openFeed } from '../search/postgres/open.ts'
import { openStore } from '../store/sqlite/store.ts'
import { makeEmptyDatabase } from '../store/testing/test-database.ts'
import { moveTestStore } from './testing/moving-store.ts'

const PAGES = 5

it('a store moved to a database is indexed from its first page', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-move-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const clock = new ManualClock(1_800_000_000_000)
  const data = join(folder, 'data')
  const store = openStore(data, { clock, random: () => 0.5, leaseMs: 30_000, create: true })
  const reopen = () => Promise.reject(new Error('the store is moved only once'))
  await visitEach(
    new StoreHarness({ ...store, clock, leaseMs: 30_000, reopen }),
    Array.from({ length: PAGES }, (_, i) => [
      `a/${i}`,
      { digest: hashOf(i + 1), position: { segment: 's1', offset: i * 50, length: 50 } },
    ]),
  )
  await store.close()
  const { url, drop } = await makeEmptyDatabase()
  t.after(drop)
  await moveTestStore(data, url, clock.now())

  const options = { clock, isClockVirtual: true, random: () => 0.5, onOutage: () => undefined }
  const { feed, close } = openFeed(url, options)
  t.after(close)
  assert.equal((await feed.lag()).waiting, PAGES)
  const batch = await feed.take(100)
  assert.deepEqual(
    batch?.pages.map(({ version }) => version.url),
    Array.from({ length: PAGES }, (_, i) => `http://a.test/${i}`),
  )
})
