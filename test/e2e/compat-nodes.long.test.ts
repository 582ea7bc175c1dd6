// The API of nodes as its documentation describes it: external clients, crawlers and indexers on a real server.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApi, type TestApi } from '../../src/api/testing/test-api.ts'
import { servePlainSite } from '../sites/plain-site.ts'
import { type JsonObject, type JsonResponse, requestJson, runCrawlToEnd } from './testing/json-api.ts'

let api: TestApi

before(async () => {
  // On any machine, however slow, no lease expires and no retry is due.
  const slow = ['--lease', '600000', '--retry-delay', '600000']
  api = await startTestApi(['--allow-private', '--delay', '0', '--cooldown', '0', ...slow])
})
after(() => api.close())

function request(method: string, path: string, body?: unknown): Promise<JsonResponse> {
  return requestJson(api.address, method, path, body)
}

async function start(seed_urls: string[], rest: JsonObject = {}): Promise<string> {
  const { status, body } = await request('POST', '/api/v1/crawl/start', { seed_urls, ...rest })
  assert.equal(status, 201, JSON.stringify(body))
  return String(body['crawl_id'])
}

interface Task extends JsonObject {
  task_id: string
  url: string
}

async function tasks(crawl_id: string, crawler_id = 'crawler-2', limit = 10): Promise<Task[]> {
  const { status, body } = await request('POST', '/api/v1/crawler/tasks', { crawler_id, crawl_id, limit })
  assert.equal(status, 200, JSON.stringify(body))
  return body['tasks'] as Task[]
}

async function oneTask(crawl_id: string): Promise<Task> {
  const [task, ...more] = await tasks(crawl_id)
  assert.ok(task !== undefined && more.length === 0, JSON.stringify(task))
  return task
}

function report(task_id: string, rest: JsonObject = {}) {
  const plain = { crawler_id: 'crawler-2', status: 'completed', extracted_urls: [], errors: [] }
  return request('POST', '/api/v1/crawler/report', { task_id, ...plain, ...rest })
}

const status = async (id: string) => (await request('GET', `/api/v1/crawl/status/${id}`)).body

