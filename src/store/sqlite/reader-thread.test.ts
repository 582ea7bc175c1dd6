import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import type { Browse } from '../../ports/browse.ts'
import { FIRST_PAGE } from '../../ports/contracts/testing/browse-site.ts'
import { foundUrl, TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import type { Crawls } from '../../ports/crawls.ts'
import type { Diagnostics } from '../../ports/diagnostics.ts'
import type { Pages } from '../../ports/pages.ts'
import type { CrawlReader } from '../../ports/store.ts'
import type { Urls } from '../../ports/urls.ts'
import { startReaderThread, startStoreThread } from './start-threads.ts'

it('a thread beside the owner sees what the owner has committed', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-reader-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const owner = await startStoreThread({ dir, create: true, leaseMs: 30_000 })
  const reader = await startReaderThread({ dir })
  const crawls = owner.client.service<Crawls>('crawls')
  const { id } = await crawls.create({ seeds: [foundUrl('a/')], settings: TEST_SETTINGS, keySeed: 1 })
  const browse = reader.client.service<Browse>('browse')
  assert.deepEqual(
    (await browse.urls(id, FIRST_PAGE)).rows.map(({ url }) => url),
    ['http://a.test/'],
  )
  await crawls.setPaused(id, true)
  assert.equal((await reader.client.service<CrawlReader>('crawls').progress(id)).crawl.status, 'paused')
  assert.deepEqual(await reader.client.service<Urls>('urls').verify(id), [])
  assert.deepEqual(await reader.client.service<Pages>('pages').history('http://a.test/'), [])
  assert.deepEqual(await reader.client.service<Diagnostics>('diagnostics').patterns(id), [])
  await assert.rejects(browse.stats('none'), { code: 'CRAWL_NOT_FOUND' })
  await reader.close()
  await owner.close()
})

it('a thread cannot read a missing directory', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-reader-'))
  t.after(() => rmSync(dir, { recursive: true }))
  await assert.rejects(startReaderThread({ dir }), { code: 'DATA_NOT_FOUND' })
})
