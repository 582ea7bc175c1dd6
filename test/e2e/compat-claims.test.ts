// URLs in flight, according to the API of runs: their holders and start times, on both stores.

import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { startTestApi } from '../../src/api/testing/test-api.ts'
import type { Frontier } from '../../src/ports/frontier.ts'
import { makeTestDatabase } from '../../src/store/testing/test-database.ts'
import { type JsonObject, requestJson } from './testing/json-api.ts'

const ONE_URL = { maxUrls: 1, maxHosts: 1, slotsPerHost: 1, topUp: [], patternsVersion: 0 }

async function postgresFlags(t: TestContext): Promise<string[]> {
  const database = await makeTestDatabase()
  t.after(() => database.drop())
  return ['--store', database.url]
}

const FLAGS = { SQLite: async () => [], Postgres: postgresFlags }

for (const [store, makeFlags] of Object.entries(FLAGS)) {
  it(`a URL in flight on ${store} is IN_PROGRESS, with its worker and time, in every list`, async (t) => {
    const api = await startTestApi(await makeFlags(t))
    t.after(() => api.close())
    const { body } = await requestJson(api.address, 'POST', '/crawl-runs', { seedUrl: 'http://claimed.test' })
    const crawlId = String(body['id'])
    const read = async (path: string) => (await requestJson(api.address, 'GET', `/crawl-runs/${crawlId}${path}`)).body
    const claims = async (path: string) =>
      ((await read(path))['urls'] as JsonObject[]).map((url) => [
        url['status'],
        url['raw_url'],
        url['claimed_by_worker'],
        Date.parse(String(url['claimed_at'])) > 0,
      ])
    assert.deepEqual(await claims('/urls'), [['QUEUED', 'http://claimed.test', null, false]])
    const frontier = api.runtime.store.client.service<Frontier>('frontier')
    const { leases } = await frontier.lease({ crawlId, threadId: 'w7', ...ONE_URL })
    assert.equal(leases.length, 1)
    for (const path of ['/urls', '/urls?sort=normalized_url', '/urls?status=IN_PROGRESS', '/export']) {
      assert.deepEqual(await claims(path), [['IN_PROGRESS', 'http://claimed.test', 'w7', true]], path)
    }
    const list = await read('/urls?status=IN_PROGRESS')
    assert.deepEqual(list['pagination'], { limit: 50, offset: 0, returned: 1, total: 1, has_more: false })
    const queued = await read('/urls?status=QUEUED')
    assert.deepEqual(queued['pagination'], { limit: 50, offset: 0, returned: 0, total: 0, has_more: false })

    // Cancelling waits for the URL in flight, but to this API the run is over.
    const cancel = () => requestJson(api.address, 'POST', `/crawl-runs/${crawlId}/cancel`)
    const cancelled = { crawl_run_id: crawlId, status: 'CANCELLED' }
    assert.deepEqual((await cancel()).body, { ...cancelled, changed: true, cancelled_url_count: 1 })
    assert.deepEqual((await cancel()).body, { ...cancelled, changed: false, cancelled_url_count: 0 })
    assert.equal((await read(''))['status'], 'CANCELLED')

    // Repeated for a task of an external crawler, which the record names after the end.
    const call = async (method: string, path: string, sent?: JsonObject) =>
      (await requestJson(api.address, method, `/api/v1/${path}`, sent)).body
    const { crawl_id } = await call('POST', 'crawl/start', { seed_urls: ['http://task.test/', 'http://other.test/'] })
    const claimed = await call('POST', 'crawler/tasks', { crawler_id: 'c-1', crawl_id, limit: 2 })
    const [first, second] = claimed['tasks'] as JsonObject[]
    const counts = async () => (await call('GET', `crawl/status/${crawl_id}`))['tasks']
    const none = { pending: 0, assigned: 0, 'in-progress': 0, completed: 0, failed: 0, reassigned: 0 }
    assert.deepEqual(await counts(), { ...none, assigned: 2 })
    const report = { crawler_id: 'c-1', processing_time_ms: 7 }
    await call('POST', 'crawler/report', { ...report, task_id: first?.['task_id'], status: 'failed' })
    await call('POST', 'crawler/report', { ...report, task_id: second?.['task_id'], status: 'completed' })
    const listed = (await call('GET', `crawl/tasks/${crawl_id}`))['tasks'] as JsonObject[]
    assert.deepEqual(
      listed.map(({ status, crawler_id, processing_time_ms }) => [status, crawler_id, processing_time_ms]).toSorted(),
      [
        ['completed', 'c-1', 7],
        ['reassigned', 'c-1', 7],
      ],
    )
  })
}
