import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { getRequestListener } from '@hono/node-server'
import { systemClock } from '../../lib/clock.ts'
import { silentLog } from '../../lib/log.ts'
import { makeTestStore } from '../../store/testing/sqlite-test-store.ts'
import { RequestGuard } from '../auth/request-guard.ts'
import { TokenCache } from '../auth/tokens.ts'
import { RequestMetrics } from '../system/request-metrics.ts'
import { createApp } from './app.ts'
import { ResponseCache } from './response-cache.ts'
import { startHttpServer } from './server.ts'
import { mountWebApp } from './web-app.ts'

async function serve(t: TestContext, files: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), 'orbweaver-web-'))
  const folder = join(root, 'dist')
  mkdirSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(join(root, 'secret.txt'), 'secret')
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const store = makeTestStore({ leaseMs: 1000, random: Math.random })
  const tokens = new TokenCache(store.access.tokens, systemClock)
  const requestGuard = new RequestGuard(
    { needsToken: false, publicUrl: null, ratePerSecond: 1 },
    { tokens, clock: systemClock },
  )
  const app = createApp({
    clock: systemClock,
    log: silentLog,
    requestMetrics: new RequestMetrics(),
    responseCache: new ResponseCache(systemClock),
    guard: requestGuard,
  })
  mountWebApp(app, { folder, guard: requestGuard })
  const server = await startHttpServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }), {
    host: '127.0.0.1',
    port: 0,
  })
  t.after(async () => {
    await server.stop(0)
    await store.close()
    rmSync(root, { recursive: true })
  })
  return (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${server.port}${path}`, { headers, redirect: 'manual' })
}

const BUILT = { 'index.html': '<p>app</p>', 'assets/app-1a2b.js': 'let x', 'icon.svg': '<svg/>' }

describe('the files of the web app', () => {
  it('are cached for a year if their names contain a hash, and revalidated otherwise', async (t) => {
    const get = await serve(t, BUILT)
    const asset = await get('/assets/app-1a2b.js')
    assert.equal(asset.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.match(asset.headers.get('content-type') ?? '', /^text\/javascript/)
    const page = await get('/')
    assert.equal(page.headers.get('cache-control'), 'no-cache')
    assert.equal(await page.text(), '<p>app</p>')
    const tag = page.headers.get('etag') ?? ''
    assert.equal((await get('/', { 'if-none-match': tag })).status, 304)
  })

  it('leave other paths to the app, but not those of missing files', async (t) => {
    const get = await serve(t, BUILT)
    assert.equal(await (await get('/crawls/1/urls')).text(), '<p>app</p>')
    assert.equal((await get('/assets/app-old.js')).status, 404)
    assert.equal((await get('/api/nonsense')).status, 404)
  })

  it('are also found at the path of another crawler', async (t) => {
    const get = await serve(t, BUILT)
    for (const path of ['/ui', '/ui/', '/ui/index.html']) {
      const response = await get(path)
      assert.deepEqual([response.status, response.headers.get('location')], [302, '/'], path)
    }
    assert.equal((await get('/ui/app.js')).status, 404)
  })

  it('have the search at another path than the public search page', async (t) => {
    const get = await serve(t, BUILT)
    const response = await get('/search?q=apple%20trees&crawl=1')
    assert.deepEqual([response.status, response.headers.get('location')], [302, '/find?q=apple%20trees&crawl=1'])
    assert.equal(await (await get('/find?q=apple')).text(), '<p>app</p>')
  })

  it('are only those of the folder', async (t) => {
    const get = await serve(t, BUILT)
    for (const path of ['/..%2fsecret.txt', '/%2e%2e/secret.txt', '/assets/..%2f..%2fsecret.txt', '//secret.txt']) {
      assert.doesNotMatch(await (await get(path)).text(), /^secret/, path)
    }
  })

  it('are replaced by a hint if they are not built', async (t) => {
    const get = await serve(t, {})
    assert.match(await (await get('/')).text(), /npm run web/)
  })
})
