// The guard over real sockets: hosts, origins, tokens, sessions and limits.

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

/** fetch sets Host and Origin itself. */
function ask(api: TestApi, path: string, headers: Record<string, string>, method = 'GET') {
  const { hostname, port } = new URL(api.address)
  return new Promise<{ status: number; code: string | null }>((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers }, (answer) => {
      let text = ''
      answer.on('data', (chunk) => {
        text += chunk
      })
      answer.on('end', () => {
        const isProblem = answer.headers['content-type']?.startsWith('application/problem+json') === true
        const code = isProblem ? (JSON.parse(text) as { code: string }).code : null
        resolve({ status: answer.statusCode ?? 0, code })
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

  it('answers under names of this machine only', async () => {
    for (const host of ['localhost', 'localhost:8080', '127.0.0.1', '127.0.0.2:99', '[::1]:8080', 'a.localhost']) {
      assert.equal((await ask(api, '/api/v1/crawls', { host })).status, 200, host)
    }
    for (const host of ['evil.test', 'localhost.evil.test', '127.0.0.1.evil.test', '10.0.0.1']) {
      const { status, code } = await ask(api, '/api/v1/crawls', { host })
      assert.deepEqual([status, code], [421, 'HOST_REFUSED'], host)
    }
    for (const host of ['x@localhost', 'local host', 'localhost/']) {
      assert.equal((await ask(api, '/api/v1/crawls', { host })).status, 400, host)
    }
  })

  it('answers pages of its own only', async () => {
    const { host } = new URL(api.address)
    assert.equal((await ask(api, '/api/v1/crawls', { host, origin: `http://${host}` })).status, 200)
    for (const origin of ['http://evil.test', 'null', 'http://127.0.0.1:1', `http://${host}.evil.test`, 'nonsense']) {
      const { status, code } = await ask(api, '/api/v1/crawls', { host, origin })
      assert.deepEqual([status, code], [403, 'ORIGIN_REFUSED'], origin)
    }
  })

  it('lets pages of other sites link to it, and embed nothing', async () => {
    const { host } = new URL(api.address)
    const from = (site: string, mode: string, dest: string) =>
      ask(api, '/api/v1/crawls', { host, 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest })
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

  it('takes no form that a page of another site sends', async () => {
    const { host } = new URL(api.address)
    const from = (site: string) => ({
      ...{ host, 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    })
    for (const name of ['createCrawl', 'deleteCrawl', 'changeCrawl', 'createToken'] as const) {
      const [method = '', path = ''] = PATHS[name].split(' ')
      for (const site of ['cross-site', 'same-site']) {
        const { status, code } = await ask(api, path.replace('{crawl_id}', 'x'), from(site), method)
        assert.deepEqual([status, code], [403, 'ORIGIN_REFUSED'], `${name} ${site}`)
      }
    }
    assert.equal((await ask(api, '/api/v1/crawls', from('same-origin'), 'POST')).code, 'BAD_REQUEST')
  })

  it('does not mind the session of another server on this machine', async () => {
    const { status } = await ask(api, '/api/v1/crawls', { cookie: 'orbweaver_session=orbw_of_another' })
    assert.equal(status, 200)
  })

  it('lets everybody on this machine do everything, but believes no wrong token', async () => {
    assert.equal((await ask(api, '/api/v1/tokens', {})).status, 200)
    const wrong = await ask(api, '/api/v1/crawls', { authorization: 'Bearer orbw_wrong' })
    assert.deepEqual([wrong.status, wrong.code], [401, 'TOKEN_WRONG'])
    const read = await ask(api, '/api/v1/tokens', { authorization: `Bearer ${api.tokens.read}` })
    assert.deepEqual([read.status, read.code], [403, 'SCOPE_MISSING'])
  })
})

describe('a server that wants tokens', () => {
  let api: TestApi
  before(async () => {
    api = await startTestApi(['--require-token', '--api-rate', '100000'])
  })
  after(() => api.close())

  for (const name of Object.keys(PATHS) as RouteName[]) {
    it(`lets only those call ${name} who may`, async () => {
      const route: Route = ROUTES[name]
      const isOpen = route.isOpen === true
      const none = await outcome(name, null)
      assert.equal(none.code === 'TOKEN_MISSING', !isOpen, `without: ${none.status} ${none.code}`)
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

  /** What the route does is not asked here: ids are made up and bodies are left out. */
  async function outcome(name: RouteName, token: string | null) {
    const [method = '', path = ''] = PATHS[name].split(' ')
    const headers = token === null ? {} : { authorization: `Bearer ${token}` }
    const response = await api.request(path.replace(/\{\w+\}/g, '999999999'), { method, headers })
    const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') === true
    const code = isProblem ? ((await response.json()) as { code: string }).code : null
    if (!isProblem) await response.body?.cancel()
    return { status: response.status, code }
  }

  it('answers health without one, and figures with one', async () => {
    assert.equal((await ask(api, '/healthz', {})).status, 200)
    assert.equal((await ask(api, '/readyz', {})).status, 200)
    assert.equal((await ask(api, '/metrics', {})).code, 'TOKEN_MISSING')
    assert.equal((await ask(api, '/metrics', { authorization: `Bearer ${api.tokens.read}` })).status, 200)
  })

  it('gives a browser a cookie for a token, which no script can read and no other site can send', async () => {
    const opened = await api.request('/api/v1/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: api.tokens.crawl }),
    })
    assert.deepEqual(await opened.json(), { scope: 'crawl' })
    const [cookie = ''] = opened.headers.getSetCookie()
    assert.match(cookie, /; HttpOnly; SameSite=Strict/)
    const [pair = ''] = cookie.split(';')
    assert.equal((await ask(api, '/api/v1/crawls', { cookie: pair })).status, 200)
    assert.equal((await ask(api, '/api/v1/tokens', { cookie: pair })).code, 'SCOPE_MISSING')
    const foreign = await ask(api, '/api/v1/crawls', { cookie: pair, origin: 'http://evil.test' })
    assert.equal(foreign.code, 'ORIGIN_REFUSED')
    const closed = await api.request('/api/v1/session', { method: 'DELETE', headers: { cookie: pair } })
    assert.match(closed.headers.getSetCookie()[0] ?? '', /Max-Age=0/)
  })

  it('tells anybody what it is, and whether their token is good', async () => {
    const scopes: (Scope | null)[] = []
    for (const token of [null, 'orbw_wrong', api.tokens.admin]) {
      const headers = token === null ? {} : { authorization: `Bearer ${token}` }
      const about = (await (await api.request('/api/v1', { headers })).json()) as { scope: Scope | null }
      scopes.push(about.scope)
    }
    assert.deepEqual(scopes, [null, null, 'admin'])
  })

  it('lets only admins lift the guard of addresses', async () => {
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

  it('slows those who guess', async () => {
    const codes: (string | null)[] = []
    for (let i = 0; i < 15; i++) {
      codes.push((await ask(api, '/api/v1/crawls', { authorization: `Bearer orbw_guess${i}` })).code)
    }
    assert.equal(codes.at(-1), 'RATE_LIMITED')
    assert.equal((await ask(api, '/api/v1/crawls', { authorization: `Bearer ${api.tokens.read}` })).status, 200)
  })
})

describe('what a crawl token may ask for', () => {
  let api: TestApi
  before(async () => {
    const most = ['--token-max-concurrency', '10', '--token-max-per-host', '2', '--token-max-body', '1m']
    api = await startTestApi(['--require-token', '--token-min-delay', '500', ...most])
  })
  after(() => api.close())

  const make = (scope: Scope, settings: Record<string, unknown>) =>
    api.clientFor(scope).createCrawl({ body: { url: 'http://a.test/', settings } })

  for (const [name, value, flag, bound] of [
    ['delay', 499, 'token-min-delay', 'no less than 500 ms'],
    ['delay', 'auto', 'token-min-delay', 'no less than 500 ms'],
    ['concurrency', 11, 'token-max-concurrency', 'no more than 10'],
    ['per_host', 3, 'token-max-per-host', 'no more than 2'],
    ['max_body', '2m', 'token-max-body', 'no more than 1048576 bytes'],
  ] as const) {
    it(`is bounded for ${name} ${value}, and the answer names the ceiling`, async () => {
      const about = { code: 'FORBIDDEN_SETTING', status: 403, message: new RegExp(`${name}: .*${bound}.*--${flag}`) }
      await assert.rejects(make('crawl', { [name]: value }), about)
      const { crawl_id } = await make('admin', { [name]: value })
      const params = { crawl_id }
      await assert.rejects(api.clientFor('crawl').rerunCrawl({ params }), about)
      if (name !== 'max_body') {
        const body = { settings: { [name]: value } }
        await assert.rejects(api.clientFor('crawl').changeCrawl({ params, body }), about)
      }
      await api.clientFor('crawl').cancelCrawl({ params })
    })
  }

  it('is what it gets when it asks for nothing, and may be had up to the ceiling', async () => {
    const { settings } = await make('crawl', {})
    const { delay, concurrency, per_host, max_body } = settings
    assert.deepEqual([delay, concurrency, per_host, max_body], [500, 10, 1, 1024 ** 2])
    const most = await make('crawl', { delay: 500, concurrency: 10, per_host: 2, max_body: '1m' })
    assert.equal(most.settings['per_host'], 2)
    assert.equal((await api.clientFor('crawl').rerunCrawl({ params: { crawl_id: most.crawl_id } })).status, 'running')
    assert.equal((await make('admin', {})).settings['delay'], 'auto')
  })
})

describe('headers of the server itself', () => {
  it('are inherited by crawls of a crawl token only where they name their origin', async () => {
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

describe('a token that has expired', () => {
  it('is refused with its own words, on requests and sessions', async () => {
    const api = await startTestApi(['--require-token'])
    try {
      const expires_at = new Date(Date.now() + 3_600_000).toISOString()
      const body = { name: 'short', scope: 'read', expires_at } as const
      const made = await api.clientFor('admin').createToken({ body })
      assert.equal(made.expires_at, expires_at)
      assert.equal((await ask(api, '/api/v1/crawls', { authorization: `Bearer ${made.token}` })).status, 200)
      const past = { body: { ...body, expires_at: '2020-01-01T00:00:00Z' } }
      await assert.rejects(api.clientFor('admin').createToken(past), { code: 'BAD_REQUEST' })

      const { token, row } = makeToken({ name: 'old', scope: 'admin', expiresAt: Date.now() - 1 }, Date.now())
      await api.runtime.store.client.service<Tokens>('tokens').add(row)
      await api.clientFor('admin').createToken({ body: { name: 'fresh list', scope: 'read' } })
      const refused = await api.request('/api/v1/crawls', { headers: { authorization: `Bearer ${token}` } })
      const problem = (await refused.json()) as { code: string; detail: string }
      assert.deepEqual([refused.status, problem.code], [401, 'TOKEN_EXPIRED'])
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
  it('names token and address of every change and of every refusal', async () => {
    const api = await startTestApi(['--require-token', '--api-rate', '2'])
    try {
      const ids = new Map(
        (await api.clientFor('admin').listTokens()).items.map(({ name, token_id }) => [name, token_id]),
      )
      const lineOf = async (path: string, headers: Record<string, string>, method = 'GET') => {
        api.logLines.length = 0
        await ask(api, path, headers, method)
        const [line] = api.logLines.filter(({ event }) => event === 'request')
        return [line?.['status'], line?.['path'], line?.['token_id'], line?.['client']]
      }
      const as = (scope: Scope) => ({ authorization: `Bearer ${api.tokens[scope]}` })
      const [list, make] = ['GET /api/v1/crawls', 'POST /api/v1/crawls']
      const here = '127.0.0.1'
      assert.deepEqual(await lineOf('/api/v1/crawls', {}), [401, list, undefined, here])
      assert.deepEqual(await lineOf('/api/v1/crawls', { authorization: 'Bearer orbw_x' }), [401, list, undefined, here])
      assert.deepEqual(await lineOf('/api/v1/crawls', as('read'), 'POST'), [403, make, ids.get('read'), here])
      const foreign = { ...as('crawl'), origin: 'http://evil.test' }
      assert.deepEqual(await lineOf('/api/v1/crawls', foreign), [403, list, ids.get('crawl'), here])
      assert.deepEqual(await lineOf('/api/v1/crawls', as('crawl'), 'POST'), [400, make, ids.get('crawl'), here])
      const statuses: unknown[] = []
      for (let i = 0; i < 50 && !statuses.includes(429); i++) {
        const [status, path, token, client] = await lineOf('/api/v1/crawls', as('read'))
        statuses.push(status)
        if (status === 429) assert.deepEqual([path, token, client], [list, ids.get('read'), here])
      }
      assert.ok(statuses.includes(429))
    } finally {
      await api.close()
    }
  })

  it('names the token that a session is opened with', async () => {
    const api = await startTestApi(['--require-token'])
    try {
      await api.client.openSession({ body: { token: api.tokens.crawl } })
      const { items } = await api.clientFor('admin').listTokens()
      const line = api.logLines.find(({ path }) => path === 'POST /api/v1/session')
      assert.equal(line?.['token_id'], items.find(({ name }) => name === 'crawl')?.token_id)
    } finally {
      await api.close()
    }
  })
})

describe('streams of events', () => {
  it('are so many for each token, and no more', async () => {
    const api = await startTestApi(['--require-token', '--token-sockets', '2'])
    const gone = new AbortController()
    try {
      const open = (scope: Scope, signal = gone.signal) =>
        api.request('/api/v1/events', { headers: { authorization: `Bearer ${api.tokens[scope]}` }, signal })
      const first = new AbortController()
      assert.equal((await open('read', first.signal)).status, 200)
      assert.equal((await open('read')).status, 200)
      const third = await open('read')
      assert.equal(third.status, 429)
      assert.match(((await third.json()) as { detail: string }).detail, /2 sockets .*--token-sockets/)
      assert.equal((await open('crawl')).status, 200)
      first.abort()
      let status = 429
      while (status === 429) status = (await open('read')).status
      assert.equal(status, 200)
    } finally {
      gone.abort()
      await api.close()
    }
  })
})

describe('a limit of requests', () => {
  it('holds for each token apart, and says when to go on', async () => {
    const api = await startTestApi(['--require-token', '--api-rate', '2'])
    try {
      const get = (scope: Scope) =>
        api.request('/api/v1/crawls', { headers: { authorization: `Bearer ${api.tokens[scope]}` } })
      const first = await Promise.all(Array.from({ length: 30 }, () => get('read')))
      const refused = first.filter(({ status }) => status === 429)
      assert.ok(refused.length > 0)
      assert.equal(refused[0]?.headers.get('retry-after'), '1')
      assert.equal((await get('admin')).status, 200)
    } finally {
      await api.close()
    }
  })
})

describe('a server that others could reach', () => {
  it('does not start without a token', async () => {
    await assert.rejects(startTestApi(['--public-url', 'https://crawl.example.com', '--host', '0.0.0.0'], false), {
      code: 'ADDRESS_OPEN',
    })
    await assert.rejects(startTestApi(['--require-token'], false), { code: 'ADDRESS_OPEN' })
  })
})
