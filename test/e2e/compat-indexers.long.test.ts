// Indexers in the API of nodes: a submitted document becomes a page when its task is reported, and is then found.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApi, type TestApi } from '../../src/api/testing/test-api.ts'
import type { Pages } from '../../src/ports/pages.ts'
import { startServer } from '../testing/start-server.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { type JsonObject, type JsonResponse, requestJson } from './testing/json-api.ts'

let api: TestApi

before(async () => {
  api = await startTestApi(['--allow-private', '--delay', '0', '--lease', '600000'])
})
after(() => api.close())

function request(method: string, path: string, body?: unknown, address = api.address): Promise<JsonResponse> {
  return requestJson(address, method, path, body)
}

async function startWithTask(url: string, address = api.address): Promise<{ crawl_id: string; task_id: string }> {
  const { body } = await request('POST', '/api/v1/crawl/start', { seed_urls: [url] }, address)
  const crawl_id = String(body['crawl_id'])
  const given = await request('POST', '/api/v1/crawler/tasks', { crawler_id: 'crawler-1', crawl_id }, address)
  const [task] = given.body['tasks'] as { task_id: string }[]
  return { crawl_id, task_id: task?.task_id ?? '' }
}

const DOCUMENT = {
  content: '<html><head><title>Old</title></head><body><p>Looms and spindles</p></body></html>',
  text: 'Reels and spindles',
  metadata: { title: 'Page Title', keywords: ['a', 'b', 'c'] },
}

describe('indexers', () => {
  it('submit the document of a URL, which is stored as its page with the report', async () => {
    const url = 'http://submit.test/page'
    const { crawl_id, task_id } = await startWithTask(url)
    const submitted = await request('POST', '/api/v1/indexer/submit', { crawl_id, url, ...DOCUMENT })
    assert.deepEqual(submitted, { status: 202, body: { crawl_id, url, status: 'queued' } })
    const pages = api.runtime.store.client.service<Pages>('pages')
    assert.deepEqual(await pages.history(url), [])
    const report = { task_id, crawler_id: 'crawler-1', status: 'completed', extracted_urls: [], errors: [] }
    assert.equal((await request('POST', '/api/v1/crawler/report', report)).status, 200)
    const [page] = await pages.history(url)
    assert.ok(page !== undefined)
    assert.deepEqual(
      [page.title, page.keywords, page.contentType, page.isArchived, page.httpStatus],
      ['Page Title', 'a, b, c', 'text/html; charset=utf-8', true, 200],
    )
    const raw = await api.request(`/api/v1/pages/${page.id}/raw`)
    assert.equal(await raw.text(), DOCUMENT.content)
    const late = await request('POST', '/api/v1/indexer/submit', { crawl_id, url, ...DOCUMENT })
    assert.deepEqual([late.status, late.body['code']], [409, 'LEASE_LOST'])
  })

  it('submit text alone, but nothing for URLs that the crawl does not know', async () => {
    const url = 'http://text.test/'
    const { crawl_id, task_id } = await startWithTask(url)
    const unknown = await request('POST', '/api/v1/indexer/submit', { crawl_id, url: 'http://x.test/', ...DOCUMENT })
    assert.deepEqual([unknown.status, unknown.body['code']], [404, 'URL_NOT_FOUND'])
    assert.equal((await request('POST', '/api/v1/indexer/submit', { crawl_id, url })).status, 400)
    await request('POST', '/api/v1/indexer/submit', { crawl_id, url, text: 'only text' })
    await request('POST', '/api/v1/crawler/report', { task_id, crawler_id: 'crawler-1', status: 'completed' })
    const [page] = await api.runtime.store.client.service<Pages>('pages').history(url)
    assert.equal(page?.contentType, 'text/plain; charset=utf-8')
  })

  it('report their progress', async () => {
    const { crawl_id } = await startWithTask('http://far.test/')
    const progress = { crawl_id, indexer_id: 'indexer-1', status: 'success', processed_pages: 10 }
    assert.deepEqual(await request('POST', '/api/v1/indexer/report', progress), {
      status: 200,
      body: { crawl_id, indexer_id: 'indexer-1', status: 'recorded' },
    })
    const { body } = await request('GET', `/api/v1/indexer/report?crawl_id=${crawl_id}`)
    const [entry] = body['indexers'] as JsonObject[]
    assert.deepEqual(entry, { ...progress, reported_at: entry?.['reported_at'] })
    const unknown = await request('POST', '/api/v1/indexer/report', { ...progress, crawl_id: 'c123' })
    assert.equal(unknown.body['code'], 'CRAWL_NOT_FOUND')
  })

  it('have their documents in the search results once they are reported', async (t) => {
    const { address } = await startServer(t, { flags: ['--roles', 'api,indexer'] })
    const url = 'http://found.test/'
    const { crawl_id, task_id } = await startWithTask(url, address)
    await request('POST', '/api/v1/indexer/submit', { crawl_id, url, ...DOCUMENT }, address)
    await request('POST', '/api/v1/crawler/report', { task_id, crawler_id: 'crawler-1', status: 'completed' }, address)
    const hit = await waitUntil(async () => {
      const { status, body } = await request('GET', '/api/v1/search?q=spindles', undefined, address)
      assert.equal(status, 200, JSON.stringify(body))
      return (body['results'] as JsonObject[])[0]
    })
    assert.equal(hit['url'], url)
    assert.equal(hit['title'], 'Page Title')
    assert.equal(hit['snippet'], 'Reels and spindles')
    const { body } = await request('GET', '/api/v1/search?q=looms', undefined, address)
    assert.deepEqual(body['results'], [])
    const terms = async (form: string) =>
      (await request('GET', `/api/v1/indexer/terms?terms=spindles,looms&form=${form}`, undefined, address)).body
    assert.deepEqual(await terms('short'), { spindles: [url], looms: [] })
    const { entries } = (await terms('long')) as { entries: JsonObject[] }
    const [entry] = entries
    assert.deepEqual([entries.length, entry?.['term'], entry?.['document_frequency']], [1, 'spindles', 1])
  })
})
