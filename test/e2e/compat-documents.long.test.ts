// Documents from outside on a database: handed to one server, reported to another, read from a third.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { makeTestDatabase } from '../../src/store/testing/test-database.ts'
import { requestJson, startServer } from './testing/json-api.ts'

/** Without crawl threads. */
const onlyApi = (store: string) => ['--store', store, '--roles', 'api']

it('a document can be read wherever it was handed over', async (t) => {
  const database = await makeTestDatabase()
  t.after(() => database.drop())
  const first = await startServer(t, onlyApi(database.url))
  const [second, third] = [await startServer(t, onlyApi(database.url)), await startServer(t, onlyApi(database.url))]
  const url = 'http://outside.test/page'
  const made = await requestJson(first, 'POST', '/api/v1/crawl/start', { seed_urls: [url] })
  const crawl_id = String(made.body['crawl_id'])
  const crawler_id = 'crawler-1'
  const given = await requestJson(second, 'POST', '/api/v1/crawler/tasks', { crawler_id, crawl_id })
  const [task] = given.body['tasks'] as { task_id: string }[]
  const document = { crawl_id, url, content: '<html><body>Looms and spindles</body></html>' }
  assert.equal((await requestJson(first, 'POST', '/api/v1/indexer/submit', document)).status, 202)
  const report = { task_id: task?.task_id, crawler_id, status: 'completed' }
  assert.equal((await requestJson(second, 'POST', '/api/v1/crawler/report', report)).status, 200)
  for (const address of [first, second, third]) {
    const found = await requestJson(address, 'GET', `/api/v1/pages?url=${encodeURIComponent(url)}`)
    const [page] = found.body['items'] as { page_id: number }[]
    const raw = await fetch(`${address}/api/v1/pages/${page?.page_id}/raw`)
    assert.equal(raw.status, 200, await raw.clone().text())
    assert.equal(await raw.text(), document.content)
  }
})