describe('clients', () => {
  it('start a crawl with the documented request', async () => {
    const { status, body } = await request('POST', '/api/v1/crawl/start', {
      seed_urls: ['https://example.com', 'https://site.org'],
      depth_limit: 2,
      domain_restriction: true,
    })
    assert.equal(status, 201)
    assert.deepEqual(body, { crawl_id: body['crawl_id'], status: 'started' })
    const crawl = await api.runtime.crawls.find(String(body['crawl_id']))
    assert.deepEqual(crawl.seeds, ['https://example.com/', 'https://site.org/'])
    assert.equal(crawl.settings.maxDepth, 2)
    assert.equal(crawl.settings.scope, 'domain')
    await api.runtime.crawls.close(crawl.id, 'cancelled')
    const free = await api.runtime.crawls.find(await start(['https://example.com'], { domain_restriction: false }))
    assert.equal(free.settings.scope, 'any')
    await api.runtime.crawls.close(free.id, 'cancelled')
  })

  it('see its status, pages and errors', async (t) => {
    const site = await servePlainSite(t, (path) =>
      path === '/' ? '<a href="/gone">g</a><a href="/b">b</a>' : path === '/b' ? 'b' : null,
    )
    const id = await start([`${site.origin}/`])
    const noTasks = { pending: 0, assigned: 0, 'in-progress': 0, completed: 0, failed: 0, reassigned: 0 }
    assert.deepEqual(await status(id), {
      crawl_id: id,
      status: 'running',
      pages_crawled: 0,
      late_reports: 0,
      tasks: { ...noTasks, pending: 1 },
      errors: [],
    })
    await runCrawlToEnd(api, id)
    const { errors, tasks, ...rest } = await status(id)
    assert.deepEqual(rest, { crawl_id: id, status: 'completed', pages_crawled: 2, late_reports: 0 })
    assert.deepEqual(tasks, { ...noTasks, completed: 2, failed: 1 })
    const [error, ...more] = errors as JsonObject[]
    assert.equal(more.length, 0)
    assert.deepEqual(error, {
      url: `${site.origin}/gone`,
      status: 'failed',
      error: 'http_404',
      retries: 0,
      last_attempt: error?.['last_attempt'],
    })
    assert.ok(!Number.isNaN(Date.parse(String(error?.['last_attempt']))))
  })

  it('read its pages, in the long and in the short form', async (t) => {
    const site = await servePlainSite(t, (path) => {
      if (path === '/old') return { status: 301, headers: { location: '/older' } }
      if (path === '/older') return { status: 301, headers: { location: '/' } }
      return '<title>Wool</title><p>Wool and silk</p><a href="/old#part">the old page</a>'
    })
    const id = await start([`${site.origin}/`])
    await runCrawlToEnd(api, id)
    const read = async (path: string, form: string) =>
      (await request('GET', `/api/v1/crawl/pages/${id}?url=${encodeURIComponent(site.origin + path)}&form=${form}`))
        .body
    const long = await read('/', 'long')
    assert.deepEqual(Object.keys(long).slice(0, 11), [
      'record_id',
      'original_url',
      'final_url',
      'crawl_timestamp',
      'http_status',
      'content_type',
      'headers',
      'html_content',
      'text_content',
      'metadata',
      'links',
    ])
    assert.deepEqual(await read('/', 'short'), {
      url: `${site.origin}/`,
      fetched_at: long['crawl_timestamp'],
      status_code: 200,
      title: 'Wool',
      html: '<title>Wool</title><p>Wool and silk</p><a href="/old#part">the old page</a>',
      text: long['text_content'],
      links: [`${site.origin}/old`],
    })
    assert.equal((await read('/old', 'long'))['final_url'], `${site.origin}/`)
    assert.equal((await read('/none', 'short'))['code'], 'PAGE_NOT_FOUND')
  })

  it('get errors for bad requests and unknown crawls', async () => {
    assert.equal((await request('POST', '/api/v1/crawl/start', {})).status, 400)
    assert.equal((await request('POST', '/api/v1/crawl/start', { seed_urls: ['nonsense'] })).body['code'], 'BAD_SEED')
    assert.equal(
      (await request('POST', '/api/v1/crawl/start', { seed_urls: ['http://a.test'], depth_limit: -1 })).status,
      400,
    )
    assert.equal((await request('GET', '/api/v1/crawl/status/c123')).body['code'], 'CRAWL_NOT_FOUND')
  })
})

