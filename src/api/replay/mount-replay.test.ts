// The responses of the archive view, over real connections. test/web/archived-page.long.test.ts has a browser open them.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { makeSite } from '../../../test/sites/generated/make-site.ts'
import { servePlainSite } from '../../../test/sites/plain-site.ts'
import { serveSites } from '../../demo/serve-sites.ts'
import type { Crawl } from '../../ports/crawls.ts'
import { startTestApi, type TestApi } from '../testing/test-api.ts'

let api: TestApi
let crawl: Crawl
let path: string

before(async () => {
  api = await startTestApi()
  crawl = await api.crawlSite(10)
  const { items } = await api.client.findPages({ query: { url: crawl.rootUrl } })
  const [version = assert.fail('nothing was archived')] = items
  path = (await api.client.getPageReplay({ params: { page_id: version.page_id } })).path
})
after(() => api.close())

const replayOf = (url: string, kind = 'page') =>
  api.request(`${path.slice(0, path.indexOf('page?'))}${kind}?at=0&url=${encodeURIComponent(url)}`, {
    redirect: 'manual',
  })

describe('an archived page', () => {
  it('is sandboxed, may be framed, and loads only from its own path', async () => {
    const response = await api.request(path)
    assert.equal(response.status, 200)
    assert.match(await response.text(), /<a href="page\?at=/)
    const csp = response.headers.get('content-security-policy') ?? ''
    const { host } = new URL(api.address)
    assert.match(csp, /^sandbox; default-src 'none'; /)
    assert.ok(csp.includes(`img-src ${host}${path.slice(0, path.indexOf('page?'))} data: blob:;`), csp)
    assert.ok(!csp.includes('allow-') && !csp.includes('script-src'), csp)
    const about = ['x-frame-options', 'cross-origin-resource-policy', 'referrer-policy', 'cache-control', 'set-cookie']
    assert.deepEqual(
      about.map((name) => response.headers.get(name)),
      [null, 'cross-origin', 'no-referrer', 'no-store', null],
    )
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  })

  it('runs the one script that tells which element was clicked, if the web app asks for it', async () => {
    const response = await api.request(`${path}&pick=1`)
    const [, script = ''] =
      /^(?:<!DOCTYPE html>)?<style>[^<]*<\/style><script>(.*?)<\/script>/s.exec(await response.text()) ?? []
    const sha = createHash('sha256').update(script).digest('base64')
    const csp = response.headers.get('content-security-policy') ?? ''
    assert.ok(csp.startsWith(`sandbox allow-scripts; script-src 'sha256-${sha}'; default-src 'none'; `), csp)
    assert.ok(!/unsafe-(?!inline')|allow-same|connect-src/.test(csp), csp)
    const message = await api.request(
      `${path.slice(0, path.indexOf('page?'))}page?at=0&url=http://nowhere.test/&pick=1`,
    )
    assert.ok(!message.headers.get('content-security-policy')?.includes('allow-scripts'))
  })

  it('that is a redirect leads on in the archive', async () => {
    const { items } = await api.client.listUrls({ params: { crawl_id: crawl.id }, query: { state: 'redirected' } })
    const [redirect = assert.fail('the site has no redirect')] = items
    const response = await replayOf(redirect.url)
    assert.equal(response.status, 302)
    assert.match(response.headers.get('location') ?? '', /^page\?at=\d+&url=http/)
  })

  it('is never a part of another', async () => {
    const response = await replayOf(crawl.rootUrl, 'part')
    assert.match(await response.text(), /text\/html/)
    assert.match(response.headers.get('content-security-policy') ?? '', /^sandbox allow-popups/)
  })

  it('that does not exist offers the live page', async () => {
    const response = await replayOf('http://nowhere.test/?a=<b>&c="')
    assert.equal(response.status, 404)
    assert.match(
      await response.text(),
      /href="http:\/\/nowhere\.test\/\?a=%3Cb%3E&amp;c=%22" target="_blank" rel="noopener/,
    )
  })

  it('needs a complete address', async () => {
    const root = path.slice(0, path.indexOf('page?'))
    for (const bad of ['page', 'page?at=1', 'page?at=x&url=http://a.test/', 'page?at=1&url=javascript:alert(1)']) {
      assert.equal((await api.request(root + bad)).status, 400, bad)
    }
    assert.equal((await api.request('/replay/x/page?at=1&url=http://a.test/')).status, 404)
  })

  it('is not shown under a foreign host name', async () => {
    const { hostname, port } = new URL(api.address)
    const status = await new Promise((resolve) => {
      request({ hostname, port, path, headers: { host: 'evil.test' } }, (response) => {
        response.resume()
        resolve(response.statusCode)
      }).end()
    })
    assert.equal(status, 421)
  })
})

describe('a route of a page', () => {
  it('is found and shown under its URL, and other fragments under the page', async (t) => {
    const web = await serveSites([makeSite(7, { pages: 3 })])
    t.after(() => web.close())
    const [{ origin } = assert.fail('no site')] = web.sites
    const settings = { allow_private: true, delay: 0, hash_routes: true, max_pages: 1 }
    const client = api.clientFor('admin')
    const { crawl_id } = await client.createCrawl({ body: { urls: [`${origin}/#/route`], settings } })
    const running = await api.runtime.startCrawl(await api.runtime.crawls.find(crawl_id))
    await running.run(new Promise<never>(() => undefined))
    const find = async (url: string) => (await api.client.findPages({ query: { url } })).items
    const [version = assert.fail('the route was not archived')] = await find(`${origin}/#/route`)
    const { url, path: routePath } = await api.client.getPageReplay({ params: { page_id: version.page_id } })
    assert.equal(url, `${origin}/#/route`)
    assert.equal((await api.request(routePath)).status, 200)

    const found = await find(`${crawl.rootUrl}#/route`)
    assert.deepEqual(
      found.map((page) => page.crawl_id),
      [crawl.id],
    )
    assert.equal((await replayOf(`${crawl.rootUrl}#/route`)).status, 200)
  })
})

describe('a page of a crawl with requisites', () => {
  it('has its images and styles, and those that its styles load, from any host', async (t) => {
    const cdn = await servePlainSite(t, (path) => {
      if (path === '/a.css') return { headers: { 'content-type': 'text/css' }, body: 'p { background: url(b.png) }' }
      if (path === '/b.png') return { headers: { 'content-type': 'image/png' }, body: 'b' }
      return path === '/c.png' ? { status: 302, headers: { location: '/b.png' } } : null
    })
    const site = await servePlainSite(t, (path) =>
      path === '/' ? `<link rel=stylesheet href="${cdn.origin}/a.css"><img src="${cdn.origin}/c.png">` : null,
    )
    const settings = { allow_private: true, delay: 0, requisites: true, max_pages: 1 }
    const urls = [`${site.origin}/`]
    const { crawl_id } = await api.clientFor('admin').createCrawl({ body: { urls, settings } })
    const running = await api.runtime.startCrawl(await api.runtime.crawls.find(crawl_id))
    await running.run(new Promise<never>(() => undefined))
    const { items } = await api.client.findPages({ query: { url: `${site.origin}/` } })
    const [version = assert.fail('nothing was archived')] = items
    const { path: pagePath } = await api.client.getPageReplay({ params: { page_id: version.page_id } })
    const folder = pagePath.slice(0, pagePath.indexOf('page?'))
    const partsOf = (text: string) => [...text.matchAll(/part\?at=\d+&(?:amp;)?url=[^"]+/g)].map(([part]) => part)
    const read = async (part: string) => (await api.request(folder + part.replaceAll('&amp;', '&'))).text()
    const [style = '', image = '', ...more] = partsOf(await (await api.request(pagePath)).text())
    assert.deepEqual(more, [])
    assert.equal(await read(image), 'b')
    const [background = '', ...others] = partsOf(await read(style))
    assert.deepEqual(others, [])
    assert.equal(await read(background), 'b')
    const progress = await api.client.getCrawl({ params: { crawl_id } })
    assert.deepEqual([progress.pages, progress.requisites, progress.states.redirected], [1, 2, 1])
  })
})
