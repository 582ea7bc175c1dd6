// Every route over a crawl of a generated site: the answer, and each error that it names.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { servePlainSite } from '../../../test/sites/plain-site.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { Frontier } from '../../ports/frontier.ts'
import { ApiError } from '../client.ts'
import type { Problem } from '../http/problem.ts'
import { startTestApi, type TestApi } from '../testing/test-api.ts'

let api: TestApi
let crawl: Crawl
let crawl_id: string

before(async () => {
  api = await startTestApi()
  crawl = await api.crawlSite()
  crawl_id = crawl.id
})
after(() => api.close())

function refusal(code: string) {
  return (error: unknown) => {
    assert.ok(error instanceof ApiError, String(error))
    assert.equal(error.code, code, error.message)
    return true
  }
}

const NOBODY = { crawl_id: 'nobody' }

/** Names of the fields that are refused. */
async function fieldsOf(method: string, path: string, body: unknown): Promise<string[]> {
  const headers = { 'content-type': 'application/json' }
  const answer = await api.request(path, { method, headers, body: JSON.stringify(body) })
  return ((await answer.json()) as Problem).fields?.map(({ field }) => field).sort() ?? []
}

describe('crawls', () => {
  it('of an older version whose patterns can no longer be used are shown, and go on once these are changed', async () => {
    const settings = { ...crawl.settings, exclude: ['/(?!docs/)'] }
    const [url] = crawl.seeds
    assert.ok(url !== undefined)
    const seeds = [
      {
        url,
        host: new URL(url).host,
        key: 1n,
        kind: 'page' as const,
        isSuspect: false,
        isRefresh: false,
        listing: null,
      },
    ]
    const old = await api.runtime.crawls.create({ seeds, settings, keySeed: 1 })
    await api.runtime.crawls.setPaused(old.id, true)
    const params = { crawl_id: old.id }
    assert.deepEqual((await api.client.getCrawl({ params })).settings['exclude'], settings.exclude)
    assert.ok((await api.client.listCrawls({ query: {} })).items.some(({ crawl_id: id }) => id === old.id))
    const { steps } = await api.client.explainUrl({ params, query: { url } })
    const scope = steps.find(({ step }) => step === 'scope')
    assert.match(scope?.detail ?? '', /exclude must be a regular expression without look-ahead/)
    await assert.rejects(api.client.resumeCrawl({ params }), refusal('BAD_CONFIG'))
    await assert.rejects(api.client.rerunCrawl({ params }), refusal('BAD_CONFIG'))
    await api.client.changeCrawl({ params, body: { settings: { exclude: ['/private/'] } } })
    assert.equal((await api.client.resumeCrawl({ params })).status, 'running')
    await api.client.cancelCrawl({ params })
    await api.client.deleteCrawl({ params })
  })

  it('are told with all their counters', async () => {
    const told = await api.client.getCrawl({ params: { crawl_id } })
    assert.equal(told.status, 'completed')
    assert.equal(told.total, told.completed + told.failed)
    assert.equal(told.pending + told.in_progress, 0)
    assert.deepEqual(told.seeds, crawl.seeds)
    assert.equal(told.settings['allow_private'], true)
    assert.ok(told.finished_at !== null && told.bytes > 0 && told.pages > 0)
    await assert.rejects(api.client.getCrawl({ params: NOBODY }), refusal('CRAWL_NOT_FOUND'))
  })

  it('are known by their whole id only', async () => {
    await assert.rejects(
      api.client.getCrawl({ params: { crawl_id: crawl_id.slice(0, 8) } }),
      refusal('CRAWL_NOT_FOUND'),
    )
  })

  it('are listed newest first, in pages that do not skip or repeat', async () => {
    const made: string[] = []
    for (let i = 0; i < 5; i++) {
      made.push((await api.client.createCrawl({ body: { url: `http://list-${i}.test/` } })).crawl_id)
    }
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query = { text: 'list-', limit: 2, ...(cursor === null ? {} : { cursor }) }
      const page = await api.client.listCrawls({ query })
      seen.push(...page.items.map((item) => item.crawl_id))
      assert.equal(page.total, null)
      cursor = page.next_cursor
    } while (cursor !== null)
    assert.deepEqual(seen, made.toReversed())
    assert.equal((await api.client.listCrawls({ query: { text: 'list-' } })).total, 5)
    const completed = await api.client.listCrawls({ query: { status: 'completed' } })
    assert.deepEqual(
      completed.items.map((item) => item.crawl_id),
      [crawl_id],
    )
    await assert.rejects(api.client.listCrawls({ query: { cursor: 'bm9uc2Vuc2U' } }), refusal('BAD_CURSOR'))
    for (const id of made) await api.client.cancelCrawl({ params: { crawl_id: id } })
  })

  it('are made with settings that are checked as those of the command line, all problems at once', async () => {
    const body = { url: 'http://a.test/', settings: { max_pages: 0, concurency: 3, delay: 'soon' } }
    await assert.rejects(api.client.createCrawl({ body }), (error) => {
      assert.ok(error instanceof ApiError)
      assert.equal(error.code, 'BAD_CONFIG')
      assert.deepEqual(error.fields.map(({ field }) => field).sort(), [
        'body.settings.concurency',
        'body.settings.delay',
        'body.settings.max_pages',
      ])
      assert.match(error.message, /Did you mean concurrency/)
      return true
    })
    const all = { url: 'ftp://a.test/', settings: { delay: -1 } }
    assert.deepEqual(await fieldsOf('POST', '/api/v1/crawls', all), ['body.settings.delay', 'body.url'])
    const odd = { urls: 7, more: 1, settings: { delay: -1 } }
    assert.deepEqual(await fieldsOf('POST', '/api/v1/crawls', odd), ['body.more', 'body.settings.delay', 'body.urls'])
    const path = `/api/v1/crawls/${crawl_id}`
    assert.deepEqual(await fieldsOf('PATCH', path, { ...odd, urls: undefined }), ['body.more', 'body.settings.delay'])
    await assert.rejects(api.client.createCrawl({ body: { url: 'ftp://a.test/' } }), refusal('BAD_SEED'))
    await assert.rejects(api.client.createCrawl({ body: {} }), refusal('BAD_SEED'))
    const excluded = { url: 'http://a.test/', settings: { exclude: ['a.test'] } }
    await assert.rejects(api.client.createCrawl({ body: excluded }), refusal('BAD_CONFIG'))
    const endless = { url: `http://${'a'.repeat(60)}.test/!`, settings: { exclude: ['^http://(a+)+$'] } }
    assert.deepEqual((await api.client.checkCrawl({ body: endless })).problems, [])
    const impossible = { url: 'http://a.test/', settings: { exclude: ['/(?!docs/)'] } }
    await assert.rejects(api.client.createCrawl({ body: impossible }), refusal('BAD_CONFIG'))
    const named = { ...body, settings: Object.fromEntries(Array.from({ length: 80_000 }, (_, i) => [`n${i}`, 1])) }
    assert.ok((await fieldsOf('POST', '/api/v1/crawls/check', named)).length <= 100)
    const long = { ...body, settings: { ['x'.repeat(900_000)]: 1, exclude: ['x'.repeat(900_000)] } }
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${api.tokens.read}` }
    const told = await api.request('/api/v1/crawls/check', { method: 'POST', headers, body: JSON.stringify(long) })
    assert.ok((await told.text()).length < 2_000)
    const many = {
      urls: Array.from({ length: 9_000 }, (_, i) => `http://h${i}.test/`),
      sitemaps: Array(900).fill('/x'),
    }
    const [problem] = (await api.client.checkCrawl({ body: many })).problems
    assert.equal(problem?.field, 'sitemaps')
    const private_ = Array.from({ length: 3000 }, (_, i) => `10.${i >> 8}.${i & 255}.1`)
    const before = process.cpuUsage()
    const guarded = { urls: private_.map((address) => `http://${address}/`), settings: { allow: private_ } }
    assert.deepEqual((await api.client.checkCrawl({ body: guarded })).problems, [])
    const { user } = process.cpuUsage(before)
    assert.ok(user < 5_000_000, `3,000 start URLs and allowed addresses took ${user} us`)
    const { problems, seeds } = await api.client.checkCrawl({ body })
    assert.equal(problems.length, 3)
    assert.deepEqual(seeds, [])
    const good = await api.client.checkCrawl({ body: { urls: ['http://a.test/#x', 'http://b.test'] } })
    assert.deepEqual(good, { problems: [], seeds: ['http://a.test/', 'http://b.test/'], estimate: null })
    const near = await api.client.checkCrawl({ body: { url: 'http://localhost:81/' } })
    assert.match(near.problems[0]?.message ?? '', /not at a public address: allow_private/)
    const allowed = await api.client.checkCrawl({
      body: { url: 'http://127.0.0.1/', settings: { allow: ['127.0.0.1'] } },
    })
    assert.deepEqual(allowed.problems, [])
  })

  it('are paused, resumed, changed, cancelled and removed', async () => {
    const { crawl_id: id } = await api.client.createCrawl({ body: { url: 'http://steer.test/' } })
    const params = { crawl_id: id }
    assert.equal((await api.client.pauseCrawl({ params })).status, 'paused')
    assert.equal((await api.client.resumeCrawl({ params })).status, 'running')
    const changed = await api.client.changeCrawl({
      params,
      body: { settings: { max_pages: 7, delay: 250, exclude: ['/x'] } },
    })
    const { max_pages, delay, exclude, depth } = changed.settings
    assert.deepEqual({ max_pages, delay, exclude, depth }, { max_pages: 7, delay: 250, exclude: ['/x'], depth: null })
    await assert.rejects(
      api.client.changeCrawl({ params, body: { settings: { scope: 'any' } } }),
      refusal('SETTING_FIXED'),
    )
    for (const settings of [{ delay: -1 }, { exclude: ['(?!a)'] }]) {
      await assert.rejects(api.client.changeCrawl({ params, body: { settings } }), refusal('BAD_CONFIG'))
    }
    assert.equal((await api.client.cancelCrawl({ params })).status, 'cancelled')
    await assert.rejects(api.client.pauseCrawl({ params }), refusal('CRAWL_CLOSED'))
    await assert.rejects(api.client.resumeCrawl({ params }), refusal('NOTHING_TO_RESUME'))
    assert.equal(await api.client.deleteCrawl({ params }), undefined)
    await assert.rejects(api.client.getCrawl({ params }), refusal('CRAWL_NOT_FOUND'))
  })

  it('do not show what is in the headers that they send', async () => {
    const settings = { header: ['Authorization: Bearer s3cret', 'X-Team: blue'] }
    const made = await api.client.createCrawl({ body: { url: 'http://hidden.test/', settings } })
    const params = { crawl_id: made.crawl_id }
    for (const told of [made, await api.client.getCrawl({ params }), await api.client.rerunCrawl({ params })]) {
      assert.deepEqual(told.settings['header'], ['Authorization: ***', 'X-Team: ***'])
      const { settings: kept } = await api.runtime.crawls.find(told.crawl_id)
      assert.deepEqual(kept.headers, settings.header)
      await api.runtime.crawls.close(told.crawl_id, 'cancelled')
    }
  })

  it('are not run again from a sitemap that a site named', async (t) => {
    const site = await servePlainSite(t, (path) => {
      if (path === '/robots.txt') return 'User-agent: *\nSitemap: http://127.0.0.1:1/other.xml'
      return path === '/map.xml' ? '<urlset></urlset>' : null
    })
    const settings = { allow_private: true, delay: 0, retries: 0, cooldown: 0 }
    const sitemaps = [`${site.origin}/map.xml`]
    const made = await api.client.createCrawl({ body: { sitemaps, settings } })
    const runningCrawl = await api.runtime.startCrawl(await api.runtime.crawls.find(made.crawl_id))
    await runningCrawl.run(new Promise<never>(() => undefined))
    const again = await api.client.rerunCrawl({ params: { crawl_id: made.crawl_id } })
    assert.deepEqual(again.seeds, sitemaps)
    await api.runtime.crawls.close(again.crawl_id, 'cancelled')
  })

  it('are not paused while they end', async () => {
    const { crawl_id: id } = await api.client.createCrawl({ body: { url: 'http://ending.test/' } })
    const params = { crawl_id: id }
    // A worker has its url in hand, so it cannot end at once.
    const frontier = api.runtime.store.client.service<Frontier>('frontier')
    const room = { maxUrls: 1, maxHosts: 1, slotsPerHost: 1, topUp: [], patternsVersion: 0 }
    assert.equal((await frontier.lease({ crawlId: id, workerId: 'w', ...room })).leases.length, 1)
    const { status, reason, eta_seconds } = await api.client.cancelCrawl({ params })
    assert.deepEqual([status, reason, eta_seconds], ['running', 'cancelled', null])
    await assert.rejects(api.client.pauseCrawl({ params }), refusal('CRAWL_CLOSED'))
  })

  it('are run again from the same start urls with the same settings', async () => {
    const again = await api.client.rerunCrawl({ params: { crawl_id } })
    assert.notEqual(again.crawl_id, crawl_id)
    assert.deepEqual(again.seeds, crawl.seeds)
    const { settings } = await api.client.getCrawl({ params: { crawl_id } })
    assert.deepEqual(again.settings, settings)
    await api.client.cancelCrawl({ params: { crawl_id: again.crawl_id } })
    await assert.rejects(api.client.rerunCrawl({ params: NOBODY }), refusal('CRAWL_NOT_FOUND'))
  })

  it('say what holds them up', async () => {
    const answer = await api.client.getBottleneck({ params: { crawl_id } })
    assert.deepEqual([answer.cause, answer.explanation], [null, 'The crawl is completed.'])
  })

  it('are compared url by url', async () => {
    const { crawl_id: other } = await api.client.createCrawl({
      body: { url: `${crawl.rootUrl}only-here`, settings: { allow_private: true } },
    })
    const same = await api.client.compareCrawls({ query: { a: crawl_id, b: crawl_id } })
    assert.deepEqual([same.items.length, same.added, same.removed, same.changed], [0, 0, 0, 0])
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query = { a: crawl_id, b: other, limit: 7, ...(cursor === null ? {} : { cursor }) }
      const page = await api.client.compareCrawls({ query })
      assert.equal(page.added, 1)
      seen.push(...page.items.map(({ url }) => url))
      cursor = page.next_cursor
    } while (cursor !== null)
    assert.equal(seen.length, same.same + 1)
    assert.equal(new Set(seen).size, seen.length)
    await assert.rejects(api.client.compareCrawls({ query: { a: crawl_id, b: 'x' } }), refusal('CRAWL_NOT_FOUND'))
    await api.client.cancelCrawl({ params: { crawl_id: other } })
  })
})

