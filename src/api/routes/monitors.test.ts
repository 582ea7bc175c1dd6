import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { Finding, MonitorHits } from '../../ports/monitors.ts'
import { MAX_MONITORS } from '../../ports/monitors.ts'
import type { Client, ClientResponse } from '../client.ts'
import { hasCode } from '../testing/has-code.ts'
import { startTestApi, type TestApi } from '../testing/test-api.ts'

type Rule = ClientResponse<'getMonitor'>['rule']

const WORDS: Rule = { kind: 'words', words: ['lamp'] }

describe('monitors', () => {
  let api: TestApi
  let client: Client
  let crawlId = ''
  let pageUrl = ''

  before(async () => {
    api = await startTestApi()
    client = api.clientFor('crawl')
    const crawl = await api.crawlSite(8)
    crawlId = crawl.id
    pageUrl = crawl.rootUrl
  })
  after(() => api.close())

  const create = (rule: Rule = WORDS) => client.createMonitor({ body: { name: 'Lamps', rule } })
  // Each visit is later than the previous one, even within a millisecond.
  let visitedAt = Date.now()
  const record = (monitorId: string, changes: Partial<Finding['page']> = {}) => {
    visitedAt += 1
    const page = { pageId: 1, crawlId, url: pageUrl, version: 1, title: 'A <title>', visitedAt, ...changes }
    const evidence: Finding['evidence'] = {
      kind: 'passages',
      matches: 1,
      passages: [{ text: 'a lamp & \u0001 more', highlights: [[2, 6]] }],
    }
    const finding: Finding = { monitorId, page, state: 'x', evidence, at: Date.now() }
    return api.runtime.store.client.service<MonitorHits>('monitorHits').record([finding])
  }

  it('are created, read, changed and deleted', async () => {
    const rules: Rule[] = [
      WORDS,
      { kind: 'pattern', pattern: '\\d+ EUR' },
      { kind: 'selector', selector: '.price', condition: { kind: 'above', limit: 10 } },
      { kind: 'copies', min_words: 50 },
    ]
    for (const rule of rules) {
      const { monitor_id, ...created } = await create(rule)
      assert.deepEqual(created.rule, rule)
      const body = { name: 'Other', crawl_ids: [crawlId], include: ['/x'], muted: true }
      const changed = await client.changeMonitor({ params: { monitor_id }, body })
      assert.deepEqual([changed.name, changed.crawl_ids, changed.muted, changed.rule], ['Other', [crawlId], true, rule])
      assert.deepEqual(await client.getMonitor({ params: { monitor_id } }), changed)
      assert.ok((await client.listMonitors()).items.some((monitor) => monitor.monitor_id === monitor_id))
      await client.deleteMonitor({ params: { monitor_id } })
      await assert.rejects(client.getMonitor({ params: { monitor_id } }), hasCode('MONITOR_NOT_FOUND'))
      await assert.rejects(client.deleteMonitor({ params: { monitor_id } }), hasCode('MONITOR_NOT_FOUND'))
    }
  })

  it('with a rule that cannot be checked are rejected with a sentence', async () => {
    const bad: [Rule, RegExp][] = [
      [{ kind: 'words', words: ['...'] }, /body\.rule\.words: "\.\.\." contains no words/],
      [{ kind: 'pattern', pattern: '(' }, /body\.rule\.pattern: .*in JavaScript syntax/],
      [{ kind: 'pattern', pattern: '(?=x)' }, /look-ahead/],
      [{ kind: 'pattern', pattern: 'x*' }, /matches empty text/],
      [{ kind: 'pattern', pattern: '(?:abcdefghij){100}' }, /more than 500 characters/],
      [{ kind: 'selector', selector: 'a:hover', condition: { kind: 'changed' } }, /cannot use :hover/],
    ]
    for (const [rule, message] of bad) {
      await assert.rejects(create(rule), (error: Error) => hasCode('BAD_CONFIG')(error) && message.test(error.message))
    }
    const unknown = client.createMonitor({ body: { name: 'x', rule: WORDS, crawl_ids: ['nothing'] } })
    await assert.rejects(unknown, hasCode('CRAWL_NOT_FOUND'))
    const pattern = client.createMonitor({ body: { name: 'x', rule: WORDS, include: ['('] } })
    await assert.rejects(pattern, hasCode('BAD_CONFIG'))
  })

  it('need the scope crawl to be changed, and read to be seen', async () => {
    const reader = api.clientFor('read')
    await reader.listMonitors()
    await assert.rejects(reader.createMonitor({ body: { name: 'x', rule: WORDS } }), hasCode('SCOPE_MISSING'))
    await assert.rejects(reader.acknowledgeHits({ body: { hit_ids: [1] } }), hasCode('SCOPE_MISSING'))
  })

  it('for copies have documents: text, HTML, or an archived page', async () => {
    const { monitor_id } = await create({ kind: 'copies', min_words: 20 })
    const params = { monitor_id }
    const words = Array.from({ length: 40 }, (_, i) => `word${i}`).join(' ')
    const text = await client.addMonitorDocument({ params, body: { title: 'Text', text: words } })
    assert.deepEqual([text.title, text.words, text.url], ['Text', 40, null])
    const html = `<title>Page &amp; title</title><p>${words}<script>not this</script>`
    const page = await client.addMonitorDocument({ params, body: { html } })
    assert.deepEqual([page.title, page.words], ['Page & title', 40])
    const archived = await client.addMonitorDocument({ params, body: { url: pageUrl } })
    assert.equal(archived.url, pageUrl)
    const ids = (await client.listMonitorDocuments({ params })).items.map(({ document_id }) => document_id)
    assert.deepEqual(ids.toSorted(), [text, page, archived].map(({ document_id }) => document_id).toSorted())
    const document = { monitor_id, document_id: page.document_id }
    await client.deleteMonitorDocument({ params: document })
    await assert.rejects(client.deleteMonitorDocument({ params: document }), hasCode('DOCUMENT_NOT_FOUND'))
    assert.equal((await client.getMonitor({ params })).documents, 2)
    const short = client.addMonitorDocument({ params, body: { title: 'Short', text: 'too short' } })
    await assert.rejects(short, hasCode('BAD_CONFIG'))
    const missing = client.addMonitorDocument({ params, body: { url: 'https://nowhere.example/' } })
    await assert.rejects(missing, hasCode('PAGE_NOT_FOUND'))
    const other = await create()
    const wrongKind = { params: { monitor_id: other.monitor_id }, body: { title: 'Text', text: words } }
    await assert.rejects(client.addMonitorDocument(wrongKind), hasCode('BAD_CONFIG'))
  })

  it('have hits that are listed, acknowledged and read as a feed', async () => {
    const { monitor_id } = await create()
    const params = { monitor_id }
    const muted = 'http://muted.test/'
    const monitor = await client.muteMonitorUrl({ params, body: { url: muted } })
    assert.deepEqual(monitor.muted_urls, [muted])
    await record(monitor_id)
    await record(monitor_id, { pageId: 2, version: 2 })
    await record(monitor_id, { pageId: 3, url: muted })
    const { items } = await client.listHits({ query: { monitor_id } })
    assert.deepEqual(
      items.map(({ page_id, muted: isMuted, monitor_name }) => [page_id, isMuted, monitor_name]),
      [
        [3, true, 'Lamps'],
        [2, false, 'Lamps'],
        [1, false, 'Lamps'],
      ],
    )
    const [, newest] = items
    assert.deepEqual(await client.getHit({ params: { hit_id: newest?.hit_id ?? 0 } }), newest)
    const first = await client.listHits({ query: { monitor_id, limit: 2 } })
    const rest = await client.listHits({ query: { monitor_id, cursor: first.next_cursor ?? '' } })
    assert.deepEqual([...first.items, ...rest.items], items)
    const feed = await api.request(`/api/v1/monitors/${monitor_id}/hits.atom`, {
      headers: { authorization: `Bearer ${api.tokens.read}` },
    })
    assert.equal(feed.headers.get('content-type'), 'application/atom+xml; charset=utf-8')
    const xml = await feed.text()
    assert.equal(xml.match(/<entry>/g)?.length, 2)
    const self = /<link rel="self" [^>]*href="([^"]*)"/.exec(xml)?.[1] ?? ''
    assert.equal(self, `${api.address}/api/v1/monitors/${monitor_id}/hits.atom`)
    assert.match(xml, /<title>Lamps: A &lt;title&gt;<\/title>/)
    assert.match(xml, /a lamp &amp; \ufffd more/)
    assert.equal((await client.acknowledgeHits({ body: { hit_ids: [newest?.hit_id ?? 0] } })).acknowledged, 1)
    const open = await client.listHits({ query: { monitor_id, open: 'true' } })
    assert.deepEqual(
      open.items.map(({ page_id }) => page_id),
      [3, 1],
    )
    const body = { monitor_id, up_to: items[0]?.hit_id ?? 0 }
    assert.equal((await client.acknowledgeHits({ body })).acknowledged, 2)
    const { hits, open_hits } = await client.getMonitor({ params })
    assert.deepEqual([hits, open_hits], [3, 0])
    await assert.rejects(client.getHit({ params: { hit_id: 99_999 } }), hasCode('HIT_NOT_FOUND'))
    await client.muteMonitorUrl({ params, body: { url: muted, muted: false } })
    assert.deepEqual((await client.getMonitor({ params })).muted_urls, [])
  })

  it('call webhooks with their hits, once', async () => {
    const received: { event: string; hit: { page_id: number; url: string } }[] = []
    const called = Promise.withResolvers<void>()
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        received.push(JSON.parse(Buffer.concat(chunks).toString('utf8')))
        response.end()
        called.resolve()
      })
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const admin = api.clientFor('admin')
    const url = `http://127.0.0.1:${port}/`
    const { webhook_id } = await admin.createWebhook({ body: { url, events: ['monitor.hit'], allow_private: true } })
    const { monitor_id } = await create()
    await record(monitor_id, { pageId: 7 })
    await record(monitor_id, { pageId: 7 })
    await called.promise
    assert.deepEqual(
      received.map(({ event, hit }) => [event, hit.page_id, hit.url]),
      [['monitor.hit', 7, pageUrl]],
    )
    await admin.deleteWebhook({ params: { webhook_id } })
    server.close()
    server.closeAllConnections()
  })

  it('have a limit', async () => {
    const { total } = await client.listMonitors()
    for (let i = total ?? 0; i < MAX_MONITORS; i++) await create()
    await assert.rejects(create(), hasCode('MONITOR_LIMIT'))
  })
})
