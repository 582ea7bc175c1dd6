import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { redact, redactLink } from './redact.ts'

const SECRET = 'hunter2'

describe('redacted text', () => {
  it('contains no secrets of URLs', () => {
    for (const name of [
      'token',
      'access_token',
      'auth_token',
      'refresh-token',
      'X-Amz-Signature',
      'X-Amz-Security-Token',
      'sig',
      'client_secret',
      'api_key',
      'apikey',
      'key',
      'jwt',
      'code',
      'pwd',
      'password',
      'PHPSESSID',
      'sid',
      'user.pass',
    ]) {
      assert.equal(redact(`http://a.test/?q=1&${name}=${SECRET}&page=2`), `http://a.test/?q=1&${name}=***&page=2`)
    }
    assert.equal(redact(`http://a.test/p;jsessionid=${SECRET}?q=1`), 'http://a.test/p;jsessionid=***?q=1')
    assert.equal(
      redact(`http://a.test/?to=%2Fb%3Ftoken%3D${SECRET}%26q%3D1`),
      'http://a.test/?to=%2Fb%3Ftoken%3D***%26q%3D1',
    )
    assert.equal(redact(`http://user:${SECRET}@x@a.test/`), 'http://***@a.test/')
  })

  it('keeps parameters that only look like secrets', () => {
    for (const text of [
      'http://a.test/?keyword=shoes&design=1&postcode=1&author=me&monkey=1&session-length=',
      'http://a.test/@user/post?passage=4',
      'mail me@a.test about http://a.test/',
    ]) {
      assert.equal(redact(text), text)
    }
  })

  it('contains no user names and passwords of links, even if they are misspelt', () => {
    for (const link of [
      `//admin:${SECRET}@ho st/`,
      `http:\\\\admin:${SECRET}@host/`,
      `https:admin:${SECRET}@host:99999/`,
      `http://admin:hun ${SECRET}@host/`,
      `https:///u:${SECRET}@h/`,
      `http://admin:hun@${SECRET}@host/`,
    ]) {
      assert.doesNotMatch(redactLink(link), new RegExp(SECRET), link)
    }
    assert.equal(redactLink('/@user/post'), '/@user/post')
    assert.equal(redactLink('javascript:void(0)'), 'javascript:void(0)')
  })
})