describe('urls', () => {
  it('are listed whole in pages', async () => {
    const seen: number[] = []
    let cursor: string | null = null
    do {
      const query = { limit: 4, ...(cursor === null ? {} : { cursor }) }
      const page = await api.client.listUrls({ params: { crawl_id }, query })
      seen.push(...page.items.map(({ url_id }) => url_id))
      cursor = page.next_cursor
    } while (cursor !== null)
    const { total } = await api.client.getCrawl({ params: { crawl_id } })
    assert.equal(new Set(seen).size, total)
    const missing = await api.client.listUrls({ params: { crawl_id }, query: { state: ['not_found', 'forbidden'] } })
    assert.ok(missing.items.length > 0 && missing.items.every(({ state }) => state !== 'visited'))
    const some = await api.client.listUrls({ params: { crawl_id }, query: { status: '4xx' } })
    assert.ok(
      some.items.length > 0 && some.items.every(({ http_status }) => Math.floor((http_status ?? 0) / 100) === 4),
    )
    const query = { cursor: 'nonsense' }
    await assert.rejects(api.client.listUrls({ params: { crawl_id }, query }), refusal('BAD_CURSOR'))
    await assert.rejects(api.client.listUrls({ params: NOBODY }), refusal('CRAWL_NOT_FOUND'))
  })

  it('have a record of all that happened to them', async () => {
    const { items } = await api.client.listUrls({ params: { crawl_id }, query: { state: 'visited', limit: 1 } })
    const url_id = items[0]?.url_id ?? 0
    const record = await api.client.getUrl({ params: { crawl_id, url_id } })
    assert.equal(record.url.url_id, url_id)
    assert.equal(record.explanation.is_known, true)
    assert.equal(record.lineage.at(-1)?.url_id, url_id)
    assert.ok(record.visits.length > 0 && record.pages.length > 0)
    assert.equal(record.robots.is_allowed, true)
    await assert.rejects(api.client.getUrl({ params: { crawl_id, url_id: 999_999 } }), refusal('URL_NOT_FOUND'))
  })

  it('are explained step by step, known or not', async () => {
    const params = { crawl_id }
    const known = await api.client.explainUrl({ params, query: { url: crawl.rootUrl } })
    assert.equal(known.is_known, true)
    assert.match(known.answer, /visited/)
    const outside = await api.client.explainUrl({ params, query: { url: 'http://elsewhere.test/' } })
    assert.equal(outside.is_known, false)
    assert.equal(outside.steps.find(({ outcome }) => outcome === 'refused')?.step, 'scope')
    const unheard = await api.client.explainUrl({ params, query: { url: `${crawl.rootUrl}nobody-links-here` } })
    assert.equal(unheard.is_known, false)
    assert.ok(
      unheard.steps.every(({ outcome }) => outcome !== 'refused'),
      JSON.stringify(unheard.steps),
    )
    const deep = await api.client.explainUrl({ params, query: { url: `${crawl.rootUrl}${'a/b/'.repeat(20)}` } })
    assert.equal(deep.steps.find(({ outcome }) => outcome === 'refused')?.step, 'shape')
    await assert.rejects(api.client.explainUrl({ params, query: { url: 'mailto:a@b.test' } }), refusal('BAD_SEED'))
  })

  it('are queued again by state, if any is in it', async () => {
    const { crawl_id: id } = await api.client.createCrawl({ body: { url: 'http://retry.test/' } })
    await api.client.pauseCrawl({ params: { crawl_id: id } })
    const { queued } = await api.client.retryUrls({ params: { crawl_id: id }, body: { state: 'failed' } })
    assert.equal(queued, 0)
    await api.client.cancelCrawl({ params: { crawl_id: id } })
  })
})

