// The API of runs as its documentation describes it, field by field, on a real server and a small site on loopback: the
// URLs of a run, its export and its graph.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { servePlainSite } from '../sites/plain-site.ts'
import { type JsonObject, runCrawlToEnd } from './testing/json-api.ts'
import { openRunsApi } from './testing/runs-api.ts'

const URL_FIELDS = [
  'id',
  'normalized_url',
  'raw_url',
  'discovered_from_url_id',
  'depth',
  'status',
  'retry_count',
  'http_status',
  'content_type',
  'claimed_at',
  'claimed_by_worker',
  'visited_at',
  'last_error',
  'updated_at',
  'graph_version',
  'requested_url',
  'final_url',
  'redirected',
  'final_in_scope',
]

const EXPORT_FIELDS =
  'id,normalized_url,status,http_status,content_type,retry_count,claimed_by_worker,claimed_at,visited_at,raw_url,' +
  'discovered_from_url_id,depth,requested_url,final_url,redirected,final_in_scope'

interface Page extends JsonObject {
  urls: JsonObject[]
  pagination: JsonObject
  filters: JsonObject
}

const BY_STATUS: Record<string, string[]> = {
  QUEUED: [],
  IN_PROGRESS: [],
  VISITED: ['/', '/a', '/b'],
  REDIRECT_301: [],
  FORBIDDEN: ['/secret'],
  NOT_FOUND: ['/missing'],
  HTTP_TERMINAL: ['/broken', '/gone'],
  FAILED: [],
  REDIRECT_FOLLOWED: ['/moved'],
  REDIRECT_OUT_OF_SCOPE: ['/away'],
  CANCELLED: [],
}

const runs = openRunsApi()
const { request, readJson, crawlSite } = runs

describe('GET /crawl-runs/:id/urls', () => {
  it('lists rows by offset, with their results and whether there are more', async (t) => {
    const { id, origin } = await crawlSite(t)
    const first = (await readJson(`/crawl-runs/${id}/urls?limit=4`)) as { urls: JsonObject[] } & JsonObject
    const { urls, ...rest } = first
    assert.deepEqual(rest, {
      crawl_run_id: id,
      pagination: { limit: 4, offset: 0, returned: 4, total: 9, has_more: true },
      filters: { status: null, sort: 'id', order: 'asc' },
    })
    assert.deepEqual(Object.keys(urls[0] ?? {}), URL_FIELDS)
    assert.equal(urls[0]?.['normalized_url'], `${origin}/`)
    assert.equal(urls[0]?.['discovered_from_url_id'], null)
    assert.equal(urls[1]?.['discovered_from_url_id'], urls[0]?.['id'])
    const second = (await readJson(`/crawl-runs/${id}/urls?limit=4&offset=4`)) as {
      urls: JsonObject[]
      pagination: JsonObject
    }
    const third = (await readJson(`/crawl-runs/${id}/urls?limit=4&offset=8`)) as {
      urls: JsonObject[]
      pagination: JsonObject
    }
    assert.equal(third.pagination['has_more'], false)
    assert.equal(third.pagination['returned'], 1)
    const ids = [...urls, ...second.urls, ...third.urls].map((url) => Number(url['id']))
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    )
    assert.equal(new Set(ids).size, 9)
  })

  it('filters by every status and sorts by every order', async (t) => {
    const { id, origin } = await crawlSite(t)
    const path = `/crawl-runs/${id}/urls`
    const visited = (await readJson(`${path}?status=VISITED&limit=50&offset=0&sort=visited_at&order=desc`)) as Page
    assert.equal(visited.pagination['total'], 3)
    assert.deepEqual(visited.filters, { status: 'VISITED', sort: 'visited_at', order: 'desc' })
    const times = visited.urls.map((url) => String(url['visited_at']))
    assert.deepEqual(times, times.toSorted().toReversed())
    for (const [status, paths] of Object.entries(BY_STATUS)) {
      const { urls, pagination } = (await readJson(`${path}?status=${status}&sort=normalized_url`)) as Page
      assert.deepEqual(
        urls.map((url) => url['normalized_url']),
        paths.map((one) => `${origin}${one}`),
        status,
      )
      assert.equal(pagination['total'], paths.length, status)
    }
    for (const order of ['asc', 'desc']) {
      const { urls } = (await readJson(`${path}?sort=updated_at&order=${order}`)) as Page
      const updates = urls.map((url) => String(url['updated_at']))
      assert.equal(updates.length, 9)
      assert.deepEqual(updates, order === 'asc' ? updates.toSorted() : updates.toSorted().toReversed())
    }
    const away = (await readJson(`${path}?status=redirect_out_of_scope`)) as Page
    assert.equal(away.urls[0]?.['final_url'], 'http://elsewhere.test/')
    assert.equal(away.urls[0]?.['redirected'], true)
    assert.equal(away.urls[0]?.['final_in_scope'], false)
    const broken = (await readJson(`${path}?status=HTTP_TERMINAL&sort=normalized_url`)) as Page
    assert.equal(broken.urls[0]?.['retry_count'], 2)
    assert.equal(broken.urls[0]?.['last_error'], 'http_500')
  })

  it('names the end of a chain of redirects, also of a loop', async (t) => {
    const targets: Record<string, string> = { '/1': '/2', '/2': '/3', '/3': '/end', '/x': '/y', '/y': '/x' }
    const { origin } = await servePlainSite(t, (path) => {
      const location = targets[path]
      if (location !== undefined) return { status: 302, headers: { location }, body: '' }
      return path === '/' ? '<a href="/1">1</a><a href="/x">x</a>' : 'end'
    })
    const { body } = await request('POST', '/crawl-runs', { seedUrl: `${origin}/` })
    await runCrawlToEnd(runs.api, String(body['id']))
    for (const path of [`/crawl-runs/${body['id']}/urls`, `/crawl-runs/${body['id']}/export`]) {
      const { urls } = (await readJson(path)) as Page
      const ends = Object.fromEntries(urls.map((url) => [String(url['normalized_url']), String(url['final_url'])]))
      for (const hop of ['/1', '/2', '/3', '/end']) assert.equal(ends[`${origin}${hop}`], `${origin}/end`)
      assert.deepEqual([ends[`${origin}/x`], ends[`${origin}/y`]], [`${origin}/x`, `${origin}/y`])
    }
  })

  it('has every link as it was written, if its page is archived', async (t) => {
    const { id, origin } = await crawlSite(t)
    for (const path of [`/crawl-runs/${id}/urls`, `/crawl-runs/${id}/export`, `/crawl-runs/${id}/graph-delta`]) {
      const { urls } = (await readJson(path)) as Page
      const raw = Object.fromEntries(urls.map((url) => [String(url['normalized_url']), url['raw_url']]))
      assert.deepEqual(
        ['/', '/a', '/b', '/broken'].map((page) => raw[`${origin}${page}`]),
        [`${origin}/`, '/a', '/b', '/broken'],
        path,
      )
    }
  })

  it('sorts URLs that were never visited last, by visited_at in either direction', async (t) => {
    const { id } = await crawlSite(t, { maxPages: 1 })
    for (const order of ['asc', 'desc']) {
      const { urls } = (await readJson(`/crawl-runs/${id}/urls?sort=visited_at&order=${order}`)) as Page
      const visits = urls.map((url) => url['visited_at'])
      assert.ok(visits.length > 2 && visits[0] !== null, order)
      assert.deepEqual(
        visits.slice(1).filter((visit) => visit !== null),
        [],
        order,
      )
      assert.equal(urls[1]?.['status'], 'CANCELLED')
      assert.equal(urls[1]?.['last_error'], 'max_pages')
    }
  })

  it('rejects an unknown status, order or run', async (t) => {
    const { id } = await crawlSite(t)
    assert.equal((await request('GET', `/crawl-runs/${id}/urls?status=DONE`)).status, 400)
    assert.equal((await request('GET', `/crawl-runs/${id}/urls?sort=depth`)).status, 400)
    const nobody = await request('GET', '/crawl-runs/77/urls')
    assert.equal(nobody.status, 404)
    assert.ok(String(nobody.body['error']).length > 0)
    // Numbers are clamped to their bounds.
    const { pagination } = (await readJson(`/crawl-runs/${id}/urls?limit=0&offset=-5`)) as Page
    assert.deepEqual(pagination, { limit: 1, offset: 0, returned: 1, total: 9, has_more: true })
  })
})

