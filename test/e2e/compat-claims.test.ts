// Which worker has the URLs in flight, according to the API of runs.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startTestApi } from '../../src/api/testing/test-api.ts'
import type { Frontier } from '../../src/ports/frontier.ts'
import { makeTestDatabase } from '../../src/store/testing/test-database.ts'
import { type JsonObject, requestJson } from './testing/json-api.ts'

it('a URL in flight on Postgres names its worker, in the list and in the export', async (t) => {
  const database = await makeTestDatabase()
  t.after(() => database.drop())
  const api = await startTestApi(['--store', database.url])
  t.after(() => api.close())
  const { body } = await requestJson(api.address, 'POST', '/crawl-runs', { seedUrl: 'http://claimed.test/' })
  const crawlId = String(body['id'])
  const claims = async (from: string) => {
    const answer = await requestJson(api.address, 'GET', `/crawl-runs/${crawlId}/${from}`)
    return (answer.body['urls'] as JsonObject[]).map((url) => [
      url['status'],
      url['claimed_by_worker'],
      url['claimed_at'],
    ])
  }
  assert.deepEqual(await claims('urls'), [['QUEUED', null, null]])
  const frontier = api.runtime.store.client.service<Frontier>('frontier')
  const room = { maxUrls: 1, maxHosts: 1, slotsPerHost: 1, topUp: [], patternsVersion: 0 }
  assert.equal((await frontier.lease({ crawlId, threadId: 'w7', ...room })).leases.length, 1)
  for (const from of ['urls', 'urls?sort=normalized_url', 'export']) {
    assert.deepEqual(await claims(from), [['IN_PROGRESS', 'w7', null]], from)
  }
})
