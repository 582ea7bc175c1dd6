// Headers, proxies, credentials and cookies of crawls: stored, but never shown.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { givenCookies } from '../../engine/fetch/cookies/cookie-jar.ts'
import type { Cookies } from '../../ports/cookies.ts'
import { hasCode } from '../testing/has-code.ts'
import { startTestApi, type TestApi } from '../testing/test-api.ts'

let api: TestApi

before(async () => {
  api = await startTestApi()
})
after(() => api.close())

describe('crawls with secrets', () => {
  it('do not show the values of custom headers', async () => {
    const settings = { header: ['Authorization: Bearer s3cret', 'X-Team: blue'] }
    const created = await api.client.createCrawl({ body: { url: 'http://hidden.test/', settings } })
    const params = { crawl_id: created.crawl_id }
    for (const shown of [created, await api.client.getCrawl({ params }), await api.client.rerunCrawl({ params })]) {
      assert.deepEqual(shown.settings['header'], ['Authorization: ***', 'X-Team: ***'])
      const { settings: stored } = await api.runtime.crawls.find(shown.crawl_id)
      assert.deepEqual(stored.headers, settings.header)
      await api.runtime.crawls.close(shown.crawl_id, 'cancelled')
    }
  })

  it('start from another crawl with its settings, including secrets, except for those that change', async () => {
    const header = ['http://a.test Authorization: secret']
    const { crawl_id } = await api.client.createCrawl({
      body: { url: 'http://a.test', settings: { header, depth: 3, delay: 900 } },
    })
    const changed = await api.client.createCrawl({
      body: { from: crawl_id, url: 'http://b.test', settings: { depth: 5 } },
    })
    assert.deepEqual(
      [changed.settings['depth'], changed.settings['delay'], changed.seeds],
      [5, 900, ['http://b.test/']],
    )
    const stored = await api.runtime.crawls.progress(changed.crawl_id)
    assert.deepEqual(stored.crawl.settings.headers, header)
    const missing = { body: { from: 'nobody', url: 'http://b.test' } }
    await assert.rejects(api.client.createCrawl(missing), hasCode('CRAWL_NOT_FOUND'))
    for (const id of [crawl_id, changed.crawl_id]) await api.client.cancelCrawl({ params: { crawl_id: id } })
  })

  it('show no secrets, and keep those that come back masked', async () => {
    const settings = {
      proxy: ['http://me:geheim@proxy.test:1', 'b.test=direct'],
      auth: ['a.test=me:geheim'],
      cookie: ['sid=geheim; Domain=a.test'],
    }
    const created = await api.client.createCrawl({ body: { url: 'http://you:geheim@a.test/', settings } })
    const params = { crawl_id: created.crawl_id }
    const shown = await api.client.getCrawl({ params })
    assert.doesNotMatch(JSON.stringify([created, shown]), /geheim/)
    assert.deepEqual(shown.settings['proxy'], ['http://***@proxy.test:1', 'b.test=direct'])
    assert.deepEqual(shown.settings['auth'], ['a.test=***', 'http://a.test=***'])
    const proxy = ['http://***@proxy.test:1', 'socks5h://other.test:1']
    await api.client.changeCrawl({ params, body: { settings: { proxy } } })
    const { crawl } = await api.runtime.crawls.progress(created.crawl_id)
    assert.deepEqual(crawl.settings.proxies, ['http://me:geheim@proxy.test:1', 'socks5h://other.test:1'])
    assert.deepEqual(crawl.settings.auth, ['a.test=me:geheim', 'http://a.test=you:geheim'])
    const users = ['http://one:geheim@proxy.test:1', 'http://two:geheim@proxy.test:1']
    await api.client.changeCrawl({ params, body: { settings: { proxy: users } } })
    const twice = { proxy: ['http://***@proxy.test:1', 'http://***@proxy.test:1', 'http://new.test:1'] }
    await api.client.changeCrawl({ params, body: { settings: twice } })
    const copy = await api.client.createCrawl({
      body: { from: created.crawl_id, url: 'http://a.test', settings: twice },
    })
    for (const id of [created.crawl_id, copy.crawl_id]) {
      const { crawl } = await api.runtime.crawls.progress(id)
      assert.deepEqual(crawl.settings.proxies, [...users, 'http://new.test:1'])
    }
    await api.client.cancelCrawl({ params: { crawl_id: copy.crawl_id } })
    for (const wrong of [{ proxy: ['http://***@new.test:1'] }, { cookie: ['sid=***; Domain=b.test'] }])
      await assert.rejects(api.client.changeCrawl({ params, body: { settings: wrong } }), hasCode('BAD_CONFIG'))
    for (const wrong of [{ proxy: ['ftp://me:geheim@p'] }, { auth: ['geheim'] }, { cookie: ['sid=geheim'] }])
      await assert.rejects(
        api.client.createCrawl({ body: { url: 'http://a.test/', settings: wrong } }),
        (error: Error) => !JSON.stringify([error.message, error]).includes('geheim'),
      )
    await api.client.cancelCrawl({ params })
  })

  it('send a cookie that is given anew, even if the site has replaced it', async () => {
    const cookie = ['sid=old; Domain=a.test', 'other=1; Domain=a.test']
    const { crawl_id } = await api.client.createCrawl({ body: { url: 'http://a.test/', settings: { cookie } } })
    const cookies = api.runtime.store.client.service<Cookies>('cookies')
    const [anonymous] = givenCookies(['sid=anonymous; Domain=a.test'], 0)
    assert.ok(anonymous)
    const { version } = await cookies.exchange({ crawlId: crawl_id, changes: [anonymous], since: 0 })
    const lines = [...cookie.slice(1), 'sid=new; Domain=a.test', 'sid=newer; Domain=a.test']
    await api.client.changeCrawl({ params: { crawl_id }, body: { settings: { cookie: lines } } })
    const { cookies: changed } = await cookies.exchange({ crawlId: crawl_id, changes: [], since: version })
    assert.deepEqual(
      changed.map(({ name, value }) => `${name}=${value}`),
      ['sid=newer'],
    )
    await api.client.cancelCrawl({ params: { crawl_id } })
  })
})
