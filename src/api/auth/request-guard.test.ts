// The request guard over real connections: hosts, origins, tokens and sessions.

import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import type { Tokens } from '../../ports/access.ts'
import type { Crawls } from '../../ports/crawls.ts'
import { PATHS, type RouteName } from '../contract/paths.ts'
import { type Route, SCOPES, type Scope } from '../contract/route.ts'
import { ROUTES } from '../contract/routes.ts'
import { startTestApi, type TestApi } from '../testing/test-api.ts'
import { includesScope } from './request-guard.ts'
import { makeToken } from './tokens.ts'

/** Uses node:http because fetch sets Host and Origin itself. */
function send(api: TestApi, path: string, headers: Record<string, string>, method = 'GET') {
  const { hostname, port } = new URL(api.address)
  return new Promise<{ status: number; code: string | null }>((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => {
        const isProblem = response.headers['content-type']?.startsWith('application/problem+json') === true
        const code = isProblem ? (JSON.parse(text) as { code: string }).code : null
        resolve({ status: response.statusCode ?? 0, code })
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}

describe('a server without tokens', () => {
  let api: TestApi
  before(async () => {
    api = await startTestApi()
  })
  after(() => api.close())

  it('accepts only local host names', async () => {
    for (const host of ['localhost', 'localhost:8080', '127.0.0.1', '127.0.0.2:99', '[::1]:8080', 'a.localhost']) {
      assert.equal((await send(api, '/api/v1/crawls', { host })).status, 200, host)
    }
    for (const host of ['evil.test', 'localhost.evil.test', '127.0.0.1.evil.test', '10.0.0.1']) {
      const { status, code } = await send(api, '/api/v1/crawls', { host })
      assert.deepEqual([status, code], [421, 'HOST_REFUSED'], host)
    }
    for (const host of ['x@localhost', 'local host', 'localhost/']) {
      assert.equal((await send(api, '/api/v1/crawls', { host })).status, 400, host)
    }
  })

  it('accepts only requests of its own pages', async () => {
    const { host } = new URL(api.address)
    assert.equal((await send(api, '/api/v1/crawls', { host, origin: `http://${host}` })).status, 200)
    for (const origin of ['http://evil.test', 'null', 'http://127.0.0.1:1', `http://${host}.evil.test`, 'nonsense']) {
      const { status, code } = await send(api, '/api/v1/crawls', { host, origin })
      assert.deepEqual([status, code], [403, 'ORIGIN_REFUSED'], origin)
    }
  })

  it('allows links from other sites, but no embedding', async () => {
    const { host } = new URL(api.address)
    const from = (site: string, mode: string, dest: string) =>
      send(api, '/api/v1/crawls', { host, 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest })
    for (const site of ['cross-site', 'same-site']) {
      for (const [mode, dest] of [
        ['no-cors', 'image'],
        ['no-cors', 'script'],
        ['navigate', 'iframe'],
      ] as const) {
        const { status, code } = await from(site, mode, dest)
        assert.deepEqual([status, code], [403, 'ORIGIN_REFUSED'], `${site} ${mode} ${dest}`)
      }
      assert.equal((await from(site, 'navigate', 'document')).status, 200)
    }
    assert.equal((await from('same-origin', 'cors', 'empty')).status, 200)
    assert.equal((await from('none', 'navigate', 'document')).status, 200)
  })

  it('rejects forms submitted by other sites', async () => {
    const { host } = new URL(api.address)
    const from = (site: string) => ({
      host,
      'sec-fetch-site': site,
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    })
    for (const name of ['createCrawl', 'deleteCrawl', 'changeCrawl', 'createToken'] as const) {
      const [method = '', path = ''] = PATHS[name].split(' ')
      for (const site of ['cross-site', 'same-site']) {
        const { status, code } = await send(api, path.replace('{crawl_id}', 'x'), from(site), method)
        assert.deepEqual([status, code], [403, 'ORIGIN_REFUSED'], `${name} ${site}`)
      }
    }
    assert.equal((await send(api, '/api/v1/crawls', from('same-origin'), 'POST')).code, 'BAD_REQUEST')
  })

  it('ignores the session of another server on this machine', async () => {
    const { status } = await send(api, '/api/v1/crawls', { cookie: 'orbweaver_session=orbw_of_another' })
    assert.equal(status, 200)
  })

  it('allows everything to local clients, but rejects wrong tokens', async () => {
    assert.equal((await send(api, '/api/v1/tokens', {})).status, 200)
    const wrong = await send(api, '/api/v1/crawls', { authorization: 'Bearer orbw_wrong' })
    assert.deepEqual([wrong.status, wrong.code], [401, 'TOKEN_WRONG'])
    const read = await send(api, '/api/v1/tokens', { authorization: `Bearer ${api.tokens.read}` })
    assert.deepEqual([read.status, read.code], [403, 'SCOPE_MISSING'])
  })
})

describe('a server that requires tokens', () => {
  let api: TestApi
  before(async () => {
    api = await startTestApi(['--require-token', '--api-rate', '100000'])
  })
  after(() => api.close())

  for (const name of Object.keys(PATHS) as RouteName[]) {
    it(`allows ${name} only with a sufficient scope`, async () => {
      const route: Route = ROUTES[name]
      const isOpen = route.isOpen === true
      const none = await outcome(name, null)
      assert.equal(none.code === 'TOKEN_MISSING', !isOpen, `no token: ${none.status} ${none.code}`)
      if (!isOpen) {
        const wrong = await outcome(name, 'orbw_wrong')
        assert.ok(wrong.code === 'TOKEN_WRONG' || wrong.code === 'RATE_LIMITED', `wrong: ${wrong.code}`)
      }
      for (const scope of SCOPES) {
        const { status, code } = await outcome(name, api.tokens[scope])
        const isAllowed = isOpen || includesScope(scope, route.scope)
        assert.equal(code !== 'SCOPE_MISSING' && status !== 401, isAllowed, `${scope}: ${status} ${code}`)
        assert.ok(status < 500, `${scope}: ${status} ${code}`)
      }
    })
  }

  /** Checks access only: ids are invented and bodies omitted. */
  async function outcome(name: RouteName, token: string | null) {
    const [method = '', path = ''] = PATHS[name].split(' ')
    const headers = token === null ? {} : { authorization: `Bearer ${token}` }
    const response = await api.request(path.replace(/\{\w+\}/g, '999999999'), { method, headers })
    const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') === true
    const code = isProblem ? ((await response.json()) as { code: string }).code : null
    if (!isProblem) await response.body?.cancel()
    return { status: response.status, code }
  }

  it('serves health without a token and metrics with one', async () => {
    assert.equal((await send(api, '/healthz', {})).status, 200)
    assert.equal((await send(api, '/readyz', {})).status, 200)
    assert.equal((await send(api, '/metrics', {})).code, 'TOKEN_MISSING')
    assert.equal((await send(api, '/metrics', { authorization: `Bearer ${api.tokens.read}` })).status, 200)
  })

  it('exchanges a token for a cookie that scripts cannot read and other sites cannot send', async () => {
    const opened = await api.request('/api/v1/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: api.tokens.crawl }),
    })
    assert.deepEqual(await opened.json(), { scope: 'crawl' })
    const [cookie = ''] = opened.headers.getSetCookie()
    assert.match(cookie, /; HttpOnly; SameSite=Strict/)
    const [pair = ''] = cookie.split(';')
    assert.equal((await send(api, '/api/v1/crawls', { cookie: pair })).status, 200)
    assert.equal((await send(api, '/api/v1/tokens', { cookie: pair })).code, 'SCOPE_MISSING')
    const foreign = await send(api, '/api/v1/crawls', { cookie: pair, origin: 'http://evil.test' })
    assert.equal(foreign.code, 'ORIGIN_REFUSED')
    const closed = await api.request('/api/v1/session', { method: 'DELETE', headers: { cookie: pair } })
    assert.match(closed.headers.getSetCookie()[0] ?? '', /Max-Age=0/)
  })

  it('tells every client its version and the scope of its token', async () => {
    const scopes: (Scope | null)[] = []
    for (const token of [null, 'orbw_wrong', api.tokens.admin]) {
      const headers = token === null ? {} : { authorization: `Bearer ${token}` }
      const about = (await (await api.request('/api/v1', { headers })).json()) as { scope: Scope | null }
      scopes.push(about.scope)
    }
    assert.deepEqual(scopes, [null, null, 'admin'])
  })

  it('lets only admins allow private addresses', async () => {
    for (const settings of [
      { allow_private: true },
      { allow: ['10.0.0.0/8'] },
      { insecure: true },
      { header: ['A: b'] },
    ]) {
      const body = { url: 'http://a.test/', settings }
      await assert.rejects(api.clientFor('crawl').createCrawl({ body }), { code: 'FORBIDDEN_SETTING' })
      const { crawl_id } = await api.clientFor('admin').createCrawl({ body })
      await assert.rejects(api.clientFor('crawl').rerunCrawl({ params: { crawl_id } }), { code: 'FORBIDDEN_SETTING' })
    }
    const plain = { url: 'http://a.test/', settings: { allow_private: false, max_pages: 3 } }
    assert.equal((await api.clientFor('crawl').createCrawl({ body: plain })).status, 'running')
  })

  it('limits the rate of wrong tokens', async () => {
    const codes: (string | null)[] = []
    for (let i = 0; i < 15; i++) {
      codes.push((await send(api, '/api/v1/crawls', { authorization: `Bearer orbw_guess${i}` })).code)
    }
    assert.equal(codes.at(-1), 'RATE_LIMITED')
    assert.equal((await send(api, '/api/v1/crawls', { authorization: `Bearer ${api.tokens.read}` })).status, 200)
  })
})

describe('headers of the server itself', () => {
  it('are inherited by crawls of a crawl token only if they name their origin', async () => {
    const named = 'http://intranet.test Authorization: Bearer named'
    const api = await startTestApi(['--require-token', '--header', 'Authorization: Bearer secret', '--header', named])
    try {
      for (const [scope, own] of [
        ['crawl', [named]],
        ['admin', ['Authorization: Bearer secret', named]],
      ] as const) {
        const { crawl_id } = await api.clientFor(scope).createCrawl({ body: { url: 'http://a.test/' } })
        const { settings } = await api.runtime.store.client.service<Crawls>('crawls').find(crawl_id)
        assert.deepEqual(settings.headers, own, scope)
      }
    } finally {
      await api.close()
    }
  })
})

describe('an expired token', () => {
  it('is rejected with its own error, for requests and sessions', async () => {
    const api = await startTestApi(['--require-token'])
    try {
      const expires_at = new Date(Date.now() + 3_600_000).toISOString()
      const body = { name: 'short', scope: 'read', expires_at } as const
      const created = await api.clientFor('admin').createToken({ body })
      assert.equal(created.expires_at, expires_at)
      assert.equal((await send(api, '/api/v1/crawls', { authorization: `Bearer ${created.token}` })).status, 200)
      const past = { body: { ...body, expires_at: '2020-01-01T00:00:00Z' } }
      await assert.rejects(api.clientFor('admin').createToken(past), { code: 'BAD_REQUEST' })

      const { token, row } = makeToken({ name: 'old', scope: 'admin', expiresAt: Date.now() - 1 }, Date.now())
      await api.runtime.store.client.service<Tokens>('tokens').add(row)
      await api.clientFor('admin').createToken({ body: { name: 'fresh list', scope: 'read' } })
      const rejected = await api.request('/api/v1/crawls', { headers: { authorization: `Bearer ${token}` } })
      const problem = (await rejected.json()) as { code: string; detail: string }
      assert.deepEqual([rejected.status, problem.code], [401, 'TOKEN_EXPIRED'])
      assert.match(problem.detail, new RegExp(`^The token ${row.id} expired at `))
      await assert.rejects(api.client.openSession({ body: { token } }), { code: 'TOKEN_EXPIRED' })
      const { items } = await api.clientFor('admin').listTokens()
      assert.deepEqual(
        items.map((item) => item.expires_at === null),
        [true, true, true, false, false, true],
      )
    } finally {
      await api.close()
    }
  })
})

describe('the audit trail', () => {
  it('has the token and address of every change and every rejected request', async () => {
    const api = await startTestApi(['--require-token', '--api-rate', '2'])
    try {
      const ids = new Map(
        (await api.clientFor('admin').listTokens()).items.map(({ name, token_id }) => [name, token_id]),
      )
      const lineOf = async (path: string, headers: Record<string, string>, method = 'GET') => {
        api.logLines.length = 0
        await send(api, path, headers, method)
        const [line] = api.logLines.filter(({ event }) => event === 'request')
        return [line?.['status'], line?.['path'], line?.['token_id'], line?.['client']]
      }
      const withToken = (scope: Scope) => ({ authorization: `Bearer ${api.tokens[scope]}` })
      const [list, create] = ['/api/v1/crawls', '/api/v1/crawls']
      const here = '127.0.0.1'
      assert.deepEqual(await lineOf('/api/v1/crawls', {}), [401, list, undefined, here])
      assert.deepEqual(await lineOf('/api/v1/crawls', { authorization: 'Bearer orbw_x' }), [401, list, undefined, here])
      assert.deepEqual(await lineOf('/api/v1/crawls', withToken('read'), 'POST'), [403, create, ids.get('read'), here])
      const foreign = { ...withToken('crawl'), origin: 'http://evil.test' }
      assert.deepEqual(await lineOf('/api/v1/crawls', foreign), [403, list, ids.get('crawl'), here])
      assert.deepEqual(await lineOf('/api/v1/crawls', withToken('crawl'), 'POST'), [
        400,
        create,
        ids.get('crawl'),
        here,
      ])
      const statuses: unknown[] = []
      for (let i = 0; i < 50 && !statuses.includes(429); i++) {
        const [status, path, token, client] = await lineOf('/api/v1/crawls', withToken('read'))
        statuses.push(status)
        if (status === 429) assert.deepEqual([path, token, client], [list, ids.get('read'), here])
      }
      assert.ok(statuses.includes(429))
    } finally {
      await api.close()
    }
  })

  it('has the token with which a session is opened', async () => {
    const api = await startTestApi(['--require-token'])
    try {
      await api.client.openSession({ body: { token: api.tokens.crawl } })
      const { items } = await api.clientFor('admin').listTokens()
      const line = api.logLines.find(({ path }) => path === '/api/v1/session')
      assert.equal(line?.['token_id'], items.find(({ name }) => name === 'crawl')?.token_id)
    } finally {
      await api.close()
    }
  })
})

describe('a server that other machines can reach', () => {
  it('does not start without a token', async () => {
    await assert.rejects(startTestApi(['--public-url', 'https://crawl.example.com', '--host', '0.0.0.0'], false), {
      code: 'ADDRESS_OPEN',
    })
    await assert.rejects(startTestApi(['--require-token'], false), { code: 'ADDRESS_OPEN' })
  })
})
