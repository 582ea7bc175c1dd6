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

  it('a page arrives from a host with a valid certificate', async (t) => {
    const port = await serveTls(t, TRUSTED)
    const response = await getResponse(openClient(t), `https://localhost:${port}/`)
    assert.deepEqual([response.status, response.body.toString()], [200, 'HTTP/1.1'])
  })

  it('an untrusted certificate is rejected', async (t) => {
    const port = await serveTls(t, UNTRUSTED)
    const failure = await getFailure(openClient(t), `https://localhost:${port}/`)
    assert.deepEqual([failure.problem, failure.detail], ['tls_untrusted', 'DEPTH_ZERO_SELF_SIGNED_CERT'])
  })

  it('an expired certificate is rejected', async (t) => {
    const port = await serveTls(t, EXPIRED)
    const failure = await getFailure(openClient(t), `https://localhost:${port}/`)
    assert.deepEqual([failure.problem, failure.detail], ['tls_expired', 'CERT_HAS_EXPIRED'])
  })

  it('a certificate for another host is rejected', async (t) => {
    const port = await serveTls(t, TRUSTED)
    const failure = await getFailure(openClient(t), `https://127.0.0.1:${port}/`)
    assert.deepEqual([failure.problem, failure.detail], ['tls_wrong_host', 'ERR_TLS_CERT_ALTNAME_INVALID'])
  })

  it('an insecure client accepts any certificate', async (t) => {
    const client = openClient(t, { insecure: true })
    for (const cert of [TRUSTED, EXPIRED, UNTRUSTED]) {
      const response = await getResponse(client, `https://127.0.0.1:${await serveTls(t, cert)}/`)
      assert.equal(response.status, 200)
    }
  })

  it('a connection resumes the session of the previous one', async (t) => {
    const isReused: boolean[] = []
    const server = createServer({ key: KEY, cert: TRUSTED }, ({ socket }, response) => {
      isReused.push((socket as TLSSocket).isSessionReused())
      response.setHeader('Connection', 'close').end()
    })
    const site = await openSite(t, server)
    const client = openClient(t)
    for (let i = 0; i < 3; i++) await getResponse(client, `https://localhost:${site.port}/${i}`)
    assert.deepEqual(isReused, [false, true, true])
  })

  it('a host that speaks first is dialled once', async (t) => {
    const server = createTlsServer({ key: KEY, cert: TRUSTED, maxVersion: 'TLSv1.2' }, (socket) => {
      socket.on('error', () => undefined).write('220 ready\r\n')
    })
    const site = await openSite(t, server)
    const { problem } = await getFailure(openClient(t), `https://localhost:${site.port}/`)
    assert.deepEqual([problem, site.connections()], ['http_invalid', 1])
  })

  it('a host that speaks plain HTTP is rejected', async (t) => {
    const { port } = await serveHttp(t, (_request, response) => response.end())
    const { problem } = await getFailure(openClient(t), `https://127.0.0.1:${port}/`)
    assert.equal(problem, 'tls_invalid')
  })
})
