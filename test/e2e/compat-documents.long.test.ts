// Documents of external crawlers on Postgres: submitted to one server, reported to another, read from a third.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { makeTestDatabase } from '../../src/store/testing/test-database.ts'
import { startServer } from '../testing/start-server.ts'
import { requestJson } from './testing/json-api.ts'

it('a document can be read from any server, whichever it was submitted to', async (t) => {
  const database = await makeTestDatabase()
  t.after(() => database.drop())
  const startApi = async () => (await startServer(t, { flags: ['--store', database.url, '--roles', 'api'] })).address
  const [first, second, third] = [await startApi(), await startApi(), await startApi()]
  const url = 'http://outside.test/page'
  const created = await requestJson(first, 'POST', '/api/v1/crawl/start', { seed_urls: [url] })
  const crawl_id = String(created.body['crawl_id'])
  const crawler_id = 'crawler-1'
  const claimed = await requestJson(second, 'POST', '/api/v1/crawler/tasks', { crawler_id, crawl_id })
  const [task] = claimed.body['tasks'] as { task_id: string }[]
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
