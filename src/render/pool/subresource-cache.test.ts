import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import type { SubresourceRequest, SubresourceResponse } from '../../ports/renderer.ts'
import { SubresourceCache } from './subresource-cache.ts'

const REQUEST: SubresourceRequest = {
  url: 'https://site.test/app.js',
  method: 'GET',
  type: 'Script',
  headers: [],
  body: null,
  pageUrl: 'https://site.test/',
  validators: null,
}
const RESPONSE: SubresourceResponse = {
  status: 200,
  headers: [],
  body: Buffer.from('code'),
  isFromCache: false,
  blockedReason: null,
  gapMs: 0,
}
const HOUR_MS = 3_600_000

function harness(response: (request: SubresourceRequest) => Partial<SubresourceResponse> = () => ({})) {
  const clock = new ManualClock(0)
  const requests: SubresourceRequest[] = []
  const cache = new SubresourceCache(2000, clock)
  const fetch = (request: Partial<SubresourceRequest> = {}, crawl = 'one') =>
    cache.fetch(crawl, { ...REQUEST, ...request }, async (wanted) => {
      requests.push(wanted)
      return { ...RESPONSE, ...response(wanted) }
    })
  return { clock, requests, fetch, cache }
}

describe('the cache of subresources', () => {
  it('requests a script once, whatever its headers say about freshness', async () => {
    const { fetch, requests } = harness(() => ({ headers: [['Cache-Control', 'no-cache, max-age=0']] }))
    assert.equal((await fetch()).isFromCache, false)
    const again = await fetch()
    assert.deepEqual([again.isFromCache, Buffer.from(again.body).toString()], [true, 'code'])
    assert.equal(requests.length, 1)
  })

  it('lets a browser keep scripts that stay fresh', async () => {
    const control = async (type: SubresourceRequest['type'], value: string) => {
      const headers: [string, string][] = [
        ['Date', 'Thu, 01 Jan 1970 00:00:00 GMT'],
        ['Cache-Control', value],
      ]
      return Object.fromEntries((await harness(() => ({ headers })).fetch({ type })).headers)
    }
    assert.deepEqual(await control('Script', 'no-cache'), { 'cache-control': 'max-age=600' })
    assert.equal((await control('Script', 'no-store'))['Cache-Control'], 'no-store')
    assert.equal((await control('Stylesheet', 'no-cache'))['Cache-Control'], 'no-cache')
  })

  it('forgets a crawl, also what is on its way, and no other', async () => {
    const { fetch, requests, cache } = harness()
    await fetch({}, 'two')
    await fetch()
    const onItsWay = fetch({ url: 'https://site.test/other.js' })
    cache.forget('one')
    await onItsWay
    for (const url of [REQUEST.url, 'https://site.test/other.js'])
      assert.equal((await fetch({ url })).isFromCache, false, url)
    assert.equal((await fetch({}, 'two')).isFromCache, true)
    assert.equal(requests.length, 5)
  })

  it('keeps what pages of the same site get apart from what those of others get', async () => {
    const { fetch, requests } = harness()
    const ask = async (pageUrl: string) => (await fetch({ pageUrl })).isFromCache
    assert.equal(await ask('https://www.site.test/'), false)
    assert.equal(await ask('https://evil.test/'), false)
    assert.equal(await ask('https://other.test/'), true)
    assert.equal(await ask('https://site.test/x'), true)
    assert.equal(requests.length, 2)
  })

  it('keeps data apart by what the page accepts and by its origin, and files not', async () => {
    const { fetch, requests } = harness(() => ({ headers: [['cache-control', 'max-age=60']] }))
    const asked: [string, string][][] = [
      [['Origin', 'https://a.site.test']],
      [['origin', 'https://b.site.test']],
      [['accept', 'x']],
    ]
    for (const headers of [...asked, ...asked]) await fetch({ type: 'Fetch', headers })
    assert.equal(requests.length, 3)
    for (const headers of asked) await fetch({ headers })
    assert.equal(requests.length, 4)
  })

  it('shares one response between concurrent requests', async () => {
    const { fetch, requests } = harness()
    const [first, second] = await Promise.all([fetch(), fetch()])
    assert.deepEqual([first?.isFromCache, second?.isFromCache, requests.length], [false, true, 1])
  })

  it('asks again for a page whose shared request was interrupted', async () => {
    let isFirst = true
    const { fetch, requests } = harness(() => {
      const blockedReason = isFirst ? 'interrupted' : null
      isFirst = false
      return { blockedReason }
    })
    const [first, second] = await Promise.all([fetch(), fetch()])
    assert.deepEqual([first?.blockedReason, second?.blockedReason, requests.length], ['interrupted', null, 2])
  })

  it('does not share between crawls, methods and ranges', async () => {
    const { fetch, requests } = harness()
    await fetch()
    await fetch({}, 'two')
    await fetch({ method: 'HEAD' })
    await fetch({ headers: [['Range', 'bytes=0-1']] })
    assert.equal(requests.length, 4)
  })

  it('keeps data only as long as its headers allow', async () => {
    const { fetch, requests, clock } = harness(({ url }) => ({
      headers: url.endsWith('a') ? [['cache-control', 'max-age=60']] : [],
    }))
    for (const url of ['https://site.test/a', 'https://site.test/b']) {
      await fetch({ url, type: 'Fetch' })
      await fetch({ url, type: 'Fetch' })
    }
    assert.equal(requests.length, 3)
    clock.advance(61_000)
    await fetch({ url: 'https://site.test/a', type: 'Fetch' })
    assert.equal(requests.length, 4)
  })

  it('keeps nothing that says no-store, and no failure', async () => {
    const { fetch, requests } = harness(({ url }) =>
      url.endsWith('1') ? { headers: [['cache-control', 'no-store']] } : { status: 500 },
    )
    for (const url of ['https://site.test/1', 'https://site.test/2']) {
      await fetch({ url })
      await fetch({ url })
    }
    assert.equal(requests.length, 4)
  })

  it('remembers that a script is missing', async () => {
    const { fetch, requests } = harness(() => ({ status: 404 }))
    await fetch()
    assert.deepEqual([(await fetch()).status, requests.length], [404, 1])
  })

  it('validates a copy that is old, and keeps it if it is unchanged', async () => {
    const { fetch, requests, clock } = harness(({ validators }) =>
      validators === null ? { headers: [['ETag', '"1"']] } : { status: 304, body: new Uint8Array() },
    )
    await fetch()
    clock.advance(HOUR_MS)
    const validated = await fetch()
    assert.deepEqual(requests[1]?.validators, { etag: '"1"', lastModified: null })
    assert.deepEqual([validated.status, Buffer.from(validated.body).toString()], [200, 'code'])
    await fetch()
    assert.equal(requests.length, 2)
  })

  it('drops what was used longest ago when it is full', async () => {
    const { fetch, requests } = harness(() => ({ body: Buffer.alloc(300) }))
    const urls = [1, 2, 3].map((n) => `https://site.test/${n}`)
    await fetch({ url: urls[0] ?? '' })
    await fetch({ url: urls[1] ?? '' })
    await fetch({ url: urls[0] ?? '' })
    await fetch({ url: urls[2] ?? '' })
    await fetch({ url: urls[0] ?? '' })
    assert.equal(requests.length, 3)
    await fetch({ url: urls[1] ?? '' })
    assert.equal(requests.length, 4)
  })

  it('counts the memory of responses without a body', async () => {
    const { fetch, requests } = harness(() => ({ status: 404, body: new Uint8Array() }))
    const urls = [1, 2, 3, 4].map((n) => `https://site.test/${n}`)
    for (const url of urls) await fetch({ url })
    await fetch({ url: urls[3] ?? '' })
    assert.equal(requests.length, 4)
    await fetch({ url: urls[0] ?? '' })
    assert.equal(requests.length, 5)
  })

  it('counts headers', async () => {
    const { fetch, requests } = harness(() => ({ headers: [['x-long', 'v'.repeat(600)]] }))
    await fetch()
    await fetch()
    assert.equal(requests.length, 2)
  })
})
