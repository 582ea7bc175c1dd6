// The API of runs as its documentation describes it, field by field, on a real server and a small site on loopback: runs.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JsonObject } from './testing/json-api.ts'
import { openRunsApi } from './testing/runs-api.ts'

const RUN_CONFIG = {
  maxPages: 5000,
  maxDepth: 25,
  scopeMode: 'same_host',
  includeDocuments: false,
  followRedirects: true,
  demoDelayMs: 0,
  requestTimeoutMs: 5000,
  maxRetries: 2,
}

const { request, readJson, crawlSite } = openRunsApi()

describe('POST /crawl-runs', () => {
  it('accepts the documented request and returns its scope and config', async () => {
    const { status, body } = await request('POST', '/crawl-runs', {
      seedUrl: 'https://example.com/',
      settings: { ...RUN_CONFIG },
    })
    assert.equal(status, 201)
    const { id, started_at, ...rest } = body
    assert.equal(typeof id, 'string')
    assert.ok(!Number.isNaN(Date.parse(String(started_at))))
    assert.deepEqual(rest, {
      root_url: 'https://example.com/',
      seed_url: 'https://example.com/',
      normalized_seed_url: 'https://example.com/',
      allowed_hosts: ['example.com', 'www.example.com'],
      run_config: RUN_CONFIG,
      status: 'RUNNING',
    })
    await request('POST', `/crawl-runs/${id}/cancel`)
  })

  it('gives a seed with www the same two hosts', async () => {
    const { body } = await request('POST', '/crawl-runs', { seedUrl: 'https://www.example.com' })
    assert.deepEqual(body['allowed_hosts'], ['example.com', 'www.example.com'])
    assert.equal(body['normalized_seed_url'], 'https://www.example.com/')
    assert.equal(body['seed_url'], 'https://www.example.com')
    assert.deepEqual(body['run_config'], RUN_CONFIG)
    await request('POST', `/crawl-runs/${body['id']}/cancel`)
  })

  it('returns the start host and its www variant for any scope, and requested and effective settings', async () => {
    const seedUrl = 'HTTPS://Docs.Example.com:443/a/../b#part'
    const { body } = await request('POST', '/crawl-runs', { seedUrl, settings: { scopeMode: 'same_domain' } })
    assert.deepEqual(body['allowed_hosts'], ['docs.example.com', 'www.docs.example.com'])
    assert.deepEqual([body['seed_url'], body['normalized_seed_url']], [seedUrl, 'https://docs.example.com/b'])
    const later = await readJson(`/crawl-runs/${body['id']}`)
    assert.deepEqual([later['allowed_hosts'], later['seed_url']], [body['allowed_hosts'], seedUrl])
    await request('POST', `/crawl-runs/${body['id']}/cancel`)
  })

  it('stores every given setting, also beside the URL, and ignores those of the process', async () => {
    const settings = {
      maxPages: 7,
      maxDepth: 0,
      scopeMode: 'same_domain',
      includeDocuments: true,
      followRedirects: false,
      demoDelayMs: 30,
      requestTimeoutMs: 900,
      maxRetries: 0,
    }
    for (const body of [
      { seedUrl: 'https://example.com/', settings: { ...settings, workerConcurrency: 9 } },
      { seedUrl: 'https://example.com/', ...settings },
    ]) {
      const { body: created } = await request('POST', '/crawl-runs', body)
      assert.deepEqual(created['run_config'], settings)
      assert.deepEqual((await readJson(`/crawl-runs/${created['id']}`))['run_config'], settings)
      await request('POST', `/crawl-runs/${created['id']}/cancel`)
    }
  })

  it('rejects a URL that is not absolute http, and invalid settings, with 400 and an error', async () => {
    const bad = [
      {},
      { seedUrl: '' },
      { seedUrl: 7 },
      { seedUrl: 'ftp://example.com/' },
      { seedUrl: 'example.com' },
      { seedUrl: 'https://example.com/', settings: { maxPages: 0 } },
      { seedUrl: 'https://example.com/', settings: { maxpages: 5 } },
      { seedUrl: 'https://example.com/', settings: { scopeMode: 'everything' } },
    ]
    for (const body of bad) {
      const response = await request('POST', '/crawl-runs', body)
      assert.equal(response.status, 400, JSON.stringify(body))
      assert.ok(String(response.body['error']).length > 0)
    }
  })
})

describe('a finished run', () => {
  it('has its counters, and its summary has totals', async (t) => {
    const { id, origin } = await crawlSite(t)
    const { started_at, completed_at, ...run } = await readJson(`/crawl-runs/${id}`)
    assert.ok(String(started_at) <= String(completed_at))
    const scope = {
      root_url: `${origin}/`,
      seed_url: `${origin}/`,
      normalized_seed_url: `${origin}/`,
      allowed_hosts: [new URL(origin).hostname],
      run_config: RUN_CONFIG,
    }
    assert.deepEqual(run, {
      crawl_run_id: id,
      id,
      status: 'COMPLETED',
      ...scope,
      visited_count: 3,
      redirect_301_count: 0,
      redirect_followed_count: 1,
      redirect_out_of_scope_count: 1,
      forbidden_count: 1,
      not_found_count: 1,
      http_terminal_count: 2,
      failed_count: 0,
      duplicates_skipped: null,
      queue_empty: true,
      in_progress: 0,
      summary_hint: `/crawl-runs/${id}/summary`,
    })
    const { started_at: _started, finished_at, ...summary } = await readJson(`/crawl-runs/${id}/summary`)
    assert.equal(finished_at, completed_at)
    const totals = {
      discovered: 9,
      visited: 3,
      redirect_followed: 1,
      redirect_out_of_scope: 1,
      redirect_301: 0,
      forbidden: 1,
      not_found: 1,
      http_terminal: 2,
      failed: 0,
      cancelled: 0,
      queued: 0,
      in_progress: 0,
    }
    assert.deepEqual(summary, { crawl_run_id: id, status: 'COMPLETED', ...scope, duplicates_skipped: null, totals })
    const { runs } = (await readJson('/crawl-runs?limit=1')) as { runs: JsonObject[] }
    const { allowed_hosts: _hosts, ...listed } = scope
    assert.deepEqual(runs, [
      { crawl_run_id: id, id, status: 'COMPLETED', ...listed, started_at, finished_at, completed_at, totals },
    ])
  })

  it('without following, reports a 301 as REDIRECT_301 and other redirects as HTTP_TERMINAL', async (t) => {
    const { id, origin } = await crawlSite(t, { followRedirects: false })
    const { urls } = (await readJson(`/crawl-runs/${id}/urls`)) as { urls: JsonObject[] }
    const statuses = Object.fromEntries(urls.map((url) => [String(url['normalized_url']), url['status']]))
    assert.equal(statuses[`${origin}/moved`], 'REDIRECT_301')
    assert.equal(statuses[`${origin}/away`], 'HTTP_TERMINAL')
    assert.equal(statuses[`${origin}/b`], undefined)
    const { totals } = (await readJson(`/crawl-runs/${id}/summary`)) as { totals: JsonObject }
    assert.equal(totals['redirect_301'], 1)
    assert.equal(totals['http_terminal'], 2)
    const moved = (await readJson(`/crawl-runs/${id}/urls?status=REDIRECT_301`)) as {
      urls: JsonObject[]
      pagination: JsonObject
    }
    assert.equal(moved.pagination['total'], 1)
    assert.equal(moved.urls[0]?.['final_url'], `${origin}/b`)
  })
})
