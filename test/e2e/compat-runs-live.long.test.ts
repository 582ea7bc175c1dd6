// Active runs in the API of runs: graph changes, cancelling, the list, health, and defaults from the environment.

import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { startTestApi, type TestApi } from '../../src/api/testing/test-api.ts'
import { readRunDefaults } from '../../src/compat/crawl-runs/run-config.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { SETTING_NAMES } from '../../src/config/schema.ts'
import { servePlainSite } from '../sites/plain-site.ts'
import { type JsonObject, type JsonResponse, requestJson, runCrawlToEnd } from './testing/json-api.ts'

interface Delta {
  crawl_run_id: string
  urls: JsonObject[]
  edges: JsonObject[]
  pagination: { limit: number; returned: number; has_more: boolean }
  watermark: { graph_version: number }
  totals: JsonObject
}

let api: TestApi

before(async () => {
  const env = { FETCH_MIN_GAP_PER_HOST_MS: '0', CRAWL_MAX_PAGES: '40', CRAWL_MAX_DEPTH: '3', MAX_RETRIES: '1' }
  Object.assign(process.env, env, { CRAWL_REQUEST_TIMEOUT_MS: '', CRAWLER_USER_AGENT: 'Tester/1' })
  api = await startTestApi(['--allow-private'])
})
after(() => api.close())

function request(method: string, path: string, body?: unknown): Promise<JsonResponse> {
  return requestJson(api.address, method, path, body)
}

async function start(seedUrl: string): Promise<string> {
  return String((await request('POST', '/crawl-runs', { seedUrl })).body['id'])
}

async function delta(id: string, after_version: number, limit = 5000): Promise<Delta> {
  const { status, body } = await request(
    'GET',
    `/crawl-runs/${id}/graph-delta?after_version=${after_version}&limit=${limit}`,
  )
  assert.equal(status, 200, JSON.stringify(body))
  return body as unknown as Delta
}

function serve(t: TestContext) {
  const links = Array.from({ length: 9 }, (_, i) => `<a href="/${i}">${i}</a>`).join('')
  return servePlainSite(t, (path) => (path === '/' ? links : 'a page'))
}

describe('GET /crawl-runs/:id/graph-delta', () => {
  it('returns what is new since a version, and the same version if nothing is', async (t) => {
    const { origin } = await serve(t)
    const id = await start(`${origin}/`)
    const first = await delta(id, 0)
    assert.deepEqual(
      first.urls.map((url) => [url['normalized_url'], url['status']]),
      [[`${origin}/`, 'QUEUED']],
    )
    assert.deepEqual(first.totals, { nodes: 1, edges: 0 })
    assert.deepEqual(first.pagination, { limit: 5000, returned: 1, has_more: false })
    assert.equal(first.urls[0]?.['graph_version'], String(first.watermark.graph_version))
    const idle = await delta(id, first.watermark.graph_version)
    assert.deepEqual([idle.urls, idle.edges, idle.watermark], [[], [], first.watermark])
    await runCrawlToEnd(api, id)
    const second = await delta(id, first.watermark.graph_version)
    assert.equal(second.urls.length, 10)
    assert.ok(second.urls.every((url) => url['status'] === 'VISITED'))
    assert.deepEqual(second.totals, { nodes: 10, edges: 9 })
    assert.equal(second.edges.length, 9)
    assert.deepEqual(Object.keys(second.edges[0] ?? {}), [
      'from_url_id',
      'to_url_id',
      'from_normalized_url',
      'to_normalized_url',
      'to_raw_url',
    ])
    assert.ok(second.watermark.graph_version > first.watermark.graph_version)
  })

  it('comes in pages without omissions', async (t) => {
    const { origin } = await serve(t)
    const id = await start(`${origin}/`)
    await runCrawlToEnd(api, id)
    const seen: unknown[] = []
    let version = 0
    for (let piece = 0; piece < 4; piece++) {
      const { urls, pagination, watermark } = await delta(id, version, 3)
      seen.push(...urls.map((url) => url['id']))
      assert.equal(pagination.has_more, piece < 3)
      version = watermark.graph_version
    }
    assert.equal(seen.length, 10)
    assert.equal(new Set(seen).size, 10)
    assert.deepEqual((await delta(id, version)).urls, [])
  })

  it('starts over from an unknown version, and rejects an invalid one', async (t) => {
    const { origin } = await serve(t)
    const id = await start(`${origin}/`)
    await runCrawlToEnd(api, id)
    assert.equal((await delta(id, 12_345)).urls.length, 10)
    assert.equal((await request('GET', `/crawl-runs/${id}/graph-delta?after_version=not-a-number`)).status, 400)
    assert.equal((await request('GET', '/crawl-runs/nobody/graph-delta')).status, 404)
  })
})

