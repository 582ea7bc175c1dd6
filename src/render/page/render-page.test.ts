import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { RenderClient } from '../pool/render-client.ts'
import { pageRequest, SITE, type TestFiles, type TestSettings, testSite } from '../testing/render-site.ts'
import { testClient } from '../testing/test-pool.ts'

describe('a rendered page', () => {
  let client: RenderClient
  const cleanups: (() => Promise<void>)[] = []
  before(async () => {
    client = await testClient({ after: (cleanup) => cleanups.unshift(cleanup) })
  })
  after(async () => {
    for (const cleanup of cleanups) await cleanup()
  })

  const render = (html: string, files: TestFiles = {}, settings: TestSettings = {}) =>
    client.render(pageRequest(`<!doctype html>${html}`, settings), testSite(files))

  it('starts without what the page before it has stored', async () => {
    const store = `document.cookie = 'a=1'; localStorage.a = 1; sessionStorage.a = 1; window.name = 'a';
      indexedDB.open('a'); onpagehide = () => { document.cookie = 'b=1'; localStorage.b = 1; sessionStorage.b = 1 }`
    const show = `document.body.append(JSON.stringify([document.cookie, localStorage.length, sessionStorage.length,
      window.name, history.length])); indexedDB.databases().then((all) => document.body.append(' ' + all.length))`
    await render(`<body><script>${store}</script>`)
    const { html } = await render(`<body><script>${show}</script>`)
    assert.match(html ?? '', /\["",0,0,"",2\] 0<\/body>/)
  })

  it('has the URLs it pushed, and those it tried to go to', async () => {
    const { routes, navigations, finalUrl } = await render(`<body><script>
      history.pushState(0, '', '/one'); history.replaceState(0, '', '/two?x=1'); location.hash = 'three'
      setTimeout(() => { location.href = '/away' }, 50)</script>`)
    assert.deepEqual(routes, [`${SITE}/one`, `${SITE}/two?x=1`, `${SITE}/two?x=1#three`])
    assert.deepEqual([finalUrl, navigations], [`${SITE}/two?x=1#three`, [`${SITE}/away`]])
  })

  it('is read after the element to wait for has appeared', async () => {
    const script = `setTimeout(() => { document.body.innerHTML = '<p id="late">' }, 1500)`
    const { html } = await render(`<body><script>${script}</script>`, {}, { waitFor: { selector: '#late' } })
    assert.match(html ?? '', /<p id="late">/)
  })

  it('is read after the time to wait', async () => {
    const script = `setTimeout(() => { document.body.innerHTML = '<p id="late">' }, 1500)`
    const { html } = await render(`<body><script>${script}</script>`, {}, { waitFor: { ms: 2000 } })
    assert.match(html ?? '', /<p id="late">/)
  })

  it('is scrolled until nothing is added', async () => {
    const script = `let page = 0; const more = () => { if (page++ < 3) list.insertAdjacentHTML('beforeend',
      '<li style="height: 3000px"><a href="/item' + page + '">x</a></li>') }; more()
      new IntersectionObserver(([e]) => { if (e.isIntersecting) more() }).observe(end)`
    const { html } = await render(
      `<body><ul id="list"></ul><p id="end">end</p><script>${script}</script>`,
      {},
      { scroll: true },
    )
    assert.deepEqual(html?.match(/\/item\d/g), ['/item1', '/item2', '/item3'])
  })

  it('requests no event streams', async () => {
    const script = `new EventSource('/events').onerror = () => document.body.append('closed')`
    const { html, subrequests } = await render(`<body><script>${script}</script>`, { '/events': 'data: x' })
    assert.match(html ?? '', /closed/)
    assert.deepEqual(
      subrequests.map(({ status, blockedReason }) => [status, blockedReason]),
      [[null, 'not needed']],
    )
  })

  it('requests no images unless they are asked for', async () => {
    const files = { '/a.gif': 'GIF89a' }
    const html = '<body><img src="/a.gif" onload="document.body.append(`loaded`)">'
    const [without, withImages] = [await render(html, files), await render(html, files, { keepImages: true })]
    assert.deepEqual([without.subrequests, without.html?.includes('loaded</body>')], [[], true])
    assert.deepEqual(
      withImages.subrequests.map(({ url, status }) => [url, status]),
      [[`${SITE}/a.gif`, 200]],
    )
  })

  it('follows redirects of what it loads, with a request each', async () => {
    const files = {
      '/old.js': { body: '', status: 301, headers: [['location', '/new.js']] as [string, string][] },
      '/new.js': 'document.body.append("moved")',
    }
    const { html, subrequests } = await render('<body><script src="/old.js"></script>', files)
    assert.match(html ?? '', /moved/)
    assert.deepEqual(
      subrequests.map(({ url, status }) => [url, status]),
      [
        [`${SITE}/old.js`, 301],
        [`${SITE}/new.js`, 200],
      ],
    )
  })

  it('cannot read responses of other sites that do not allow it', async () => {
    const files: TestFiles = {
      'https://closed.test/x': 'secret',
      'https://open.test/x': { body: 'public', headers: [['access-control-allow-origin', '*']] },
    }
    const read = (site: string) =>
      `fetch('https://${site}.test/x', { headers: { 'x-own': '1' } }).then((r) => r.text()).then((t) => document.body.append(t), () => document.body.append('refused'))`
    const { html } = await render(`<body><script>${read('closed')}.then(() => ${read('open')})</script>`, files)
    assert.match(html ?? '', /<\/script>refusedpublic<\/body>/)
  })

  it('runs module scripts of other sites, whose servers were not told its origin', async () => {
    const files: TestFiles = {
      'https://cdn.test/a.js': 'import "https://cdn.test/old.js"; document.body.append("module ")',
      'https://cdn.test/old.js': { body: '', status: 302, headers: [['location', '/b.js']] },
      'https://cdn.test/b.js': 'document.body.append("imported ")',
      'https://cdn.test/c.js': {
        body: 'document.body.append("credentials ")',
        headers: [['Access-Control-Allow-Origin', '*']],
      },
      'https://cdn.test/d.json': '"secret"',
    }
    const { html } = await render(
      `<body><script type=module src=https://cdn.test/a.js></script>
      <script src=https://cdn.test/c.js crossorigin=use-credentials></script>
      <script>import('https://cdn.test/d.json', { with: { type: 'json' } }).then((m) => document.body.append(m.default), () => document.body.append('ref' + 'used '))</script>`,
      files,
    )
    for (const word of ['imported ', 'module ', 'credentials ', 'refused ']) assert.ok(html?.includes(word), word)
    assert.ok(!html?.includes('secret'))
  })

  it('says what no response came for', async () => {
    const source = {
      fetch: async () => ({
        status: 0,
        headers: [],
        body: new Uint8Array(),
        isFromCache: false,
        blockedReason: 'robots',
        gapMs: 0,
      }),
    }
    const request = pageRequest(
      '<!doctype html><body><script src="/a.js" onerror="document.body.append(`error`)"></script>',
    )
    const { outcome, html, subrequests } = await client.render(request, source)
    assert.deepEqual([outcome, html?.includes('error</body>')], ['rendered', true])
    assert.deepEqual(
      subrequests.map(({ status, blockedReason }) => [status, blockedReason]),
      [[null, 'robots']],
    )
  })

  it('has a screenshot if one is asked for', async () => {
    const { screenshot } = await render('<body><p>text</p>', {}, { screenshot: true })
    assert.equal(Buffer.from(screenshot ?? []).toString('latin1', 8, 12), 'WEBP')
  })

  it('sees the user agent of the crawl', async () => {
    const settings = { userAgent: 'Orbweaver/1.0' }
    const { html } = await render('<body><script>document.body.append(navigator.userAgent)</script>', {}, settings)
    assert.match(html ?? '', /Orbweaver\/1\.0<\/body>/)
  })

  it('is not run if a script matches a rule, and the rule is the evidence', async () => {
    const { outcome, evidence, html } = await render('<script src="/x.js"></script>', {
      '/x.js': 'new CoinHive.User("k")',
    })
    assert.deepEqual([outcome, evidence, html], ['script_blocked', `miner: ${SITE}/x.js`, null])
  })
})
