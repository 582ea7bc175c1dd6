import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { waitUntil } from '../../../test/testing/wait-until.ts'
import { descendants } from '../browser/process-usage.ts'
import { pageRequest, SITE, testSite } from '../testing/render-site.ts'
import { packagedBrowser, testClient, testPool } from '../testing/test-pool.ts'
import { RenderClient } from './render-client.ts'
import { defaultBrowserCount, RenderPool } from './render-pool.ts'

const PLAIN = '<!doctype html><body><p>plain</p>'
/** A page that never settles by itself. */
const UNSETTLED = '<!doctype html><body><script>setInterval(() => document.body.append("x"), 20)</script>'
const NO_FILES = testSite({})

describe('the render pool', () => {
  it('has two browsers, or one if there is little memory', () => {
    assert.deepEqual(
      [1, 2, 3, 64].map((gigabytes) => defaultBrowserCount(gigabytes * 2 ** 30)),
      [1, 1, 2, 2],
    )
  })

  it('returns the DOM that scripts have built, from given responses alone', async (t) => {
    const client = await testClient(t)
    const site = testSite({
      '/app.js': `fetch('/links.json').then((r) => r.json()).then((links) => {
        for (const href of links) document.body.append(Object.assign(document.createElement('a'), { href }))
      })`,
      '/links.json': '["/a", "/b"]',
    })
    const page = await client.render(pageRequest('<!doctype html><body><script src="/app.js"></script>'), site)
    assert.equal(page.outcome, 'rendered', page.evidence ?? '')
    assert.match(page.html ?? '', /<a href="\/a"><\/a><a href="\/b"><\/a><\/body>/)
    assert.deepEqual(
      site.requested.map(({ url }) => url),
      [`${SITE}/app.js`, `${SITE}/links.json`],
    )
  })

  it('starts nothing before the first page', async (t) => {
    const pool = await testPool(t)
    const [client, other] = [new RenderClient(pool.connect('test')), new RenderClient(pool.connect('test'))]
    client.forgetResponses()
    await turn()
    assert.ok(!pool.isStarted)
    const pages = [1, 2, 3].map(() => client.render(pageRequest(PLAIN), NO_FILES))
    assert.deepEqual(
      (await Promise.all(pages)).map(({ outcome }) => outcome),
      ['rendered', 'rendered', 'rendered'],
    )
    assert.ok(pool.isStarted)
    await pool.close()
    await assert.rejects(other.render(pageRequest(PLAIN), NO_FILES), { code: 'INTERRUPTED' })
  })

  it('counts a killed browser as a crash of its pages, and starts another', async (t) => {
    const client = await testClient(t)
    const site = testSite({})
    const fetched = Promise.withResolvers<void>()
    const hanging = {
      fetch() {
        fetched.resolve()
        return new Promise<never>(() => undefined)
      },
    }
    const killed = client.render(pageRequest('<!doctype html><script src="/never.js"></script>'), hanging)
    await fetched.promise
    const [browser = 0] = descendants(process.pid)
    process.kill(browser, 'SIGKILL')
    assert.equal((await killed).outcome, 'render_crashed')
    assert.equal((await client.render(pageRequest(PLAIN), site)).outcome, 'rendered')
    assert.equal(client.load().pages, 0)
  })

  it('replaces a browser after its number of pages', async (t) => {
    const client = await testClient(t, { pagesPerProcess: 2, pagesPerBrowser: 1 })
    const outcomes: string[] = []
    for (let page = 0; page < 5; page += 1) outcomes.push((await client.render(pageRequest(PLAIN), NO_FILES)).outcome)
    assert.deepEqual(outcomes, Array(5).fill('rendered'))
  })

  it('closes browsers that have nothing to do, and starts them again', async (t) => {
    const client = await testClient(t, { idleMs: 50 })
    await client.render(pageRequest(PLAIN), NO_FILES)
    await waitUntil(() => descendants(process.pid).length === 0)
    assert.equal((await client.render(pageRequest(PLAIN), NO_FILES)).outcome, 'rendered')
  })

  it('finds scripts of the last page in its process, until responses are forgotten', async (t) => {
    const client = await testClient(t, { pagesPerBrowser: 1 })
    const site = testSite({ '/app.js': 'document.title += "!"' })
    const html = '<!doctype html><title>Page</title><script src="/app.js"></script>'
    const requests: number[] = []
    for (let page = 0; page < 6; page += 1) {
      if (page === 5) client.forgetResponses()
      const rendered = await client.render(pageRequest(html), site)
      assert.match(rendered.html ?? '', /<title>Page!/)
      requests.push(rendered.subrequests.length)
    }
    // A browser may drop it at any time.
    assert.ok(requests.includes(0), requests.join())
    assert.equal(site.requested.length, 2)
  })

  it('finds no script in its process that another client of the crawl has asked to forget', async (t) => {
    const pool = await testPool(t, { pagesPerBrowser: 2 })
    const [one, other] = [new RenderClient(pool.connect('test')), new RenderClient(pool.connect('test'))]
    const site = testSite({ '/app.js': 'document.title += "!"' })
    const html = '<!doctype html><title>Page</title><script src="/app.js"></script>'
    const rendered = []
    for (let page = 0; page < 4; page += 1)
      rendered.push((await one.render(pageRequest(html), site)).subrequests.length)
    assert.ok(rendered.includes(0), rendered.join())
    await other.render(pageRequest(PLAIN), NO_FILES)
    other.forgetResponses()
    await other.render(pageRequest(PLAIN), NO_FILES)
    assert.equal((await one.render(pageRequest(html), site)).subrequests.length, 1)
    assert.equal(site.requested.length, 2)
    for (const client of [one, other]) client.close()
  })

  it('takes turns between clients', async (t) => {
    const pool = await testPool(t, { pagesPerBrowser: 1 })
    const [one, other] = [new RenderClient(pool.connect('test')), new RenderClient(pool.connect('test'))]
    const order: string[] = []
    const render = async (client: RenderClient, name: string) => {
      await client.render(pageRequest(PLAIN), NO_FILES)
      order.push(name)
    }
    await Promise.all([...[1, 2, 3, 4].map((n) => render(one, `one ${n}`)), render(other, 'other')])
    assert.ok(order.indexOf('other') < 3, order.join())
  })

  it('drops the pages of a closed client, also those in progress', async (t) => {
    const pool = await testPool(t, { pagesPerBrowser: 1 })
    const [gone, other] = [new RenderClient(pool.connect('test')), new RenderClient(pool.connect('test'))]
    const dropped = [UNSETTLED, PLAIN].map((html) =>
      assert.rejects(gone.render(pageRequest(html), NO_FILES), { code: 'INTERRUPTED' }),
    )
    const next = other.render(pageRequest(PLAIN), NO_FILES)
    await gone.close()
    await Promise.all(dropped)
    assert.equal((await next).outcome, 'rendered')
    assert.deepEqual(other.load(), { pages: 0 })
  })

  it('leaves no process and no profile behind when it is closed', async (t) => {
    // Other processes have theirs in the same folder.
    const profiles = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`orbweaver-browser-${process.pid}-`))
    const pool = await testPool(t)
    const client = new RenderClient(pool.connect('test'))
    await client.render(pageRequest(PLAIN), NO_FILES)
    assert.notDeepEqual(profiles(), [])
    const interrupted = assert.rejects(client.render(pageRequest(UNSETTLED), NO_FILES), { code: 'INTERRUPTED' })
    await pool.close()
    await interrupted
    assert.deepEqual([descendants(process.pid), profiles()], [[], []])
  })

  it('rejects pages if its browser does not start', async (t) => {
    const location = { ...(await packagedBrowser()), path: '/bin/false' }
    const pool = new RenderPool(location)
    t.after(() => pool.close())
    const client = new RenderClient(pool.connect('test'))
    await assert.rejects(client.render(pageRequest(PLAIN), NO_FILES), {
      code: 'BROWSER_FAILED',
      message: /\/bin\/false/,
    })
  })
})
