import assert from 'node:assert/strict'
import { createSecureServer } from 'node:http2'
import { createServer } from 'node:https'
import { before, describe, it, type TestContext } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { getFailure, getResponse, openClient, openSite, serveHttp } from './fixture.ts'

// For these tests only: one key, and three certificates for localhost that it signed itself.
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgt64FUGUs+g2Hs6uZ
VSnIQuJPrJB4EURaG+F42CSTsWGhRANCAAQ10+Hgvk4QX1xAvxqPuAAP6xXUa5/F
prPRz3qj8oEk0fTTLDFxiTVdx0sBqbWGxeMMWCquhSeMZWjY+xUdZtEi
-----END PRIVATE KEY-----
`
const TRUSTED = `-----BEGIN CERTIFICATE-----
MIIBazCCARGgAwIBAgIBATAKBggqhkjOPQQDAjAZMRcwFQYDVQQDDA5vcmJ3ZWF2
ZXIgdGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowGTEXMBUG
A1UEAwwOb3Jid2VhdmVyIHRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQ1
0+Hgvk4QX1xAvxqPuAAP6xXUa5/FprPRz3qj8oEk0fTTLDFxiTVdx0sBqbWGxeMM
WCquhSeMZWjY+xUdZtEio0gwRjAUBgNVHREEDTALgglsb2NhbGhvc3QwDwYDVR0T
AQH/BAUwAwEB/zAdBgNVHQ4EFgQUJKabVTikZwXr7J5zVLbxl7kYpqYwCgYIKoZI
zj0EAwIDSAAwRQIhAI7rFph8Zz6xpya2Gh5Tm/OPmRmsc2UOgD0OGbFNI9ZJAiBI
94OHCIdUNNPdSNLmg+v9AaNMpG5PJjfHG9Gcj+LJRg==
-----END CERTIFICATE-----
`
const EXPIRED = `-----BEGIN CERTIFICATE-----
MIIBcDCCARWgAwIBAgIBAjAKBggqhkjOPQQDAjAcMRowGAYDVQQDDBFvcmJ3ZWF2
ZXIgZXhwaXJlZDAeFw0yMDAxMDEwMDAwMDBaFw0yMDAyMDEwMDAwMDBaMBwxGjAY
BgNVBAMMEW9yYndlYXZlciBleHBpcmVkMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD
QgAENdPh4L5OEF9cQL8aj7gAD+sV1Gufxaaz0c96o/KBJNH00ywxcYk1XcdLAam1
hsXjDFgqroUnjGVo2PsVHWbRIqNIMEYwFAYDVR0RBA0wC4IJbG9jYWxob3N0MA8G
A1UdEwEB/wQFMAMBAf8wHQYDVR0OBBYEFCSmm1U4pGcF6+yec1S28Ze5GKamMAoG
CCqGSM49BAMCA0kAMEYCIQDcd7aeZcsoBChLxtGrPubFx/zUE7vYvgInxgd4ibGK
OgIhALG/1T/gVVrRg1Qk53qGdvADuEQ/GiD+4qs21F6YJBV4
-----END CERTIFICATE-----
`
const STRANGER = `-----BEGIN CERTIFICATE-----
MIIBczCCARmgAwIBAgIBAzAKBggqhkjOPQQDAjAdMRswGQYDVQQDDBJvcmJ3ZWF2
ZXIgc3RyYW5nZXIwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMB0x
GzAZBgNVBAMMEm9yYndlYXZlciBzdHJhbmdlcjBZMBMGByqGSM49AgEGCCqGSM49
AwEHA0IABDXT4eC+ThBfXEC/Go+4AA/rFdRrn8Wms9HPeqPygSTR9NMsMXGJNV3H
SwGptYbF4wxYKq6FJ4xlaNj7FR1m0SKjSDBGMBQGA1UdEQQNMAuCCWxvY2FsaG9z
dDAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBQkpptVOKRnBevsnnNUtvGXuRim
pjAKBggqhkjOPQQDAgNIADBFAiAapyKF/hkvi/noAUU83lgwTPdf6nxOVdKm9+Zi
i0pT/AIhAIRwxbkUeV+1CnHrKKTGaX4P+iNB0YhAskGjmAYmfH4Y
-----END CERTIFICATE-----
`

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
    const port = await serveTls(t, STRANGER)
    const failure = await getFailure(openClient(t), `https://localhost:${port}/`)
    assert.deepEqual([failure.problem, failure.detail], ['tls_invalid', 'DEPTH_ZERO_SELF_SIGNED_CERT'])
  })

  it('a certificate that has expired is refused', async (t) => {
    const port = await serveTls(t, EXPIRED)
    const failure = await getFailure(openClient(t), `https://localhost:${port}/`)
    assert.deepEqual([failure.problem, failure.detail], ['tls_invalid', 'CERT_HAS_EXPIRED'])
  })

  it('a certificate for another host is refused', async (t) => {
    const port = await serveTls(t, TRUSTED)
    const failure = await getFailure(openClient(t), `https://127.0.0.1:${port}/`)
    assert.deepEqual([failure.problem, failure.detail], ['tls_invalid', 'ERR_TLS_CERT_ALTNAME_INVALID'])
  })

  it('a host that speaks plain HTTP is refused', async (t) => {
    const { port } = await serveHttp(t, (_request, response) => response.end())
    const { problem } = await getFailure(openClient(t), `https://127.0.0.1:${port}/`)
    assert.equal(problem, 'tls_invalid')
  })

  it('a host that prefers HTTP/2 is asked in HTTP/1.1', async (t) => {
    const server = createSecureServer({ key: KEY, cert: TRUSTED, allowHTTP1: true }, (request, response) =>
      response.end(`HTTP/${request.httpVersion}`),
    )
    const { port } = await openSite(t, server)
    const answer = await getResponse(openClient(t), `https://localhost:${port}/`)
    assert.equal(answer.body.toString(), 'HTTP/1.1')
  })
})
