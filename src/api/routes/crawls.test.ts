// The routes that create, list and control crawls, on a generated site: the response and each documented error.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { servePlainSite } from '../../../test/sites/plain-site.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { Frontier } from '../../ports/frontier.ts'
import { ApiError } from '../client.ts'
import type { Problem } from '../http/problem.ts'
import { hasCode } from '../testing/has-code.ts'
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

const NOBODY = { crawl_id: 'nobody' }

/** The names of the rejected fields. */
async function fieldsOf(method: string, path: string, body: unknown): Promise<string[]> {
  const headers = { 'content-type': 'application/json' }
  const response = await api.request(path, { method, headers, body: JSON.stringify(body) })
  return ((await response.json()) as Problem).fields?.map(({ field }) => field).sort() ?? []
}

describe('crawls', () => {
  it('start without a scheme by the one that connects', async (t) => {
    const site = await servePlainSite(t, () => 'page')
    const settings = { allow_private: true }
    const created = await api.client.createCrawl({ body: { url: new URL(site.origin).host, settings } })
    assert.equal(created.root_url, `${site.origin}/`)
    const { seeds, problems } = await api.client.checkCrawl({ body: { url: 'example.com/a', estimate: false } })
    assert.deepEqual([seeds, problems], [['https://example.com/a'], []])
    await api.client.cancelCrawl({ params: { crawl_id: created.crawl_id } })
  })

  it('of an older version with patterns that are no longer valid are shown, and resume after a change', async () => {
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
    await assert.rejects(api.client.resumeCrawl({ params }), hasCode('BAD_CONFIG'))
    await assert.rejects(api.client.rerunCrawl({ params }), hasCode('BAD_CONFIG'))
    await api.client.changeCrawl({ params, body: { settings: { exclude: ['/private/'] } } })
    assert.equal((await api.client.resumeCrawl({ params })).status, 'running')
    await api.client.cancelCrawl({ params })
    await api.client.deleteCrawl({ params })
  })

  it('are returned with all their counters', async () => {
    const shown = await api.client.getCrawl({ params: { crawl_id } })
    assert.equal(shown.status, 'completed')
    assert.equal(shown.total, shown.completed + shown.failed)
    assert.equal(shown.pending + shown.in_progress, 0)
    assert.deepEqual(shown.seeds, crawl.seeds)
    assert.equal(shown.settings['allow_private'], true)
    assert.ok(shown.finished_at !== null && shown.bytes > 0 && shown.pages > 0)
    await assert.rejects(api.client.getCrawl({ params: NOBODY }), hasCode('CRAWL_NOT_FOUND'))
  })

  it('are found only by their full id', async () => {
    await assert.rejects(
      api.client.getCrawl({ params: { crawl_id: crawl_id.slice(0, 8) } }),
      hasCode('CRAWL_NOT_FOUND'),
    )
  })

  it('are listed newest first, in pages without gaps or repetitions', async () => {
    const createdIds: string[] = []
    for (let i = 0; i < 5; i++) {
      createdIds.push((await api.client.createCrawl({ body: { url: `http://list-${i}.test/` } })).crawl_id)
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
    assert.deepEqual(seen, createdIds.toReversed())
    assert.equal((await api.client.listCrawls({ query: { text: 'list-' } })).total, 5)
    const completed = await api.client.listCrawls({ query: { status: 'completed' } })
    assert.deepEqual(
      completed.items.map((item) => item.crawl_id),
      [crawl_id],
    )
    await assert.rejects(api.client.listCrawls({ query: { cursor: 'bm9uc2Vuc2U' } }), hasCode('BAD_CURSOR'))
    for (const id of createdIds) await api.client.cancelCrawl({ params: { crawl_id: id } })
  })

  it('are created with settings validated like those of the command line, with all problems at once', async () => {
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
    await assert.rejects(api.client.createCrawl({ body: { url: 'ftp://a.test/' } }), hasCode('BAD_SEED'))
    await assert.rejects(api.client.createCrawl({ body: {} }), hasCode('BAD_SEED'))
    const excluded = { url: 'http://a.test/', settings: { exclude: ['a.test'] } }
    await assert.rejects(api.client.createCrawl({ body: excluded }), hasCode('BAD_CONFIG'))
    const endless = { url: `http://${'a'.repeat(60)}.test/!`, settings: { exclude: ['^http://(a+)+$'] } }
    assert.deepEqual((await api.client.checkCrawl({ body: endless })).problems, [])
    const impossible = { url: 'http://a.test/', settings: { exclude: ['/(?!docs/)'] } }
    await assert.rejects(api.client.createCrawl({ body: impossible }), hasCode('BAD_CONFIG'))
    const named = { ...body, settings: Object.fromEntries(Array.from({ length: 80_000 }, (_, i) => [`n${i}`, 1])) }
    assert.ok((await fieldsOf('POST', '/api/v1/crawls/check', named)).length <= 100)
    const long = { ...body, settings: { ['x'.repeat(900_000)]: 1, exclude: ['x'.repeat(900_000)] } }
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${api.tokens.read}` }
    const shown = await api.request('/api/v1/crawls/check', { method: 'POST', headers, body: JSON.stringify(long) })
    assert.ok((await shown.text()).length < 2_000)
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
    const seedsFound = ['http://a.test/', 'http://b.test/']
    assert.deepEqual(good, { problems: [], seeds: seedsFound, next_runs: [], estimate: null })
    const near = await api.client.checkCrawl({ body: { url: 'http://localhost:81/' } })
    assert.match(near.problems[0]?.message ?? '', /is not public\. Allow .* with allow_private/)
    assert.deepEqual(near.problems[0]?.fixes, [{ kind: 'allow', address: 'localhost' }])
    const six = await api.client.checkCrawl({ body: { url: 'http://[::1]/' } })
    assert.deepEqual(six.problems[0]?.fixes, [{ kind: 'allow', address: '::1' }])
    const typo = await api.client.checkCrawl({ body: { urls: ['a.test', 'htp://b.test'] } })
    assert.deepEqual(typo.problems[0]?.fixes, [{ kind: 'use_url', given: 'htp://b.test', url: 'http://b.test' }])
    const allowed = await api.client.checkCrawl({
      body: { url: 'http://127.0.0.1/', settings: { allow: ['127.0.0.1'] } },
    })
    assert.deepEqual(allowed.problems, [])
  })

  it('explain which proxy a URL is requested through, without its password', async () => {
    const proxy = ['http://u:geheim@one:3128', 'http://two:3128', 'b.test=socks5://three', 'c.test=direct', 'env']
    const { crawl_id: id } = await api.client.createCrawl({ body: { url: 'http://a.test/', settings: { proxy } } })
    const params = { crawl_id: id }
    const explain = async (url: string) =>
      (await api.client.explainUrl({ params, query: { url } })).steps.find(({ step }) => step === 'proxy')?.detail
    assert.equal(
      await explain('http://a.test/'),
      'It is requested through the proxies http://one:3128, http://two:3128, which take turns.',
    )
    assert.equal(await explain('http://b.test/'), 'It is requested through the proxy socks5://three:1080.')
    assert.equal(await explain('http://c.test/'), 'It is requested directly, without a proxy.')
    await api.client.changeCrawl({ params, body: { settings: { proxy: ['env'] } } })
    assert.match((await explain('http://a.test/')) ?? '', /^It is requested through the proxy that the worker's env/)
    await api.client.changeCrawl({ params, body: { settings: { proxy: [] } } })
    assert.equal(await explain('http://a.test/'), undefined)
    await api.client.cancelCrawl({ params })
    await api.client.deleteCrawl({ params })
  })

  it('are paused, resumed, changed, cancelled and removed', async () => {
    const { crawl_id: id } = await api.client.createCrawl({ body: { url: 'http://control.test/' } })
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
      hasCode('SETTING_FIXED'),
    )
    for (const settings of [{ delay: -1 }, { exclude: ['(?!a)'] }, { cookie: ['a=1; Domain=com'] }]) {
      await assert.rejects(api.client.changeCrawl({ params, body: { settings } }), hasCode('BAD_CONFIG'))
    }
    assert.equal((await api.client.cancelCrawl({ params })).status, 'cancelled')
    await assert.rejects(api.client.pauseCrawl({ params }), hasCode('CRAWL_CLOSED'))
    await assert.rejects(api.client.resumeCrawl({ params }), hasCode('NOTHING_TO_RESUME'))
    assert.equal(await api.client.deleteCrawl({ params }), undefined)
    await assert.rejects(api.client.getCrawl({ params }), hasCode('CRAWL_NOT_FOUND'))
  })

  it('that visit their URLs again watch until they are completed', async (t) => {
    const site = await servePlainSite(t, (path) => (path === '/' ? '<p>Home' : null))
    const settings = { allow_private: true, delay: 0, retries: 0, ignore_robots: true }
    const { crawl_id: id } = await api.client.createCrawl({ body: { url: `${site.origin}/`, settings } })
    const params = { crawl_id: id }
    const runningCrawl = await api.runtime.startCrawl(await api.runtime.crawls.find(id))
    await runningCrawl.run(new Promise<never>(() => undefined))
    const changeTo = (recrawl: string) => api.client.changeCrawl({ params, body: { settings: { recrawl } } })
    await assert.rejects(changeTo('sometimes'), hasCode('BAD_CONFIG'))
    await assert.rejects(changeTo('off'), hasCode('CRAWL_CLOSED'))
    const changed = await changeTo('6h')
    assert.deepEqual([changed.status, changed.settings['recrawl']], ['watching', '6h'])
    assert.deepEqual([changed.settings['recrawl_min'], changed.settings['recrawl_max']], ['15m', '30d'])
    await api.runtime.revisits.requeueDue(10)
    const { next_visit_at, status } = await api.client.getCrawl({ params })
    assert.equal(status, 'watching')
    assert.ok(next_visit_at !== null && Date.parse(next_visit_at) > Date.now() + 5 * 3_600_000)
    const [listed] = (await api.client.listCrawls({ query: { status: 'watching' } })).items
    assert.equal(listed?.crawl_id, id)
    const explainRevisit = async () => {
      const { steps } = await api.client.explainUrl({ params, query: { url: changed.root_url } })
      return steps.find(({ step }) => step === 'revisit')?.detail
    }
    assert.match((await explainRevisit()) ?? '', /^Its next visit is due at \d{4}-\d\d-\d\d \d\d:\d\d UTC\./)
    const completed = await api.client.completeCrawl({ params })
    assert.deepEqual([completed.status, completed.reason], ['completed', 'completed_by_user'])
    assert.equal(completed.next_visit_at, null)
    assert.equal(await explainRevisit(), undefined)
    await assert.rejects(api.client.completeCrawl({ params }), hasCode('CRAWL_CLOSED'))
  })

  it('with a schedule say when they run next', async () => {
    const settings = { schedule: '0 3 * * *', time_zone: 'Europe/Berlin' }
    const body = { url: 'http://nightly.test/', settings }
    const { next_runs: runs, crawl_id: id } = await api.client.createCrawl({ body })
    assert.deepEqual((await api.client.checkCrawl({ body })).next_runs, runs)
    const hours = runs.map((at) => new Date(at).toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' }))
    assert.deepEqual(hours, ['03:00:00', '03:00:00', '03:00:00'])
    await api.runtime.crawls.close(id, 'cancelled')
    const invalid = { url: 'http://nightly.test/', settings: { schedule: 'nightly', time_zone: 'Mars' } }
    const { problems } = await api.client.checkCrawl({ body: invalid })
    assert.deepEqual(problems.map(({ message }) => message).sort(), [
      'It must be a cron expression of five fields, such as "0 3 * * *" (daily at 3:00); it has 1 field; it is "nightly".',
      'It must be a time zone, such as Europe/Berlin or UTC; it is "Mars".',
    ])
  })

  it('are not rerun from a sitemap named by a site', async (t) => {
    const site = await servePlainSite(t, (path) => {
      if (path === '/robots.txt') return 'User-agent: *\nSitemap: http://127.0.0.1:1/other.xml'
      return path === '/map.xml' ? '<urlset></urlset>' : null
    })
    const settings = { allow_private: true, delay: 0, retries: 0, cooldown: 0 }
    const sitemaps = [`${site.origin}/map.xml`]
    const created = await api.client.createCrawl({ body: { sitemaps, settings } })
    const runningCrawl = await api.runtime.startCrawl(await api.runtime.crawls.find(created.crawl_id))
    await runningCrawl.run(new Promise<never>(() => undefined))
    const again = await api.client.rerunCrawl({ params: { crawl_id: created.crawl_id } })
    assert.deepEqual(again.seeds, sitemaps)
    await api.runtime.crawls.close(again.crawl_id, 'cancelled')
  })

  it('cannot be paused while they are ending', async () => {
    const { crawl_id: id } = await api.client.createCrawl({ body: { url: 'http://ending.test/' } })
    const params = { crawl_id: id }
    // A worker has leased its URL, so it cannot end immediately.
    const frontier = api.runtime.store.client.service<Frontier>('frontier')
    const capacity = { maxUrls: 1, maxHosts: 1, slotsPerHost: 1, topUp: [], patternsVersion: 0 }
    assert.equal((await frontier.lease({ crawlId: id, threadId: 'w', ...capacity })).leases.length, 1)
    const { status, reason, eta_seconds } = await api.client.cancelCrawl({ params })
    assert.deepEqual([status, reason, eta_seconds], ['running', 'cancelled', null])
    await assert.rejects(api.client.pauseCrawl({ params }), hasCode('CRAWL_CLOSED'))
  })

  it('are rerun from the same start URLs with the same settings', async () => {
    const again = await api.client.rerunCrawl({ params: { crawl_id } })
    assert.notEqual(again.crawl_id, crawl_id)
    assert.deepEqual(again.seeds, crawl.seeds)
    const { settings } = await api.client.getCrawl({ params: { crawl_id } })
    assert.deepEqual(again.settings, settings)
    await api.client.cancelCrawl({ params: { crawl_id: again.crawl_id } })
    await assert.rejects(api.client.rerunCrawl({ params: NOBODY }), hasCode('CRAWL_NOT_FOUND'))
  })

  it('explain what limits them', async () => {
    const bottleneck = await api.client.getBottleneck({ params: { crawl_id } })
    assert.deepEqual([bottleneck.cause, bottleneck.explanation], [null, 'The crawl is completed.'])
  })

  it('are compared URL by URL', async () => {
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
    await assert.rejects(api.client.compareCrawls({ query: { a: crawl_id, b: 'x' } }), hasCode('CRAWL_NOT_FOUND'))
    await api.client.cancelCrawl({ params: { crawl_id: other } })
  })
})
