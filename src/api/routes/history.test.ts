import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApi, type TestApi } from '../testing/test-api.ts'

describe('the history of a crawl', () => {
  let api: TestApi
  before(async () => {
    api = await startTestApi([], false)
  })
  after(() => api.close())

  it('begins with the crawl and ends now', async () => {
    const before = Date.now()
    const { crawl_id } = await api.client.createCrawl({ body: { url: 'http://nowhere.test/' } })
    const { as_of, samples, ...history } = await api.client.getHistory({ params: { crawl_id } })
    assert.deepEqual(history, { crawl_id })
    assert.ok(Date.parse(as_of) >= before && Date.parse(as_of) <= Date.now())
    // On a slow machine there may be a sample already.
    for (const { at } of samples) assert.ok(Date.parse(at) >= before && at <= as_of, at)
  })

  it('is an error for an unknown crawl', async () => {
    await assert.rejects(api.client.getHistory({ params: { crawl_id: 'nobody' } }), { code: 'CRAWL_NOT_FOUND' })
  })
})
