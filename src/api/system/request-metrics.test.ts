import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { renderMetrics } from '../../lib/metrics.ts'
import { startTestApi } from '../testing/test-api.ts'
import { RequestMetrics } from './request-metrics.ts'

describe('request metrics', () => {
  it('count by route and status class, and measure the time by route', () => {
    const requestMetrics = new RequestMetrics()
    for (const [status, ms] of [
      [200, 3],
      [204, 30],
      [404, 300],
      [503, 60_000],
    ] as const) {
      requestMetrics.add({ route: 'GET /a', status, ms })
    }
    const text = renderMetrics(requestMetrics.metrics())
    assert.match(text, /^orbweaver_api_requests_total\{route="GET \/a",status="2xx"\} 2$/m)
    assert.match(text, /^orbweaver_api_requests_total\{route="GET \/a",status="4xx"\} 1$/m)
    assert.match(text, /^orbweaver_api_requests_total\{route="GET \/a",status="5xx"\} 1$/m)
    assert.match(text, /^orbweaver_api_request_duration_seconds_bucket\{route="GET \/a",le="0\.05"\} 2$/m)
    assert.match(text, /^orbweaver_api_request_duration_seconds_count\{route="GET \/a"\} 4$/m)
  })

  it('have no labels with ids or arbitrary paths', async (t) => {
    const api = await startTestApi()
    t.after(() => api.close())
    const crawl = await api.crawlSite(3)
    for (const path of [`/api/v1/crawls/${crawl.id}`, '/api/v1/crawls/0', '/api/v1/crawls/1', '/one', '/two.png']) {
      await (await api.request(path)).arrayBuffer()
    }
    const text = await (await api.request('/metrics')).text()
    const samples = [...text.matchAll(/^orbweaver_api_requests_total\{route="(.*?)",status="(.*?)"\} (\d+)$/gm)]
    const counts = Object.fromEntries(samples.map(([, route, status, count]) => [`${route} ${status}`, Number(count)]))
    assert.equal(counts['GET /api/v1/crawls/{crawl_id} 2xx'], 1)
    assert.equal(counts['GET /api/v1/crawls/{crawl_id} 4xx'], 2)
    assert.equal(counts['POST /api/v1/crawls 2xx'], 1)
    assert.equal(counts['other 2xx'], 1)
    assert.equal(counts['other 4xx'], 1)
    assert.match(text, /^orbweaver_api_ready 1$/m)
    assert.match(text, /^orbweaver_index_documents 0$/m)
    assert.match(text, /^orbweaver_live_sockets 0$/m)
  })
})