describe('external crawlers', () => {
  it('get tasks with every field, and report a crawl to its end', async () => {
    const id = await start(['http://tasks.test/'], { depth_limit: 1 })
    const first = await oneTask(id)
    const { task_id, timestamp, priority, ...message } = first
    assert.deepEqual(message, {
      crawl_id: id,
      url: 'http://tasks.test/',
      crawl_depth: 0,
      depth: 0,
      max_depth: 1,
      domain_restrictions: ['tasks.test'],
      retry_count: 0,
      parent_url: null,
    })
    assert.ok(!Number.isNaN(Date.parse(String(timestamp))) && Number.isInteger(priority))
    // Only one crawler at a time may send requests to the host.
    assert.deepEqual(await tasks(id, 'crawler-9'), [])
    const links = [
      'http://tasks.test/page2',
      '/page2#again',
      'http://sub.tasks.test/',
      'http://other.test/',
      'mailto:a@b',
    ]
    const { status: code, body } = await report(task_id, { extracted_urls: links })
    assert.equal(code, 200, JSON.stringify(body))
    assert.deepEqual(body, { task_id, status: 'recorded', state: 'visited', new_urls: 2 })
    assert.equal((await status(id))['pages_crawled'], 1)
    const second = await tasks(id)
    assert.deepEqual(second.map(({ url }) => url).sort(), ['http://sub.tasks.test/', 'http://tasks.test/page2'])
    for (const task of second) {
      assert.equal(task['crawl_depth'], 1)
      assert.equal(task['parent_url'], 'http://tasks.test/')
      // Links beyond the depth limit are not visited.
      await report(task.task_id, { extracted_urls: ['http://tasks.test/deep'] })
    }
    const end = await status(id)
    assert.deepEqual([end['status'], end['pages_crawled']], ['completed', 3])
    const progress = await api.runtime.crawls.progress(id)
    assert.equal(progress.rejected['scope'], 1)
  })

  it('cannot report a task twice, nor a task of another crawler, nor an unknown one', async () => {
    const id = await start(['http://twice.test/', 'http://another.test/'])
    const [one, two] = await tasks(id)
    assert.ok(one !== undefined && two !== undefined)
    await report(one.task_id, { extracted_urls: ['http://twice.test/a'] })
    const before = await api.runtime.crawls.progress(id)
    const again = await report(one.task_id, { extracted_urls: ['http://twice.test/b'], status: 'failed' })
    assert.deepEqual([again.status, again.body['code']], [409, 'LEASE_LOST'])
    assert.deepEqual((await api.runtime.crawls.progress(id)).ledger, before.ledger)
    assert.equal((await status(id))['late_reports'], 1)
    assert.equal((await report(two.task_id, { crawler_id: 'crawler-3' })).status, 400)
    const [text = '', signature = ''] = two.task_id.split('.')
    const forged = Buffer.from(text, 'base64url').toString().replace('another.test', 'forged.test')
    for (const task_id of ['task456', `${Buffer.from(forged).toString('base64url')}.${signature}`]) {
      const { status: code, body } = await report(task_id)
      assert.deepEqual([code, body['code']], [400, 'BAD_REQUEST'])
    }
    // The repeated report had no other effect.
    assert.equal((await report(two.task_id)).status, 200)
    await api.runtime.crawls.close(id, 'cancelled')
  })

  it('report statuses, failures and redirects, which are treated like those of our own workers', async () => {
    const id = await start(['http://judge.test/'], { domain_restriction: true })
    const links = ['/missing', '/moved', '/fails'].map((path) => `http://judge.test${path}`)
    await report((await oneTask(id)).task_id, { extracted_urls: links, http_status: 200, fetch_time_ms: 1 })
    const reports: Record<string, JsonObject> = {
      '/missing': { http_status: 404 },
      '/moved': { http_status: 302, final_url: '/target' },
      '/fails': { status: 'failed', errors: ['Timeout'] },
      '/target': { http_status: 200, content_type: 'text/html', content_size_bytes: 5 },
    }
    const states: Record<string, unknown> = {}
    for (;;) {
      const [task] = await tasks(id)
      if (task === undefined) break
      const path = new URL(task.url).pathname
      states[path] = (await report(task.task_id, reports[path])).body['state']
    }
    assert.deepEqual(states, {
      '/missing': 'not_found',
      '/moved': 'redirected',
      '/target': 'visited',
      '/fails': 'retry',
    })
    const { ledger } = await api.runtime.crawls.progress(id)
    assert.equal(ledger.queued, 1)
    const { retry_after_ms, tasks: none } = (
      await request('POST', '/api/v1/crawler/tasks', { crawler_id: 'c', crawl_id: id })
    ).body
    assert.deepEqual(none, [])
    assert.ok(Number(retry_after_ms) > 0)
    await api.runtime.crawls.close(id, 'cancelled')
  })

  it('see the state of every task', async () => {
    const id = await start(['http://states.test/'])
    const taskStates = async (query = '') => {
      const { body } = await request('GET', `/api/v1/crawl/tasks/${id}${query}`)
      return (body['tasks'] as JsonObject[]).map(({ url, status: state, crawler_id }) => [
        new URL(String(url)).pathname,
        state,
        crawler_id,
      ])
    }
    assert.deepEqual(await taskStates(), [['/', 'pending', null]])
    const first = await oneTask(id)
    assert.deepEqual(await taskStates(), [['/', 'assigned', 'crawler-2']])
    await report(first.task_id, { status: 'in-progress' })
    assert.deepEqual(await taskStates('?state=in-progress'), [['/', 'in-progress', 'crawler-2']])
    const times = { fetch_time_ms: 40, processing_time_ms: 12 }
    const links = ['http://states.test/fails', 'http://states.test/gone']
    await report(first.task_id, { extracted_urls: links, ...times })
    const task = await oneTask(id)
    await report(task.task_id, { status: 'failed', errors: ['Timeout', { code: 7 }] })
    await report((await oneTask(id)).task_id, { http_status: 404 })
    assert.deepEqual((await taskStates()).map(([, state]) => state).toSorted(), ['completed', 'failed', 'reassigned'])
    assert.equal((await request('GET', `/api/v1/crawl/tasks/${id}?state=done`)).status, 400)

    const { errors, tasks: counts } = (await status(id)) as { errors: JsonObject[]; tasks: JsonObject }
    assert.deepEqual(counts, { pending: 0, assigned: 0, 'in-progress': 0, completed: 1, failed: 1, reassigned: 1 })
    const reported = errors.filter((error) => error['status'] === 'reported')
    assert.deepEqual(
      reported.map(({ url, crawler_id, error }) => [url, crawler_id, error]),
      [
        [task.url, 'crawler-2', 'Timeout'],
        [task.url, 'crawler-2', '{"code":7}'],
      ],
    )
    const { body } = await request('GET', `/api/v1/crawl/tasks/${id}?state=completed`)
    const [{ task_id, start_time, end_time, last_attempt, ...record } = {}] = body['tasks'] as JsonObject[]
    assert.equal(last_attempt, end_time)
    assert.equal(Date.parse(String(end_time)) - Date.parse(String(start_time)), 40)
    assert.deepEqual(record, {
      url: 'http://states.test/',
      crawler_id: 'crawler-2',
      status: 'completed',
      http_status: null,
      fetch_time_ms: 40,
      processing_time_ms: 12,
      content_size_bytes: null,
      links_discovered: 2,
      retries: 0,
      errors: [],
      robots_txt_compliant: true,
    })
    await api.runtime.crawls.close(id, 'cancelled')
  })

  it('extend the lease of a task', async () => {
    const id = await start(['http://slow.test/'])
    const { task_id } = await oneTask(id)
    assert.deepEqual(await report(task_id, { status: 'in-progress' }), {
      status: 200,
      body: { task_id, status: 'in-progress' },
    })
    assert.equal((await report(task_id)).status, 200)
    assert.equal((await report(task_id, { status: 'in-progress' })).status, 409)
  })
})