describe('POST /crawl-runs/:id/cancel', () => {
  it('ends a run, and changes nothing if it is over', async () => {
    const id = await start('http://never.test/')
    assert.deepEqual(await request('POST', `/crawl-runs/${id}/cancel`), {
      status: 200,
      body: { crawl_run_id: id, status: 'CANCELLED', changed: true, cancelled_url_count: 1 },
    })
    const { body: run } = await request('GET', `/crawl-runs/${id}`)
    assert.equal(run['status'], 'CANCELLED')
    const { body: list } = await request('GET', `/crawl-runs/${id}/urls?status=CANCELLED`)
    assert.equal((list['urls'] as JsonObject[])[0]?.['last_error'], 'cancelled')
    assert.deepEqual((await request('POST', `/crawl-runs/${id}/cancel`)).body, {
      crawl_run_id: id,
      status: 'CANCELLED',
      changed: false,
      cancelled_url_count: 0,
    })
    assert.equal((await request('POST', '/crawl-runs/404/cancel')).status, 404)
  })

  it('leaves a completed run completed', async (t) => {
    const { origin } = await serve(t)
    const id = await start(`${origin}/`)
    await runCrawlToEnd(api, id)
    const { body } = await request('POST', `/crawl-runs/${id}/cancel`)
    assert.deepEqual([body['status'], body['changed']], ['COMPLETED', false])
  })
})

describe('GET /crawl-runs', () => {
  it('lists the newest runs up to a limit, within bounds', async () => {
    const made = [await start('http://one.test/'), await start('http://two.test/')]
    const ids = async (query: string) => {
      const { body } = await request('GET', `/crawl-runs${query}`)
      return (body['runs'] as JsonObject[]).map((run) => run['crawl_run_id'])
    }
    assert.deepEqual(await ids('?limit=2'), made.toReversed())
    assert.equal((await ids('?limit=0')).length, 1)
    assert.ok((await ids('?limit=500')).length >= 2)
    assert.deepEqual(await ids('?limit=xyzzy'), await ids(''))
    for (const id of made) await request('POST', `/crawl-runs/${id}/cancel`)
  })
})

describe('health and metrics', () => {
  it('are where the documentation says', async () => {
    assert.deepEqual(await request('GET', '/health'), { status: 200, body: { status: 'ok' } })
    const metrics = await api.request('/metrics')
    assert.equal(metrics.status, 200)
    assert.match(metrics.headers.get('content-type') ?? '', /^text\/plain/)
  })
})

describe('settings that a request omits', () => {
  it('come from the environment, and are stored with the run', async () => {
    const { body } = await request('POST', '/crawl-runs', {
      seedUrl: 'https://example.com/',
      settings: { maxDepth: 1 },
    })
    const expected = {
      maxPages: 40,
      maxDepth: 1,
      scopeMode: 'same_host',
      includeDocuments: false,
      followRedirects: true,
      demoDelayMs: 0,
      requestTimeoutMs: 5000,
      maxRetries: 1,
    }
    assert.deepEqual(body['run_config'], expected)
    assert.deepEqual((await request('GET', `/crawl-runs/${body['id']}/summary`)).body['run_config'], expected)
    const { settings } = await api.runtime.crawls.find(String(body['id']))
    assert.equal(settings.userAgent, 'Tester/1')
    assert.equal(settings.delayMs, 0)
    // Politeness settings that are not given have the values of the server.
    assert.equal(settings.perHost, 1)
    assert.equal(settings.ignoreRobots, false)
    await request('POST', `/crawl-runs/${body['id']}/cancel`)
  })

  it('stop the server if they are invalid, and each is named', () => {
    const { config } = loadConfig([], {}, SETTING_NAMES)
    const bad = { CRAWL_MAX_PAGES: 'many', CRAWL_FOLLOW_REDIRECTS: 'perhaps', FETCH_CONCURRENCY_PER_HOST: '0' }
    assert.throws(() => readRunDefaults(bad, config), {
      code: 'BAD_CONFIG',
      message: /CRAWL_MAX_PAGES.*CRAWL_FOLLOW_REDIRECTS.*FETCH_CONCURRENCY_PER_HOST/,
    })
    const { config: read } = readRunDefaults({ CRAWL_FOLLOW_REDIRECTS: '0', CRAWL_INCLUDE_DOCUMENTS: '1' }, config)
    assert.deepEqual([read.followRedirects, read.includeDocuments], [false, true])
  })
})
