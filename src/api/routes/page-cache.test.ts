// Pages that were read before, over the API: served from memory only while the store says of them what it said then.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import type { Crawl } from '../../ports/crawls.ts'
import type { Contents, Pages } from '../../ports/pages.ts'
import { startTestApi, type TestApi } from '../testing/test-api.ts'

async function crawled(t: TestContext): Promise<{ api: TestApi; crawl: Crawl; ids: number[] }> {
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
    paths.map(async (one) => {
      const answer = await api.request(one)
      await answer.arrayBuffer()
      return answer.status
    }),
  )
}

const ALL = (status: number) => [status, status, status, status]

/** Every byte of every segment is turned over. */
function spoilArchive({ data }: TestApi): void {
  const folder = join(data, 'archive')
  for (const name of readdirSync(folder).filter((file) => file.includes('.warc.gz'))) {
    const bytes = readFileSync(join(folder, name))
    writeFileSync(
      join(folder, name),
      bytes.map((byte) => byte ^ 255),
      { flag: 'r+' },
    )
  }
}

async function linesOfExport({ client }: TestApi, crawl: Crawl): Promise<number> {
  const query = { format: 'pages.jsonl' as const }
  const answer = await client.exportCrawl({ params: { crawl_id: crawl.id }, query })
  return (await answer.text()).split('\n').filter((line) => line !== '').length
}

describe('a page that was read before', () => {
  it('is served from memory, alone and in an export, and what was not is read from the archive', async (t) => {
    const { api, crawl, ids } = await crawled(t)
    const [read = 0, unread = 0] = ids
    const before = await (await api.request(`/api/v1/pages/${read}?html=true`)).text()
    assert.ok((await linesOfExport(api, crawl)) >= ids.length)
    spoilArchive(api)
    assert.deepEqual(await statusesOf(api, read), ALL(200))
    assert.equal(await (await api.request(`/api/v1/pages/${read}?html=true`)).text(), before)
    assert.deepEqual(await statusesOf(api, unread), ALL(500))
    assert.equal(await linesOfExport(api, crawl), 1)
  })

  it('is read from the archive once its record is marked as damaged', async (t) => {
    const { api, ids } = await crawled(t)
    const [id = 0] = ids
    assert.deepEqual(await statusesOf(api, id), ALL(200))
    const { client } = api.runtime.store
    const version = (await client.service<Pages>('pages').find(id)) ?? assert.fail('the page is there')
    assert.equal(await client.service<Contents>('contents').markDamaged([version.payload ?? assert.fail()]), 1)
    // The mark alone takes nothing away: whoever asks has what lies there.
    assert.deepEqual(await statusesOf(api, id), ALL(200))
    spoilArchive(api)
    assert.deepEqual(await statusesOf(api, id), ALL(500))
  })

  it('is gone when its crawl was removed and its time is over', async (t) => {
    const { api, crawl, ids } = await crawled(t)
    const [id = 0] = ids
    assert.deepEqual(await statusesOf(api, id), ALL(200))
    await api.client.deleteCrawl({ params: { crawl_id: crawl.id } })
    while ((await api.runtime.runRetentionStep()) !== null);
    assert.deepEqual(await statusesOf(api, id), ALL(404))
  })

  it('is still for those only who may read', async (t) => {
    const { api, ids } = await crawled(t)
    const [id = 0] = ids
    assert.deepEqual(await statusesOf(api, id), ALL(200))
    const headers = { authorization: 'Bearer orbw_nobody' }
    assert.equal((await api.request(`/api/v1/pages/${id}/text`, { headers })).status, 401)
  })
})
