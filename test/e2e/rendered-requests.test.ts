// The requests of rendered pages, as servers see them: gap, robots.txt, addresses, headers, cache; and the outcome of
// rendering, as users see it.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { packagedBrowser } from '../../src/render/testing/test-pool.ts'
import { type CleanupContext, makeTemporaryFolder, parseSummary, runProgram } from '../testing/program.ts'
import { exportRows, runInProcess } from '../testing/run-in-process.ts'

interface SeenRequest {
  path: string
  startedAt: number
  endedAt: number
  secret: string | string[] | undefined
  method: string | undefined
}

const GAP_MS = 150
/** Timers and the network are not exact. */
const TOLERANCE_MS = 5

async function serve(t: CleanupContext, files: (path: string) => string | null, address = '127.0.0.1') {
  const seen: SeenRequest[] = []
  const server = createServer((request: IncomingMessage, response) => {
    const path = request.url ?? ''
    const { method, headers } = request
    const one = {
      path,
      method,
      startedAt: performance.now(),
      endedAt: Number.POSITIVE_INFINITY,
      secret: headers['x-secret'],
    }
    seen.push(one)
    const body = files(path)
    const type = path.endsWith('.js') ? 'text/javascript' : path === '/robots.txt' ? 'text/plain' : 'text/html'
    response.writeHead(body === null ? 404 : body === FAILS ? 500 : 200, {
      'content-type': type,
      'access-control-allow-origin': '*',
    })
    one.endedAt = performance.now()
    response.end(body ?? '')
  })
  server.listen(0, address)
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { origin: `http://${address}:${port}`, seen, paths: () => seen.map(({ path }) => path) }
}

function smallestGap(seen: SeenRequest[]): number {
  return Math.min(...seen.slice(1).map(({ startedAt }, i) => startedAt - (seen[i]?.endedAt ?? 0)))
}

/** Name of a file to which the server responds with 500. */
const FAILS = 'fails'
const MINER = 'var miner = new CoinHive.Anonymous("key"); miner.start();'