describe('an export', () => {
  const read = async (query: Record<string, string | number>) => {
    const response = await api.client.exportCrawl({ params: { crawl_id }, query })
    return { type: response.headers.get('content-type'), text: await response.text(), response }
  }

  it('has every url, in every format', async () => {
    const { total } = await api.client.getCrawl({ params: { crawl_id } })
    const lines = (await read({ format: 'jsonl' })).text.trim().split('\n')
    assert.equal(lines.length, total)
    assert.equal((JSON.parse((await read({ format: 'json' })).text) as unknown[]).length, total)
    const csv = await read({ format: 'csv' })
    assert.match(csv.type ?? '', /^text\/csv/)
    assert.equal(csv.text.trim().split('\r\n').length, total + 1)
    assert.equal((await read({ format: 'graphml' })).text.match(/<node /g)?.length, total)
    const kept = (await read({ format: 'pages.jsonl' })).text.trim().split('\n')
    assert.ok(kept.length > 10)
    assert.match(csv.response.headers.get('content-disposition') ?? '', /^attachment; filename="[\w-]+\.csv"$/)
  })

  it('goes on behind a url, and may be of some urls only', async () => {
    const all = (await read({ format: 'csv' })).text.trim().split('\r\n')
    const [, , third = ''] = all
    const rest = (await read({ format: 'csv', after: Number.parseInt(third, 10) })).text.trim().split('\r\n')
    assert.deepEqual(rest, all.slice(3))
    const missing = (await read({ format: 'jsonl', state: 'not_found' })).text.trim().split('\n')
    assert.ok(missing.every((line) => (JSON.parse(line) as { state: string }).state === 'not_found'))
    await assert.rejects(read({ format: 'json', after: 3 }), refusal('BAD_REQUEST'))
    await assert.rejects(read({ format: 'warc', state: 'visited' }), refusal('BAD_REQUEST'))
  })

  it('of records is a file of WARC', async () => {
    const response = await api.client.exportCrawl({ params: { crawl_id }, query: { format: 'warc' } })
    const bytes = Buffer.from(await response.arrayBuffer())
    assert.match(gunzipSync(bytes).toString('latin1', 0, 40), /^WARC\/1\.1/)
  })
})

