import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApi, type TestApi } from '../testing/test-api.ts'

describe('the history of a crawl', () => {
  let api: TestApi
  before(async () => {
    api = await startTestApi([], false)
  })
  after(() => api.close())

  it('is empty before the first sample', async () => {
    const { crawl_id } = await api.client.createCrawl({ body: { url: 'http://nowhere.test/' } })
    const { as_of, ...history } = await api.client.getHistory({ params: { crawl_id } })
    assert.deepEqual(history, { crawl_id, samples: [] })
    assert.ok(Date.parse(as_of) > 0)
  })

  it('is an error for an unknown crawl', async () => {
    await assert.rejects(api.client.getHistory({ params: { crawl_id: 'nobody' } }), { code: 'CRAWL_NOT_FOUND' })
  })
})
