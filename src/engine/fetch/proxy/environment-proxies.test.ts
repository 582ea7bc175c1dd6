import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Environment, proxiesFromEnvironment } from './environment-proxies.ts'

const proxyFor = (env: Environment, url: string) => proxiesFromEnvironment(env)(new URL(url))?.name ?? null

it('each scheme has its variable, ALL_PROXY is for the rest, and lower case goes first', () => {
  const env = { HTTP_PROXY: 'one:1', http_proxy: 'two:2', ALL_PROXY: 'socks5h://three:3' }
  assert.equal(proxyFor(env, 'http://a.test/'), 'http://two:2')
  assert.equal(proxyFor(env, 'https://a.test/'), 'socks5h://three:3')
  assert.equal(proxyFor({}, 'https://a.test/'), null)
  assert.equal(proxyFor({ HTTPS_PROXY: '' }, 'https://a.test/'), null)
})

it('NO_PROXY names hosts with their subdomains, ports, addresses and ranges', () => {
  const env = { ALL_PROXY: 'p:1', NO_PROXY: 'a.test, .b.test,c.test:8080 10.0.0.0/8,::1,*.d.test' }
  const direct = ['http://a.test/', 'https://x.a.test/', 'http://b.test/', 'http://c.test:8080/', 'http://x.d.test/']
  for (const url of [...direct, 'http://10.1.2.3/', 'http://[::1]/']) assert.equal(proxyFor(env, url), null, url)
  for (const url of ['http://xa.test/', 'http://c.test/', 'http://11.0.0.1/', 'http://[::2]/'])
    assert.equal(proxyFor(env, url), 'http://p:1', url)
  assert.equal(proxyFor({ ALL_PROXY: 'p:1', NO_PROXY: '*' }, 'http://a.test/'), null)
})

it('an invalid variable is an error that does not show it', () => {
  assert.throws(
    () => proxyFor({ HTTP_PROXY: 'ftp://user:geheim@h' }, 'http://a.test/'),
    (error: Error) => /HTTP_PROXY/.test(error.message) && !error.message.includes('geheim'),
  )
})