describe('the export and the graph', () => {
  it('have the same rows as JSON and as CSV', async (t) => {
    const { id } = await crawlSite(t)
    const json = (await readJson(`/crawl-runs/${id}/export?format=json&limit=50000`)) as {
      urls: JsonObject[]
    } & JsonObject
    assert.deepEqual([json['crawl_run_id'], json['limit'], json['count']], [id, 50_000, 9])
    assert.deepEqual(Object.keys(json.urls[0] ?? {}), EXPORT_FIELDS.split(','))
    const response = await runs.api.request(`/crawl-runs/${id}/export?format=csv&limit=50000`)
    assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.equal(response.headers.get('content-disposition'), `attachment; filename="crawl-${id}.csv"`)
    const [head, ...lines] = (await response.text()).trimEnd().split('\n')
    assert.equal(head, EXPORT_FIELDS)
    assert.deepEqual(
      lines.map((line) => line.split(',').slice(0, 3)),
      json.urls.map((url) => [String(url['id']), url['normalized_url'], url['status']]),
    )
    const cut = (await readJson(`/crawl-runs/${id}/export?limit=2`)) as { urls: JsonObject[] } & JsonObject
    assert.equal(cut['count'], 2)
    assert.deepEqual(cut.urls, json.urls.slice(0, 2))
  })

  it('have an edge from the page where a URL was found to the URL', async (t) => {
    const { id, origin } = await crawlSite(t)
    const graph = (await readJson(`/crawl-runs/${id}/graph?limit=100000`)) as { edges: JsonObject[] } & JsonObject
    assert.deepEqual([graph['crawl_run_id'], graph['edge_count'], graph['node_count']], [id, 8, 9])
    const { urls } = (await readJson(`/crawl-runs/${id}/urls`)) as Page
    const idOf = (path: string) => urls.find((url) => url['normalized_url'] === `${origin}${path}`)?.['id']
    assert.deepEqual(
      graph.edges.find((edge) => edge['to_url_id'] === idOf('/gone')),
      {
        from_url_id: idOf('/b'),
        to_url_id: idOf('/gone'),
        from_normalized_url: `${origin}/b`,
        to_normalized_url: `${origin}/gone`,
        to_raw_url: null,
      },
    )
    assert.equal(((await readJson(`/crawl-runs/${id}/graph?limit=3`)) as { edges: JsonObject[] }).edges.length, 3)
  })
})
