import assert from 'node:assert/strict'
import { it } from 'node:test'
import { DigestAuth, digestHeader, readDigestChallenge } from './digest-auth.ts'

const challengeOf = (...values: string[]) =>
  readDigestChallenge(values.flatMap((value) => ['WWW-Authenticate', value])) ?? assert.fail('no challenge')
const responseOf = (header: string) => /response="(\w+)"/.exec(header)?.[1]

it('the responses of the examples in RFC 7616 and RFC 2617 are computed', () => {
  const common =
    'realm="http-auth@example.org", qop="auth, auth-int", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"'
  const request = {
    uri: '/dir/index.html',
    count: 1,
    clientNonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
  }
  const credentials = { user: 'Mufasa', password: 'Circle of Life' }
  const md5 = digestHeader(credentials, challengeOf(`Digest ${common}, algorithm=MD5, opaque="FQhe/qaU"`), request)
  assert.equal(responseOf(md5), '8ca523f5e9506fed4657c9700eebdbec')
  assert.match(
    md5,
    /^Digest username="Mufasa", realm="http-auth@example\.org", uri="\/dir\/index\.html", algorithm=MD5, /,
  )
  assert.match(md5, /, nc=00000001, qop=auth, cnonce="f2\/.*", opaque="FQhe\/qaU"$/)
  // The better algorithm is used, whatever the order.
  const both = challengeOf(`Digest ${common}, algorithm=MD5`, `Basic realm="x", Digest ${common}, algorithm=SHA-256`)
  const sha = '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'
  assert.equal(responseOf(digestHeader(credentials, both, request)), sha)

  const old = challengeOf('Digest realm="testrealm@host.com",qop="auth",nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"')
  const oldHeader = digestHeader({ user: 'Mufasa', password: 'Circle Of Life' }, old, {
    ...request,
    clientNonce: '0a4f113b',
  })
  assert.equal(responseOf(oldHeader), '6629fae49393a05397450978507c4ef1')
})

it('a challenge that cannot be answered is none', () => {
  const read = (value: string) => readDigestChallenge(['www-authenticate', value])
  assert.equal(read('Basic realm="a"'), null)
  assert.equal(read('Digest realm="a", nonce="b", algorithm=SHA-512-256, qop="auth"'), null)
  assert.equal(read('Digest realm="a", nonce="b", qop="auth-int"'), null)
  assert.equal(read('Digest realm="a", qop="auth"'), null)
  assert.equal(read(`Digest realm="a", nonce="${'x'.repeat(5000)}"`), null)
  assert.equal(read('Digest realm="a \\"b\\", c", nonce="d"')?.realm, 'a \\"b\\", c')
})

it('a nonce is used until it is stale, and wrong credentials are not sent again', () => {
  const auth = new DigestAuth((origin) => (origin === 'http://a.test' ? { user: 'u', password: 'p' } : null))
  const challenge = (nonce: string, more = '') => [
    'WWW-Authenticate',
    `Digest realm="r", nonce="${nonce}", qop="auth"${more}`,
  ]
  assert.equal(auth.headerFor('http://a.test', '/'), null)
  assert.equal(auth.accept('http://b.test', null, challenge('1')), false)
  assert.equal(auth.accept('http://a.test', null, challenge('1')), true)
  const first = auth.headerFor('http://a.test', '/') ?? assert.fail()
  const second = auth.headerFor('http://a.test', '/x?y') ?? assert.fail()
  assert.match(first.value, /nonce="1", nc=00000001/)
  assert.match(second.value, /uri="\/x\?y", nonce="1", nc=00000002/)
  assert.equal(auth.accept('http://a.test', second.challenge, challenge('2')), false)
  assert.equal(auth.accept('http://a.test', second.challenge, challenge('2', ', stale=true')), true)
  assert.match(auth.headerFor('http://a.test', '/')?.value ?? '', /nonce="2", nc=00000001/)
  assert.equal(auth.headerFor('http://b.test', '/'), null)
})
