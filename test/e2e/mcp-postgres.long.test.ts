// MCP on a Postgres store: its workers run the crawls.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startServer } from '../testing/start-server.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { call, connect, serveGuide, stdio } from './testing/mcp-client.ts'
import { openTestCluster } from './testing/test-cluster.ts'

describe('MCP on Postgres', () => {
  it('crawls with the workers of the store, and reads what they found', async (t) => {
    const site = await serveGuide(t)
    const { url } = await openTestCluster(t)
    const { data } = await startServer(t, { flags: ['--store', url, '--roles', 'api,worker,maintenance,indexer'] })
    const store = ['--store', url, '--data', data]
    const crawling = await connect(t, stdio([...store, '--allow-crawl', '--allow-private', '--delay', '0']))
    const started = await call(crawling, 'start_crawl', { urls: [`${site.origin}/`], wait_seconds: 60 })
    assert.match(started, /completed: 3 pages visited/)
    const reading = await connect(t, stdio(store), 'auto')
    const found = await waitUntil(async () => {
      const hits = await call(reading, 'search_pages', { query: 'spindle' })
      return hits.includes(site.origin) ? hits : null
    })
    const page_id = Number(/page_id (\d+)/.exec(found)?.[1])
    assert.match(await call(reading, 'read_page', { page_id }), /Turn the spindle/)
    const crawl_id = /crawl_id: (\S+)/.exec(started)?.[1]
    assert.match(await call(reading, 'explain_url', { crawl_id, url: `${site.origin}/guide` }), /robots: passed/)
  })
})