describe('insight', () => {
  it('adds up', async () => {
    const { total, states } = await api.client.getCrawl({ params: { crawl_id } })
    const stats = await api.client.getStats({ params: { crawl_id } })
    assert.deepEqual(stats.states, states)
    assert.equal(
      stats.depths.reduce((sum, { count }) => sum + count, 0),
      total,
    )
    await assert.rejects(api.client.getStats({ params: NOBODY }), refusal('CRAWL_NOT_FOUND'))
  })

  it('has the link graph, as urls or as groups', async () => {
    const { total } = await api.client.getCrawl({ params: { crawl_id } })
    const urls = await api.client.getGraph({ params: { crawl_id } })
    assert.deepEqual([urls.group, urls.nodes.length, urls.is_complete], ['url', total, true])
    assert.ok(urls.edges.length > 10)
    const groups = await api.client.getGraph({ params: { crawl_id }, query: { limit: 5 } })
    assert.equal(groups.group, 'path')
    const newer = await api.client.getGraph({ params: { crawl_id }, query: { since: urls.version } })
    assert.deepEqual(newer.nodes, [])
    await assert.rejects(api.client.getGraph({ params: { crawl_id }, query: { since: 'x' } }), refusal('BAD_CURSOR'))
  })

  it('names what went wrong, and how bad that is', async () => {
    const { items, counts } = await api.client.listErrors({ params: { crawl_id } })
    assert.ok(items.length > 0 && counts.length > 0)
    assert.ok(items.every(({ severity, state }) => (severity === 'error') === (state === 'failed')))
  })

  it('tells how hosts were treated', async () => {
    const { items } = await api.client.listHosts({ params: { crawl_id } })
    const host = new URL(crawl.rootUrl).host
    assert.deepEqual(
      items.map((item) => item.host),
      [host],
    )
    const { items: manners } = await api.client.getPoliteness({ params: { crawl_id } })
    assert.ok(manners.some((row) => row.host === host && row.requests > 10))
    const rest = { params: { crawl_id }, query: { cursor: 'x' } }
    await assert.rejects(api.client.getPoliteness(rest), refusal('BAD_CURSOR'))
    const none = await api.client.getPoliteness({ params: { crawl_id }, query: { text: 'nowhere', limit: 1 } })
    assert.deepEqual(none, { items: [], next_cursor: null, total: null })
    assert.deepEqual((await api.client.listTraps({ params: { crawl_id } })).items, [])
    const body = { pattern: 'nothing/like/this' }
    await assert.rejects(api.client.releaseTrap({ params: { crawl_id }, body }), refusal('PATTERN_NOT_FOUND'))
  })

  it('blocks and releases hosts', async () => {
    const { crawl_id: id } = await api.client.createCrawl({ body: { url: 'http://block.test:8080/' } })
    await api.client.pauseCrawl({ params: { crawl_id: id } })
    const params = { crawl_id: id, host: 'block.test:8080' }
    assert.deepEqual(await api.client.blockHost({ params }), { host: params.host, is_blocked: true, urls: 1 })
    const why = await api.client.explainUrl({ params, query: { url: 'http://block.test:8080/' } })
    assert.equal(why.steps.find(({ step }) => step === 'host')?.outcome, 'refused')
    const unknown = { crawl_id: id, host: 'nowhere.test' }
    await assert.rejects(api.client.releaseHost({ params: unknown }), refusal('HOST_NOT_FOUND'))
  })
})