describe('every compat route', () => {
  it('requires the same token scope as its native counterpart', async (t) => {
    const closed = await startTestApi(['--require-token'])
    t.after(() => closed.close())
    const paths: Record<string, string[]> = {
      read: ['GET /crawl-runs', 'GET /crawl-runs/x', 'GET /crawl-runs/x/urls', 'GET /crawl-runs/x/export'],
      crawl: [
        'POST /crawl-runs',
        'POST /crawl-runs/x/cancel',
        'POST /api/v1/crawl/start',
        'POST /api/v1/crawler/tasks',
      ],
    }
    paths['read']?.push('GET /crawl-runs/x/summary', 'GET /crawl-runs/x/graph', 'GET /crawl-runs/x/graph-delta')
    paths['read']?.push('GET /api/v1/crawl/status/x', 'GET /api/v1/indexer/report', 'GET /api/v1/indexer/terms')
    paths['read']?.push('GET /api/v1/crawl/tasks/x', 'GET /api/v1/crawl/pages/x')
    paths['crawl']?.push('POST /api/v1/crawler/report', 'POST /api/v1/indexer/submit', 'POST /api/v1/indexer/report')
    const statusOf = async (at: string, token: string | null) => {
      const [method = '', path = ''] = at.split(' ')
      const headers = token === null ? {} : { authorization: `Bearer ${token}` }
      return (await closed.request(path, { method, headers })).status
    }
    for (const [scope, all] of Object.entries(paths)) {
      for (const at of all) {
        assert.equal(await statusOf(at, null), 401, at)
        assert.equal((await statusOf(at, closed.tokens.read)) === 403, scope === 'crawl', at)
        const status = await statusOf(at, closed.tokens.crawl)
        assert.ok(status < 500 && status !== 401 && status !== 403, `${at}: ${status}`)
      }
    }
    assert.equal(await statusOf('GET /health', null), 200)
  })
})
