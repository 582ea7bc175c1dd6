import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { headersByOrigin } from './custom-headers.ts'

function sentTo(origin: string, headers: string[], startUrls: string[]): string[] {
  const usual = new Set(['user-agent', 'accept', 'accept-language', 'accept-encoding'])
  const sent = headersByOrigin({ userAgent: 'Bot/1', headers, auth: [], startUrls })(origin)
  return sent.filter(([name]) => !usual.has(name)).map(([name, value]) => `${name}: ${value}`)
}

const START = ['http://a.test:8080/start?x', 'https://b.test/']

describe('a header of the crawl', () => {
  it('goes to the origins of the start urls and nowhere else', () => {
    const to = (origin: string) => sentTo(origin, ['X-Key: k'], START)
    for (const origin of ['http://a.test:8080', 'https://b.test']) assert.deepEqual(to(origin), ['x-key: k'], origin)
    const others = ['http://a.test', 'https://a.test:8080', 'http://b.test', 'https://www.b.test', 'https://b.test:444']
    for (const origin of others) assert.deepEqual(to(origin), [], origin)
  })

  it('follows a host from http to https where both have their usual ports, and not back', () => {
    assert.deepEqual(sentTo('https://a.test', ['X-Key: k'], ['http://a.test/']), ['x-key: k'])
    assert.deepEqual(sentTo('https://[::1]', ['X-Key: k'], ['http://[::1]/']), ['x-key: k'])
    assert.deepEqual(sentTo('https://a.test', ['X-Key: k'], ['http://a.test:8080/']), [])
    assert.deepEqual(sentTo('http://a.test', ['X-Key: k'], ['https://a.test/']), [])
  })

  it('goes to the origin that it names, in any spelling, and not to the start', () => {
    const headers = ['HTTPS://C.test:443 X-Key: c', 'http://münchen.test X-Town: m']
    assert.deepEqual(sentTo('https://c.test', headers, START), ['x-key: c'])
    assert.deepEqual(sentTo('http://xn--mnchen-3ya.test', headers, START), ['x-town: m'])
    assert.deepEqual(sentTo('https://b.test', headers, START), [])
  })

  it('goes everywhere with a star', () => {
    assert.deepEqual(sentTo('http://z.test', ['* X-Team: t'], START), ['x-team: t'])
  })

  it('for one origin replaces one of its name for more', () => {
    const headers = ['* X-A: any', 'X-A: start', 'https://b.test x-a: b', 'X-B: 1', 'X-B: 2']
    assert.deepEqual(sentTo('http://z.test', headers, START), ['x-a: any'])
    assert.deepEqual(sentTo('http://a.test:8080', headers, START), ['x-a: start', 'x-b: 1', 'x-b: 2'])
    assert.deepEqual(sentTo('https://b.test', headers, START), ['x-a: b', 'x-b: 1', 'x-b: 2'])
  })
})

describe('credentials for a host', () => {
  const START_URLS = ['http://a.test:8080/', 'https://b.test/']
  const sentWith = (origin: string, auth: string) => {
    const headers = headersByOrigin({ userAgent: 'Bot/1', headers: [], auth: [auth], startUrls: START_URLS })(origin)
    return headers.some(([name]) => name === 'authorization')
  }

  it('without a port go to the start URLs of that host, whatever their port', () => {
    assert.ok(sentWith('http://a.test:8080', 'a.test=user:password'))
    assert.ok(sentWith('https://a.test', 'a.test=user:password'))
    for (const origin of ['http://a.test', 'https://a.test:8080', 'http://a.test:81', 'http://b.test'])
      assert.ok(!sentWith(origin, 'a.test=user:password'), origin)
  })

  it('go to no other host if that host has the name of a keyword', () => {
    for (const host of ['any', 'start', '*']) assert.ok(!sentWith('https://b.test', `${host}=user:password`), host)
  })

  it('with a port go there only', () => {
    assert.ok(sentWith('http://a.test:8080', 'a.test:8080=user:password'))
    assert.ok(!sentWith('https://a.test', 'a.test:8080=user:password'))
    assert.ok(!sentWith('https://b.test', 'b.test:8443=user:password'))
  })
})