describe('requests of rendered pages', () => {
  it('are not repeated for --requisites', async (t) => {
    const site = await serve(t, (path) => {
      if (path.endsWith('.js')) return 'document.body.append("app ")'
      if (!/^\/[12]?$/.test(path)) return path === '/logo.png' ? 'image' : null
      return '<!doctype html><body><a href=/1>1</a><a href=/2>2</a><img src=/logo.png><script src=/app.js></script>'
    })
    const data = makeTemporaryFolder(t)
    const { path: browser } = await packagedBrowser()
    const flags = ['--render', 'all', '--requisites', '--browser', browser, '--allow', '127.0.0.1', '--json']
    const result = await runProgram(['crawl', `${site.origin}/`, '--data', data, '--delay', '0', ...flags])
    assert.equal(result.code, 0, result.stderr)
    const expected = ['/', '/1', '/2', '/app.js', '/logo.png', '/robots.txt']
    assert.deepEqual(site.paths().toSorted(), expected)
    const rows = await exportRows(data, parseSummary(result).crawl_id)
    const requisites = rows.filter(({ kind, state }) => kind === 'requisite' && state === 'visited')
    assert.deepEqual(requisites.map(({ url }) => url.slice(site.origin.length)).toSorted(), ['/app.js', '/logo.png'])
  })

  it('keep the gap, robots.txt, addresses and headers, and share a cache', async (t) => {
    const canary = await serve(t, () => 'x', '127.0.0.2')
    const other = await serve(t, (path) => {
      if (path === '/robots.txt') return 'User-agent: *\nDisallow: /private'
      return path === '/lib.js' ? 'document.body.append("lib ")' : 'document.body.append("private ")'
    })
    const site = await serve(t, (path) => {
      if (path === '/robots.txt') return 'User-agent: *\nDisallow: /denied'
      if (path === '/app.js')
        return `document.body.append('app ');
          for (const url of ['/denied.js', '${other.origin}/private.js', '${canary.origin}/'])
            fetch(url).then(() => document.body.append('leak '), () => document.body.append('refused '));
          fetch('/form', { method: 'POST', body: 'x' }).catch(() => document.body.append('refused '));`
      if (path === '/bad') return `<!doctype html><title>Bad</title><script>${MINER}</script><a href=/2>2</a>`
      if (!/^\/[123]?$/.test(path)) return null
      const links = path === '/' ? '<a href=/1>1</a><a href=/bad>bad</a>' : ''
      return `<!doctype html><body>${links}<script src=/app.js></script><script src=${other.origin}/lib.js></script>`
    })
    const data = makeTemporaryFolder(t)
    const { path: browser } = await packagedBrowser()
    const flags = ['--render', 'all', '--browser', browser, '--allow', '127.0.0.1', '--header', 'X-Secret: s', '--json']
    const result = await runProgram(['crawl', `${site.origin}/`, '--data', data, '--delay', String(GAP_MS), ...flags])
    assert.equal(result.code, 0, result.stderr)
    const { crawl_id: id } = parseSummary(result)

    assert.deepEqual(canary.paths(), [], 'nothing reaches an address that is not allowed')
    assert.deepEqual(other.paths(), ['/robots.txt', '/lib.js'])
    assert.deepEqual(site.paths().toSorted(), ['/', '/1', '/2', '/app.js', '/bad', '/robots.txt'])
    assert.ok(smallestGap(site.seen) >= GAP_MS - TOLERANCE_MS, `${smallestGap(site.seen)} ms`)
    assert.ok(smallestGap(other.seen) >= GAP_MS - TOLERANCE_MS, `${smallestGap(other.seen)} ms`)
    assert.ok(site.seen.every(({ secret }) => secret === 's'))
    assert.ok(other.seen.every(({ secret }) => secret === undefined))

    const rows = new Map((await exportRows(data, id)).map((row) => [row.url.slice(site.origin.length), row]))
    assert.equal(rows.get('/bad')?.reason, 'script_blocked')
    assert.equal(rows.get('/')?.reason, null)
    const page = await runInProcess(['page', `${site.origin}/1`, '--data', data])
    assert.match(page.stdout, /note +rendered/)
    const text = await runInProcess(['page', `${site.origin}/1`, '--text', '--data', data])
    assert.equal(text.stdout.trim().split(' ').toSorted().join(' '), 'app lib refused refused refused refused')
    const bad = await runInProcess(['page', `${site.origin}/bad`, '--json', '--data', data])
    assert.match((JSON.parse(bad.stdout) as { note: string }).note, /^script_blocked: /)
    const politeness = await runInProcess(['politeness', id, '--json', '--data', data])
    const hosts = politeness.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { host: string; subrequests: number })
    assert.deepEqual(Object.fromEntries(hosts.map(({ host, subrequests }) => [`http://${host}`, subrequests])), {
      [site.origin]: 1,
      [other.origin]: 1,
    })
  })

  it('are not sent once the page has ended', async (t) => {
    const scripts = Array.from({ length: 10 }, (_, i) => `<script src=/${i}.js></script>`).join('')
    const site = await serve(t, (path) => {
      if (path === '/miner.js') return MINER
      if (path.endsWith('.js')) return ''
      const next = Number(path.slice(1))
      return next < 6
        ? `<a href=/${next + 1}>next</a>${next === 0 ? `<script src=/miner.js></script>${scripts}` : ''}`
        : null
    })
    const { path: browser } = await packagedBrowser()
    const flags = ['--render', 'auto', '--browser', browser, '--allow', '127.0.0.1', '--delay', String(GAP_MS)]
    const result = await runProgram(['crawl', `${site.origin}/`, '--data', makeTemporaryFolder(t), ...flags])
    assert.equal(result.code, 0, result.stderr)
    // One request may be in transit when the page ends.
    const later = site.paths().filter((path) => /^\/\d\.js/.test(path))
    assert.ok(later.length <= 1, later.join(' '))
    assert.ok(site.paths().includes('/6'))
    assert.ok(smallestGap(site.seen) >= GAP_MS - TOLERANCE_MS, `${smallestGap(site.seen)} ms`)
  })

  it('that fail for a while make the page be retried, and those that fail forever are its reason', async (t) => {
    let failures = 2
    const site = await serve(t, (path) => {
      if (path === '/') return '<!doctype html><a href=/broken>b</a><div id=root></div><script src=/app.js></script>'
      if (path === '/broken')
        return '<!doctype html><title>Broken</title><div id=root></div><script src=/gone.js></script>'
      if (path === '/found') return '<title>Found</title><p>Here.'
      if (path !== '/app.js') return path === '/gone.js' ? FAILS : null
      failures -= 1
      return failures >= 0 ? FAILS : 'document.body.insertAdjacentHTML("beforeend", "<a href=/found>Found</a>")'
    })
    const data = makeTemporaryFolder(t)
    const { path: browser } = await packagedBrowser()
    const limits = ['--retries', '2', '--retry-delay', '100', '--delay', '0']
    const flags = ['--render', 'auto', '--browser', browser, '--allow', '127.0.0.1', '--json', ...limits]
    const result = await runProgram(['crawl', `${site.origin}/`, '--data', data, ...flags])
    assert.equal(result.code, 0, result.stderr)
    const rows = await exportRows(data, parseSummary(result).crawl_id)
    assert.deepEqual(
      Object.fromEntries(rows.map(({ url, state, reason }) => [url.slice(site.origin.length), [state, reason]])),
      {
        '/': ['visited', null],
        '/app.js': ['visited', null],
        '/found': ['visited', null],
        '/broken': ['visited', 'render_incomplete'],
      },
    )
  })

  it('that are the first to a host do not hide its sitemaps', async (t) => {
    const other = await serve(t, (path) => {
      if (path === '/robots.txt') return 'Sitemap: /map.xml'
      if (path === '/map.xml') return `<urlset><url><loc>${other.origin}/hidden</loc></url></urlset>`
      return path === '/lib.js' ? `document.body.innerHTML = '<a href="${other.origin}/page">page</a>'` : '<p>Page'
    })
    const site = await serve(t, (path) =>
      path === '/' ? `<!doctype html><body><div id=root></div><script src=${other.origin}/lib.js></script>` : null,
    )
    const { path: browser } = await packagedBrowser()
    const flags = ['--render', 'auto', '--browser', browser, '--allow', '127.0.0.1', '--delay', '0', '--scope', 'any']
    const result = await runProgram(['crawl', `${site.origin}/`, '--data', makeTemporaryFolder(t), ...flags])
    assert.equal(result.code, 0, result.stderr)
    assert.deepEqual(other.paths(), ['/robots.txt', '/lib.js', '/page', '/map.xml', '/hidden'])
  })

  it('for data say what the page accepts and its origin, and the server decides who may read it', async (t) => {
    const asked: Record<string, string | undefined>[] = []
    const api = createServer(({ url, headers }, response) => {
      const { origin = '', accept, cookie, authorization } = headers
      const type = headers['content-type']
      if (url !== '/robots.txt') asked.push({ url, origin, accept, type, cookie, authorization, host: headers.host })
      const isAllowed = url === '/open' || url === '/typed'
      response.writeHead(url === '/robots.txt' ? 404 : 200, {
        'content-type': 'application/json',
        ...(isAllowed ? { 'access-control-allow-origin': origin, vary: 'origin' } : {}),
      })
      response.end(JSON.stringify({ text: accept === 'application/json' ? 'json' : 'other' }))
    })
    api.listen(0, '127.0.0.1')
    await once(api, 'listening')
    t.after(() => {
      api.closeAllConnections()
      api.close()
    })
    const { port } = api.address() as AddressInfo
    const script = `const show = (path, headers) => fetch('http://127.0.0.1:${port}' + path, { headers })
      .then((response) => response.json()).then(({ text }) => text, () => 'refused')
      .then((text) => document.body.append(path + ' ' + text + '; '))
    show('/open', { accept: 'application/json', authorization: 'Basic eDp5' })
    show('/typed', { 'content-type': 'application/json', accept: 'text/x-bad\\u00e9' })
    show('/closed', { accept: 'application/json' })`
    const site = await serve(t, (path) => (path === '/' ? `<title>Data</title><body><script>${script}</script>` : null))
    const { path: browser } = await packagedBrowser()
    const data = makeTemporaryFolder(t)
    const flags = ['--render', 'all', '--browser', browser, '--allow', '127.0.0.1', '--delay', '0', '--json']
    const result = await runProgram(['crawl', `${site.origin}/`, '--data', data, ...flags])
    assert.equal(result.code, 0, result.stderr)
    const text = await runInProcess(['page', `${site.origin}/`, '--text', '--data', data])
    const shown = text.stdout
      .trim()
      .split(';')
      .map((part) => part.trim())
    assert.deepEqual(shown.filter((part) => part !== '').toSorted(), ['/closed refused', '/open json', '/typed other'])
    const none = { cookie: undefined, authorization: undefined, host: `127.0.0.1:${port}` }
    const sent = asked.toSorted((a, b) => ((a['url'] ?? '') < (b['url'] ?? '') ? -1 : 1))
    const { origin } = site
    assert.deepEqual(sent, [
      { url: '/closed', origin, accept: 'application/json', type: undefined, ...none },
      { url: '/open', origin, accept: 'application/json', type: undefined, ...none },
      { url: '/typed', origin, accept: sent[2]?.['accept'], type: 'application/json', ...none },
    ])
  })

  it('to other hosts keep the rate of the crawl', async (t) => {
    const other = await serve(t, (path) => (path.endsWith('.js') ? '' : null))
    const scripts = Array.from({ length: 6 }, (_, i) => `<script src=${other.origin}/${i}.js></script>`).join('')
    const site = await serve(t, (path) => (path === '/' ? `<!doctype html><body>${scripts}` : null))
    const { path: browser } = await packagedBrowser()
    const flags = ['--render', 'auto', '--browser', browser, '--allow', '127.0.0.1', '--delay', '0', '--max-rate', '5']
    const result = await runProgram(['crawl', `${site.origin}/`, '--data', makeTemporaryFolder(t), ...flags])
    assert.equal(result.code, 0, result.stderr)
    assert.equal(other.seen.length, 7)
    const tookMs = (other.seen.at(-1)?.startedAt ?? 0) - (other.seen[0]?.startedAt ?? 0)
    // A late request may be followed by the next one somewhat early.
    assert.ok(tookMs >= 6 * 200 - 100, `${tookMs} ms`)
  })

  it('without a browser, the crawl does not start', async (t) => {
    const site = await serve(t, () => '<p>Page</p>')
    const flags = ['--render', 'auto', '--browser', '/nowhere/chromium', '--allow-private']
    const result = await runProgram(['crawl', `${site.origin}/`, '--data', makeTemporaryFolder(t), ...flags])
    assert.notEqual(result.code, 0)
    assert.match(result.stderr, /The browser \/nowhere\/chromium is not an executable file\./)
    assert.deepEqual(site.seen, [])
  })
})
