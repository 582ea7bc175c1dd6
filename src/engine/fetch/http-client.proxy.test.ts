import assert from 'node:assert/strict'
import { createServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { buildAddressGuard } from './address-guard.ts'
import type { ProxyChange } from './http-client.ts'
import { buildProxyRoutes } from './proxy/proxy-routes.ts'
import { KEY, TRUSTED } from './testing/certificates.ts'
import { serveH2 } from './testing/h2-servers.ts'
import { closedPort, get, getFailure, getResponse, openClient, openSite, serveHttp } from './testing/test-client.ts'
import { serveHttpProxy, serveSocksProxy } from './testing/test-proxy.ts'

const through = (...lines: string[]) => ({ proxies: buildProxyRoutes(lines, {}), insecure: true })
const BASIC = `Basic ${Buffer.from('user:pä:ss').toString('base64')}`

function serveSecure(t: TestContext) {
  return openSite(
    t,
    createServer({ key: KEY, cert: TRUSTED }, ({ headers }, response) => response.end(JSON.stringify(headers))),
  )
}

describe('through an HTTP proxy', () => {
  it('plain requests name the whole URL, and https ones ask for a tunnel', async (t) => {
    const proxy = await serveHttpProxy(t)
    const [plain, secure] = [await serveHttp(t, (_, response) => response.end('plain')), await serveSecure(t)]
    const client = openClient(t, through(`http://127.0.0.1:${proxy.port}`))
    const response = await getResponse(client, `http://shop.test:${plain.port}/a?b=1`)
    assert.deepEqual([response.body.toString(), response.ip], ['plain', null])
    assert.equal(response.proxy, `http://127.0.0.1:${proxy.port}`)
    await getResponse(client, `https://shop.test:${secure.port}/`)
    await getResponse(client, `https://shop.test:${secure.port}/again`)
    assert.deepEqual(proxy.requests, [`GET http://shop.test:${plain.port}/a?b=1`, `CONNECT shop.test:${secure.port}`])
  })

  it('HTTP/2 works inside the tunnel', async (t) => {
    const proxy = await serveHttpProxy(t)
    const site = await serveH2(t, ({ httpVersion }, response) => response.end(httpVersion))
    const client = openClient(t, through(`127.0.0.1:${proxy.port}`))
    assert.equal((await getResponse(client, `https://localhost:${site.port}/`)).body.toString(), '2.0')
  })

  it('over TLS to the proxy, with user and password that the site never sees', async (t) => {
    const proxy = await serveHttpProxy(t, { tls: { key: KEY, cert: TRUSTED }, authorization: BASIC })
    const [plain, secure] = [
      await serveHttp(t, ({ headers }, response) => response.end(JSON.stringify(headers))),
      await serveSecure(t),
    ]
    const client = openClient(t, {
      ...through(`https://user:p%C3%A4:ss@127.0.0.1:${proxy.port}`),
      sentHeads: 'full',
    })
    for (const url of [`http://a.test:${plain.port}/x`, `https://a.test:${secure.port}/x`]) {
      const { body, sent } = await getResponse(client, url)
      assert.doesNotMatch(`${body}${sent}`, /proxy-authorization|Basic/i)
      assert.match(sent ?? '', /^GET \/x HTTP/)
    }
  })

  it('a target that the proxy does not allow is no failure of the proxy', async (t) => {
    const proxy = await serveHttpProxy(t, { connectStatus: 403 })
    const client = openClient(t, through(`http://127.0.0.1:${proxy.port}`))
    assert.equal((await getFailure(client, 'https://a.test/')).problem, 'proxy_refused')
    assert.equal((await getFailure(client, 'https://a.test/')).problem, 'proxy_refused')
  })

  it('a wrong password fails the proxy; a target that it cannot reach fails as if we could not reach it', async (t) => {
    for (const [connectStatus, problem] of [
      [401, 'proxy_failed'],
      [502, 'connect_refused'],
      [504, 'connect_timeout'],
    ] as const) {
      const proxy = await serveHttpProxy(t, { connectStatus })
      const client = openClient(t, through(`http://127.0.0.1:${proxy.port}`))
      assert.equal((await getFailure(client, 'https://a.test/')).problem, problem)
    }
  })
})

describe('through a SOCKS proxy', () => {
  it('socks5h passes names on, socks5 resolves them first', async (t) => {
    const proxy = await serveSocksProxy(t)
    const site = await serveHttp(t, (_, response) => response.end('here'))
    const remote = openClient(t, through(`socks5h://127.0.0.1:${proxy.port}`))
    assert.equal((await getResponse(remote, `http://shop.test:${site.port}/`)).body.toString(), 'here')
    const local = openClient(t, through(`socks5://127.0.0.1:${proxy.port}`))
    const response = await getResponse(local, `http://localhost:${site.port}/`)
    assert.equal(response.ip, '127.0.0.1')
    assert.deepEqual(proxy.requests, [`shop.test:${site.port}`, `127.0.0.1:${site.port}`])
  })

  it('user and password are sent, and wrong ones are a failure of the proxy', async (t) => {
    const proxy = await serveSocksProxy(t, { password: 'user:secret' })
    const site = await serveSecure(t)
    const client = openClient(t, through(`socks5h://user:secret@127.0.0.1:${proxy.port}`))
    assert.equal((await getResponse(client, `https://a.test:${site.port}/`)).status, 200)
    const wrong = openClient(t, through(`socks5h://user:wrong@127.0.0.1:${proxy.port}`))
    assert.equal((await getFailure(wrong, `https://a.test:${site.port}/`)).problem, 'proxy_failed')
  })

  it('its refusals are those of the target', async (t) => {
    for (const [reply, problem] of [
      [2, 'proxy_refused'],
      [4, 'connect_refused'],
      [6, 'connect_timeout'],
      [7, 'proxy_failed'],
      [8, 'proxy_refused'],
      [240, 'connect_refused'],
    ] as const) {
      const proxy = await serveSocksProxy(t, { reply })
      const client = openClient(t, through(`socks5h://127.0.0.1:${proxy.port}`))
      assert.equal((await getFailure(client, 'http://a.test/')).problem, problem, String(reply))
    }
  })
})

describe('the address guard', () => {
  it('refuses private addresses and ports of other services without asking the proxy', async (t) => {
    const [http, socks] = [await serveHttpProxy(t), await serveSocksProxy(t)]
    for (const line of [`http://127.0.0.1:${http.port}`, `socks5h://127.0.0.1:${socks.port}`]) {
      const client = openClient(t, { ...through(line), allowPrivate: false })
      for (const host of [
        '127.0.0.1',
        '[::1]',
        '10.0.0.1',
        '0x7f.1',
        'localhost',
        'a.localhost',
        'router',
        'metadata.google.internal.',
      ])
        for (const scheme of ['http', 'https'])
          assert.equal(
            (await getFailure(client, `${new URL(`${scheme}://${host}/`)}`)).problem,
            'address_blocked',
            host,
          )
      assert.equal((await getFailure(client, 'http://a.test:25/')).problem, 'port_blocked')
    }
    assert.deepEqual([http.connections(), socks.connections()], [0, 0])
  })

  it('checks the address of a name with socks5', async (t) => {
    const proxy = await serveSocksProxy(t)
    const client = openClient(t, {
      ...through(`socks5://127.0.0.1:${proxy.port}`),
      allowPrivate: false,
      resolver: {
        asLookupFunction: () => () => assert.fail('no direct connection'),
        lookup: (_name, done) => queueMicrotask(() => done(null, { addresses: [{ address: '10.1.2.3', family: 4 }] })),
        peek: () => null,
        close: () => undefined,
      },
    })
    assert.equal((await getFailure(client, 'http://inner.test/')).problem, 'address_blocked')
    assert.equal(proxy.connections(), 0)
  })
})

describe('the address guard allows', () => {
  it('names of private networks if they are listed, and all others', async (t) => {
    const proxy = await serveHttpProxy(t)
    const site = await serveHttp(t, (_, response) => response.end())
    const client = openClient(t, {
      ...through(`http://127.0.0.1:${proxy.port}`),
      guard: buildAddressGuard({ allowPrivate: false, allow: ['wiki.internal'] }),
    })
    for (const host of ['wiki.internal', 'internal.shop.test'])
      assert.equal((await getResponse(client, `http://${host}:${site.port}/`)).status, 200)
    assert.equal((await getFailure(client, `http://db.internal:${site.port}/`)).problem, 'address_blocked')
  })
})

describe('a site cannot set a proxy aside that works', () => {
  it('by 407, over a tunnel never, otherwise while others get through', async (t) => {
    const proxy = await serveHttpProxy(t)
    const refuses = await openSite(
      t,
      createServer({ key: KEY, cert: TRUSTED }, (_, response) => response.writeHead(407).end()),
    )
    const plain = await serveHttp(t, (_, response) => response.writeHead(407).end())
    const site = await serveHttp(t, (_, response) => response.end())
    const client = openClient(t, through(`http://127.0.0.1:${proxy.port}`))
    assert.equal((await getResponse(client, `https://a.test:${refuses.port}/`)).status, 407)
    for (let i = 0; i < 5; i += 1) {
      assert.equal((await getResponse(client, `http://b.test:${site.port}/`)).status, 200)
      assert.equal((await getResponse(client, `http://a.test:${plain.port}/`)).status, 407)
    }
  })

  it('by what makes the proxy close connections; in a row it is the proxy for a time', async (t) => {
    const clock = new ManualClock()
    const proxy = await serveHttpProxy(t)
    const site = await serveHttp(t, (_, response) => response.end())
    const client = openClient(t, through(`http://127.0.0.1:${proxy.port}`), clock)
    await getResponse(client, `http://b.test:${site.port}/`)
    const problems: string[] = []
    const unreachable = await closedPort()
    for (let i = 0; i < 8; i += 1) {
      problems.push((await getFailure(client, `https://a.test:${unreachable}/`)).problem)
      if (problems.at(-1) === 'proxy_failed') clock.advance(60_000)
    }
    const three = Array<string>(3).fill('connection_lost')
    assert.deepEqual(problems, [...three, 'proxy_failed', ...three, 'proxy_failed'])
  })
})

describe('several proxies', () => {
  it('take turns, and hosts of a pattern have their own or none', async (t) => {
    const [one, two, three] = [await serveHttpProxy(t), await serveHttpProxy(t), await serveHttpProxy(t)]
    const site = await serveHttp(t, (_, response) => response.end())
    const client = openClient(
      t,
      through(
        `http://127.0.0.1:${one.port}`,
        `http://127.0.0.1:${two.port}`,
        `*.own.test=http://127.0.0.1:${three.port}`,
        'localhost=direct',
      ),
    )
    for (const path of ['1', '2', '3', '4']) await getResponse(client, `http://a.test:${site.port}/${path}`)
    await getResponse(client, `http://x.own.test:${site.port}/`)
    await getResponse(client, `http://localhost:${site.port}/`)
    assert.deepEqual([one.requests.length, two.requests.length, three.requests.length], [2, 2, 1])
  })

  it('one that fails is set aside for a growing time, and its requests take another', async (t) => {
    const clock = new ManualClock()
    const changes: ProxyChange[] = []
    const works = await serveHttpProxy(t)
    const site = await serveHttp(t, (_, response) => response.end())
    const broken = `http://127.0.0.1:${await closedPort()}`
    const client = openClient(
      t,
      { ...through(broken, `http://127.0.0.1:${works.port}`), onProxyChange: (change) => changes.push(change) },
      clock,
    )
    for (let round = 0; round < 3; round += 1) {
      for (let i = 0; i < 3; i += 1) await getResponse(client, `http://a.test:${site.port}/`)
      clock.advance(60_000)
    }
    assert.deepEqual(
      changes.map(({ proxy, detail, pauseMs, isHopeless }) => ({ proxy, detail, pauseMs, isHopeless })),
      [1000, 2000, 4000].map((pauseMs) => ({
        proxy: broken,
        detail: 'PROXY_ECONNREFUSED',
        pauseMs,
        isHopeless: false,
      })),
    )
    assert.equal(works.requests.length, 9)
  })

  it('if all fail, requests say when to try again, and never reach the site directly', async (t) => {
    const clock = new ManualClock(1000)
    const changes: ProxyChange[] = []
    const site = await serveHttp(t, (_, response) => response.end())
    const line = `http://127.0.0.1:${await closedPort()}`
    const client = openClient(t, { ...through(line), onProxyChange: (change) => changes.push(change) }, clock)
    const url = `http://localhost:${site.port}/`
    for (const retryAt of [2000, 4000, 8000, 16_000]) {
      const failure = await getFailure(client, url)
      assert.deepEqual([failure.problem, failure.proxyRetryAt], ['proxy_failed', retryAt])
      const again = await getFailure(client, url)
      assert.deepEqual([again.detail, again.proxyRetryAt], ['PROXY_SET_ASIDE', retryAt])
      clock.advance(retryAt - clock.now())
    }
    assert.equal(site.connections(), 0)
    assert.deepEqual(
      changes.map(({ isHopeless }) => isHopeless),
      [false, false, false, true],
    )
  })

  it('a wrong password sets a proxy aside, for plain and for secure pages', async (t) => {
    const proxy = await serveHttpProxy(t, { authorization: BASIC })
    for (const url of ['http://a.test/', 'https://a.test/']) {
      const client = openClient(t, through(`http://user:wrong@127.0.0.1:${proxy.port}`))
      assert.equal((await getFailure(client, url)).problem, 'proxy_failed')
    }
  })
})

it('a proxy that answers nonsense fails, whatever it says', async (t) => {
  const answers = ['HTTP/1.1 200 OK\r\n\r\nSSH-2.0', 'nonsense\r\n\r\n', `HTTP/1.1 200 ${'x'.repeat(20_000)}`, '']
  for (const answer of answers) {
    const site = await openSite(
      t,
      createTcpServer((socket) => socket.once('data', () => socket.end(answer))),
    )
    for (const scheme of ['http', 'socks5h']) {
      const client = openClient(t, through(`${scheme}://127.0.0.1:${site.port}`))
      const result = await get(client, 'https://a.test/')
      assert.equal(result.kind === 'failure' && result.problem, 'proxy_failed', `${scheme} ${answer.slice(0, 30)}`)
    }
  }
})
