// Cached pages over the API: served from memory only while their row in the store is unchanged.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import type { Crawl } from '../../ports/crawls.ts'
import type { Contents, Pages } from '../../ports/pages.ts'
import { startTestApi, type TestApi } from '../testing/test-api.ts'

async function crawlTestSite(t: TestContext): Promise<{ api: TestApi; crawl: Crawl; ids: number[] }> {
  const api = await startTestApi()
  t.after(() => api.close())
  const crawl = await api.crawlSite(10)
  const { items } = await api.client.listUrls({ params: { crawl_id: crawl.id }, query: { state: 'visited' } })
  const found = items.map(({ url }) => api.client.findPages({ query: { url } }))
  return { api, crawl, ids: (await Promise.all(found)).flatMap(({ items: pages }) => pages[0]?.page_id ?? []) }
}

async function statusesOf(api: TestApi, id: number): Promise<number[]> {
  const path = `/api/v1/pages/${id}`
  const paths = [path, `${path}?html=true`, `${path}/raw`, `${path}/text`]
  return Promise.all(
    paths.map(async (path) => {
      const response = await api.request(path)
      await response.arrayBuffer()
      return response.status
    }),
  )
}

const ALL = (status: number) => [status, status, status, status]

/** Inverts every byte of every segment. */
function corruptArchive({ data }: TestApi): void {
  const folder = join(data, 'archive')
  for (const name of readdirSync(folder).filter((file) => file.includes('.warc.'))) {
    const bytes = readFileSync(join(folder, name))
    writeFileSync(
      join(folder, name),
      bytes.map((byte) => byte ^ 255),
      { flag: 'r+' },
    )
  }
}

async function countExportedPages({ client }: TestApi, crawl: Crawl): Promise<number> {
  const query = { format: 'pages.jsonl' as const }
  const response = await client.exportCrawl({ params: { crawl_id: crawl.id }, query })
  return (await response.text()).split('\n').filter((line) => line !== '').length
}

describe('a cached page', () => {
  it('is served from memory, alone and in an export, and other pages are read from the archive', async (t) => {
    const { api, crawl, ids } = await crawlTestSite(t)
    const [read = 0, unread = 0] = ids
    const before = await (await api.request(`/api/v1/pages/${read}?html=true`)).text()
    assert.ok((await countExportedPages(api, crawl)) >= ids.length)
    corruptArchive(api)
    assert.deepEqual(await statusesOf(api, read), ALL(200))
    assert.equal(await (await api.request(`/api/v1/pages/${read}?html=true`)).text(), before)
    assert.deepEqual(await statusesOf(api, unread), ALL(500))
    assert.equal(await countExportedPages(api, crawl), 1)
  })

  it('is read from the archive once its record is marked as damaged', async (t) => {
    const { api, ids } = await crawlTestSite(t)
    const [id = 0] = ids
    assert.deepEqual(await statusesOf(api, id), ALL(200))
    const { client } = api.runtime.store
    const version = (await client.service<Pages>('pages').find(id)) ?? assert.fail('the page is there')
    assert.equal(await client.service<Contents>('contents').markDamaged([version.payload ?? assert.fail()]), 1)
    // The mark alone changes nothing: the record is still readable.
    assert.deepEqual(await statusesOf(api, id), ALL(200))
    corruptArchive(api)
    assert.deepEqual(await statusesOf(api, id), ALL(500))
  })

  it('is gone when its crawl was removed and the page has expired', async (t) => {
    const { api, crawl, ids } = await crawlTestSite(t)
    const [id = 0] = ids
    assert.deepEqual(await statusesOf(api, id), ALL(200))
    await api.client.deleteCrawl({ params: { crawl_id: crawl.id } })
    while ((await api.runtime.runRetentionStep()) !== null);
    assert.deepEqual(await statusesOf(api, id), ALL(404))
  })

  it('still requires read access', async (t) => {
    const { api, ids } = await crawlTestSite(t)
    const [id = 0] = ids
    assert.deepEqual(await statusesOf(api, id), ALL(200))
    const headers = { authorization: 'Bearer orbw_nobody' }
    assert.equal((await api.request(`/api/v1/pages/${id}/text`, { headers })).status, 401)
  })
})
