import assert from 'node:assert/strict'
import { createServer } from 'node:https'
import { before, describe, it, type TestContext } from 'node:test'
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { EXPIRED, KEY, TRUSTED, UNTRUSTED } from './testing/certificates.ts'
import { getFailure, getResponse, openClient, openSite, serveHttp } from './testing/test-client.ts'

async function serveTls(t: TestContext, cert: string): Promise<number> {
  const server = createServer({ key: KEY, cert }, (request, response) => response.end(`HTTP/${request.httpVersion}`))
  return (await openSite(t, server)).port
}

describe('over TLS', () => {
  before(() => setDefaultCACertificates([...getCACertificates('default'), TRUSTED, EXPIRED]))

  it('a page comes from a host with a good certificate', async (t) => {
    const port = await serveTls(t, TRUSTED)
    const answer = await getResponse(openClient(t), `https://localhost:${port}/`)
    assert.deepEqual([answer.status, answer.body.toString()], [200, 'HTTP/1.1'])
  })

  it('a certificate that nobody vouches for is refused', async (t) => {
    const port = await serveTls(t, UNTRUSTED)
    const failure = await getFailure(openClient(t), `https://localhost:${port}/`)
    assert.deepEqual([failure.problem, failure.detail], ['tls_untrusted', 'DEPTH_ZERO_SELF_SIGNED_CERT'])
  })

  it('a certificate that has expired is refused', async (t) => {
    const port = await serveTls(t, EXPIRED)
    const failure = await getFailure(openClient(t), `https://localhost:${port}/`)
    assert.deepEqual([failure.problem, failure.detail], ['tls_expired', 'CERT_HAS_EXPIRED'])
  })

  it('a certificate for another host is refused', async (t) => {
    const port = await serveTls(t, TRUSTED)
    const failure = await getFailure(openClient(t), `https://127.0.0.1:${port}/`)
    assert.deepEqual([failure.problem, failure.detail], ['tls_wrong_host', 'ERR_TLS_CERT_ALTNAME_INVALID'])
  })

  it('a client that is told so takes any certificate', async (t) => {
    const client = openClient(t, { insecure: true })
    for (const cert of [TRUSTED, EXPIRED, UNTRUSTED]) {
      const answer = await getResponse(client, `https://127.0.0.1:${await serveTls(t, cert)}/`)
      assert.equal(answer.status, 200)
    }
  })

  it('a connection takes up the session of the one before it', async (t) => {
    const taken: boolean[] = []
    const server = createServer({ key: KEY, cert: TRUSTED }, ({ socket }, response) => {
      taken.push((socket as TLSSocket).isSessionReused())
      response.setHeader('Connection', 'close').end()
    })
    const site = await openSite(t, server)
    const client = openClient(t)
    for (let i = 0; i < 3; i++) await getResponse(client, `https://localhost:${site.port}/${i}`)
    assert.deepEqual(taken, [false, true, true])
  })

  it('a host that speaks before it is asked is dialled once', async (t) => {
    const server = createTlsServer({ key: KEY, cert: TRUSTED, maxVersion: 'TLSv1.2' }, (socket) => {
      socket.on('error', () => undefined).write('220 ready\r\n')
    })
    const site = await openSite(t, server)
    const { problem } = await getFailure(openClient(t), `https://localhost:${site.port}/`)
    assert.deepEqual([problem, site.connections()], ['http_invalid', 1])
  })

  it('a host that speaks plain HTTP is refused', async (t) => {
    const { port } = await serveHttp(t, (_request, response) => response.end())
    const { problem } = await getFailure(openClient(t), `https://127.0.0.1:${port}/`)
    assert.equal(problem, 'tls_invalid')
  })
})
