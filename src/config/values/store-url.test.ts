import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseStoreUrl, type StoreUrl, withoutPassword } from './store-url.ts'

function parsed(text: string): StoreUrl {
  const url = parseStoreUrl(text)
  return 'expected' in url ? assert.fail(`${text}: ${url.expected}`) : url
}

function urlsOf(text: string): string[] {
  return parsed(text).servers.map(({ url }) => url)
}

function expectedFor(text: string): string {
  const url = parseStoreUrl(text)
  return 'expected' in url ? url.expected : assert.fail(`${text} was accepted`)
}

describe('the URL of a store', () => {
  it('with one server is passed to the driver as it is', () => {
    for (const text of [
      'postgres://db.test/crawls',
      'postgresql://u:p%40ss@[::1]:5433/crawls?sslmode=disable',
      'postgres:///crawls',
      'postgres://%2Frun%2Fpg/crawls',
    ]) {
      assert.deepEqual(urlsOf(text), [text])
    }
    assert.deepEqual(urlsOf('postgres:///crawls?host=/run/pg'), ['postgres:///crawls?host=%2Frun%2Fpg'])
    assert.equal(parsed('postgres://db.test/crawls').role, 'any')
  })

  it('with several servers has a URL for each, and needs one that accepts writes', () => {
    const { servers, location, role } = parsed('postgres://u:secret@a:5432,b,[::1]:5434/crawls?application_name=x')
    assert.deepEqual(servers, [
      { name: 'a:5432', url: 'postgres://u:secret@a:5432/crawls?application_name=x' },
      { name: 'b:5432', url: 'postgres://u:secret@b/crawls?application_name=x' },
      { name: '[::1]:5434', url: 'postgres://u:secret@[::1]:5434/crawls?application_name=x' },
    ])
    assert.equal(location, 'a:5432,b:5432,[::1]:5434/crawls')
    assert.equal(role, 'read-write')
  })

  it('may name servers and ports as parameters', () => {
    assert.deepEqual(urlsOf('postgres://u@/crawls?host=a,b&port=1,2'), [
      'postgres://u@/crawls?host=a&port=1',
      'postgres://u@/crawls?host=b&port=2',
    ])
    assert.deepEqual(urlsOf('postgres://a,b/crawls?port=6432'), [
      'postgres://a:6432/crawls',
      'postgres://b:6432/crawls',
    ])
  })

  it('keeps parameters of libpq from the driver, which does not know them', () => {
    const text = 'postgres://a,b/crawls?target_session_attrs=primary&connect_timeout=3'
    assert.deepEqual(urlsOf(text), ['postgres://a/crawls', 'postgres://b/crawls'])
    const { role, connectTimeoutMs } = parsed(text)
    assert.deepEqual([role, connectTimeoutMs], ['primary', 3000])
    assert.equal(parsed('postgres://a,b/crawls?target_session_attrs=any&connect_timeout=0').connectTimeoutMs, null)
  })

  it('verifies certificates in every encrypted mode, unless told otherwise', () => {
    const modeOf = (query: string) => urlsOf(`postgres://a/crawls?${query}`)[0]?.split('?')[1]
    for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full']) {
      assert.equal(modeOf(`sslmode=${mode}&x=1`), 'sslmode=verify-full&x=1')
    }
    for (const query of ['sslmode=disable', 'sslmode=no-verify', 'uselibpqcompat=true&sslmode=require']) {
      assert.equal(modeOf(query), query)
    }
  })

  it('cannot ask for a standby', () => {
    for (const role of ['standby', 'prefer-standby', 'read-only', 'primary,any', '']) {
      assert.match(expectedFor(`postgres://a,b/crawls?target_session_attrs=${role}`), /is read-write, primary or any/)
    }
  })

  it('is rejected if servers and ports do not match', () => {
    const wrong = ['a:1,:2', 'a,,b', 'a:x,b', 'a:70000,b', 'a:1:2', 'a b']
    for (const authority of wrong) assert.match(expectedFor(`postgres://u:p@${authority}/crawls`), /^a URL such as/)
    for (const query of ['host=a,b&port=1,2,3', 'host=a,,b', 'host=a&port=x']) {
      assert.match(expectedFor(`postgres:///crawls?${query}`), /a port per host or one for all/)
    }
    assert.match(expectedFor('postgres://a:1/crawls?connect_timeout=soon'), /in seconds/)
  })

  it('can be shown without the password', () => {
    const shown = [
      ['postgres://u:secret@a:1,b:2/crawls?sslmode=disable', 'postgres://u@a:1,b:2/crawls?sslmode=disable'],
      ['postgres://u:se@cret@a/crawls', 'postgres://u@a/crawls'],
      ['postgres://:secret@a/crawls', 'postgres://@a/crawls'],
      ['postgres:///crawls?host=a,b&password=secret', 'postgres:///crawls?host=a,b'],
      ['postgres:///crawls?password=secret', 'postgres:///crawls'],
      ['postgres://a:1,b:2/crawls', 'postgres://a:1,b:2/crawls'],
    ] as const
    for (const [text, clean] of shown) assert.equal(withoutPassword(text), clean)
  })
})
