import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { Crawl } from '../../ports/crawls.ts'
import { hasCode } from '../testing/has-code.ts'
import { startTestApi, type TestApi } from '../testing/test-api.ts'

let api: TestApi
let crawl: Crawl

before(async () => {
  api = await startTestApi()
  crawl = await api.crawlSite()
})
after(() => api.close())

describe('archived pages', () => {
  it('are found by URL and returned as records, bodies and text', async () => {
    const { items } = await api.client.findPages({ query: { url: crawl.rootUrl } })
    const page_id = items[0]?.page_id ?? 0
    const record = await api.client.getPage({ params: { page_id } })
    assert.equal(record.original_url, crawl.rootUrl)
    assert.equal(record.html_content, null)
    const whole = await api.client.getPage({ params: { page_id }, query: { html: 'true' } })
    const html = gunzipSync(Buffer.from(whole.html_content ?? '', 'base64')).toString()
    assert.match(html, /<h1>/)
    const text = await (await api.client.getPageText({ params: { page_id } })).text()
    assert.equal(text, record.text_content)
    const markdown = await api.client.getPageMarkdown({ params: { page_id } })
    assert.equal(markdown.headers.get('content-type'), 'text/markdown; charset=utf-8')
    assert.match(await markdown.text(), /^# /)
    const { items: chunks } = await api.client.getPageChunks({ params: { page_id }, query: { max_length: 200 } })
    assert.ok(chunks.length > 0 && chunks.every(({ url }) => url === crawl.rootUrl))
    assert.deepEqual(await api.client.getPageData({ params: { page_id } }), {
      fields: null,
      missing: [],
      structured_data: null,
    })
    const tried = await api.client.extractFromPage({
      params: { page_id },
      body: { rules: [{ name: 'heading', selector: 'h1' }], structured_data: true },
    })
    assert.deepEqual(
      tried.fields.map(({ name, matches, rejected }) => ({ name, matches, rejected })),
      [{ name: 'heading', matches: 1, rejected: [] }],
    )
    const bad = api.client.extractFromPage({ params: { page_id }, body: { rules: [{ name: 'x', selector: '::' }] } })
    await assert.rejects(bad, hasCode('BAD_REQUEST'))
    const history = await api.client.getPageHistory({ params: { page_id } })
    assert.deepEqual([history.url, history.versions.length, history.diff], [crawl.rootUrl, 1, null])
  })

  it('are never served in a form that a browser would execute', async () => {
    const { items } = await api.client.findPages({ query: { url: crawl.rootUrl } })
    const response = await api.request(`/api/v1/pages/${items[0]?.page_id}/raw`)
    assert.equal(response.headers.get('content-type'), 'application/octet-stream')
    assert.match(response.headers.get('content-disposition') ?? '', /^attachment/)
    assert.match(response.headers.get('content-security-policy') ?? '', /^sandbox/)
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.match(await response.text(), /<h1>/)
  })

  it('that do not exist are an error', async () => {
    const params = { page_id: 999_999 }
    for (const name of [
      'getPage',
      'getPageRaw',
      'getPageText',
      'getPageMarkdown',
      'getPageChunks',
      'getPageData',
      'getPageHistory',
    ] as const) {
      await assert.rejects(api.client[name]({ params }), hasCode('PAGE_NOT_FOUND'), name)
    }
    await assert.rejects(api.client.findPages({ query: { url: 'nonsense' } }), hasCode('BAD_SEED'))
  })
})

describe('the server', () => {
  it('describes itself', async () => {
    const about = await api.client.about()
    assert.deepEqual([about.name, about.store, about.needs_token, about.scope], ['orbweaver', 'sqlite', false, 'admin'])
  })

  it('lists every crawl setting with a schema', async () => {
    const { items } = await api.client.getSettings()
    const delay = items.find(({ name }) => name === 'delay')
    assert.deepEqual([delay?.kind, delay?.default, delay?.is_changeable], ['text', 'auto', true])
    assert.equal(items.find(({ name }) => name === 'allow_private')?.needs_admin, true)
    assert.deepEqual(items.find(({ name }) => name === 'scope')?.choices, ['host', 'domain', 'prefix', 'any'])
    const { settings } = await api.client.getCrawl({ params: { crawl_id: crawl.id } })
    assert.deepEqual(items.map(({ name }) => name).sort(), Object.keys(settings).sort())
  })

  it('labels settings and their choices for forms; without a label, the name is shown in words', async () => {
    const { items } = await api.client.getSettings()
    const labels = new Map(items.map(({ name, label }) => [name, label]))
    assert.deepEqual(
      [labels.get('per_ip'), labels.get('max_path_segments')],
      ['Requests per IP address', 'Max path segments'],
    )
    const scope = items.find(({ name }) => name === 'scope')
    assert.deepEqual(scope?.choice_labels, { host: 'Host', domain: 'Domain', prefix: 'Path prefix', any: 'Any host' })
  })

  it('lists its workers', async () => {
    assert.deepEqual((await api.client.listWorkers()).items, [])
    await assert.rejects(api.client.drainWorker({ params: { worker_id: 'w0' }, body: {} }), hasCode('WORKER_NOT_FOUND'))
  })

  it('creates and revokes tokens, and shows each only once', async () => {
    const created = await api.client.createToken({ body: { name: 'ci', scope: 'read' } })
    assert.match(created.token, /^orbw_[\w-]{43}$/)
    const { items } = await api.client.listTokens()
    const row = items.find(({ token_id }) => token_id === created.token_id)
    assert.equal(row?.name, 'ci')
    assert.ok(!JSON.stringify(items).includes(created.token))
    await api.client.revokeToken({ params: { token_id: created.token_id } })
    await assert.rejects(api.client.revokeToken({ params: { token_id: created.token_id } }), hasCode('TOKEN_NOT_FOUND'))
    const gone = await api.request('/api/v1/crawls', { headers: { authorization: `Bearer ${created.token}` } })
    assert.equal(gone.status, 401)
  })

  it('creates and deletes webhooks, and shows their secrets only once', async () => {
    const body = { url: 'https://hooks.test/x', events: ['crawl.completed' as const] }
    const created = await api.client.createWebhook({ body })
    assert.match(created.secret, /^whsec_/)
    const { items } = await api.client.listWebhooks()
    assert.deepEqual(
      items.map(({ url, events }) => ({ url, events })),
      [body],
    )
    assert.ok(!JSON.stringify(items).includes(created.secret))
    const params = { webhook_id: created.webhook_id }
    await api.client.deleteWebhook({ params })
    await assert.rejects(api.client.deleteWebhook({ params }), hasCode('WEBHOOK_NOT_FOUND'))
    for (const url of ['file:///etc/passwd', 'http://me@hooks.test/', 'http://:pw@hooks.test/', 'nonsense']) {
      await assert.rejects(api.client.createWebhook({ body: { url } }), hasCode('BAD_REQUEST'))
    }
  })

  it('accepts webhooks with private addresses only with allow_private', async () => {
    for (const url of ['http://127.0.0.1:9/', 'http://localhost:9/', 'http://10.0.0.1/', 'http://[::1]/']) {
      await assert.rejects(api.client.createWebhook({ body: { url } }), hasCode('BAD_REQUEST'))
      const created = await api.client.createWebhook({ body: { url, allow_private: true } })
      assert.equal(created.allow_private, true)
      await api.client.deleteWebhook({ params: { webhook_id: created.webhook_id } })
    }
  })

  it('changes its log level', async () => {
    assert.deepEqual(await api.client.getLogLevel(), { level: 'info' })
    assert.deepEqual(await api.client.setLogLevel({ body: { level: 'error' } }), { level: 'error' })
    assert.deepEqual(await api.client.getLogLevel(), { level: 'error' })
  })

  it('serves and crawls the demo site', async () => {
    const demo = await api.client.startDemo()
    assert.equal(demo.status, 'running')
    assert.equal((await fetch(demo.root_url)).status, 200)
    await api.client.cancelCrawl({ params: { crawl_id: demo.crawl_id } })
  })

  it('reports an error while nothing is indexed', async () => {
    await assert.rejects(api.client.search({ query: { q: 'x' } }), hasCode('INDEX_OFF'))
  })
})
