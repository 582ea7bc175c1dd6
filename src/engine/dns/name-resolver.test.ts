import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findAddresses, openTestResolver } from './testing/test-resolver.ts'

describe('NameResolver', () => {
  it('returns addresses of both families, IPv4 first', async (t) => {
    const { server, clock, resolver } = await openTestResolver(t)
    server.set('both.test', { a: ['192.0.2.1', '192.0.2.2'], aaaa: ['2001:db8::1'] })
    server.set('six.test', { aaaa: ['2001:db8::6'] })
    assert.deepEqual((await findAddresses(resolver, 'both.test')).at(-1), '2001:db8::1')
    assert.deepEqual(
      new Set(await findAddresses(resolver, 'both.test')),
      new Set(['192.0.2.1', '192.0.2.2', '2001:db8::1']),
    )
    assert.deepEqual(await findAddresses(resolver, 'six.test'), ['2001:db8::6'])
    assert.equal(clock.nextAt(), null)
  })

  it('queries again only after the shortest TTL', async (t) => {
    const { server, clock, resolver } = await openTestResolver(t)
    server.set('www.test', { cname: 'origin.test', ttl: 40 })
    server.set('origin.test', { a: ['192.0.2.1'], ttl: 300 })
    await findAddresses(resolver, 'www.test')
    server.set('origin.test', { a: ['192.0.2.2'], ttl: 300 })
    clock.advance(39_999)
    assert.deepEqual(await findAddresses(resolver, 'www.test'), ['192.0.2.1'])
    clock.advance(1)
    assert.deepEqual(await findAddresses(resolver, 'www.test'), ['192.0.2.2'])
    assert.deepEqual([server.asked('www.test', 'A'), server.asked('www.test', 'AAAA')], [2, 2])
  })

  for (const { ttl, cachedMs } of [
    { ttl: 0, cachedMs: 10_000 },
    { ttl: 10, cachedMs: 10_000 },
    { ttl: 3_600, cachedMs: 3_600_000 },
    { ttl: 604_800, cachedMs: 3_600_000 },
  ]) {
    it(`caches a result with a TTL of ${ttl} s for ${cachedMs / 1000} s`, async (t) => {
      const { server, clock, resolver } = await openTestResolver(t)
      server.set('www.test', { a: ['192.0.2.1'], ttl })
      await findAddresses(resolver, 'www.test')
      clock.advance(cachedMs - 1)
      await findAddresses(resolver, 'www.test')
      assert.equal(server.asked('www.test', 'A'), 1)
      clock.advance(1)
      await findAddresses(resolver, 'www.test')
      assert.equal(server.asked('www.test', 'A'), 2)
    })
  }

  it('sends one query for concurrent lookups of a name', async (t) => {
    const { server, resolver } = await openTestResolver(t)
    server.set('www.test', { a: ['192.0.2.1'] })
    const release = server.hold('www.test', 'A')
    const seen = server.nextQuestion('www.test', 'A')
    const first = findAddresses(resolver, 'www.test')
    await seen
    const rest = ['www.test', 'WWW.test', 'www.test.'].map((name) => findAddresses(resolver, name))
    release()
    assert.deepEqual(new Set((await Promise.all([first, ...rest])).flat()), new Set(['192.0.2.1']))
    assert.deepEqual([server.asked('www.test', 'A'), server.asked('www.test', 'AAAA')], [1, 1])
  })

  it('never calls back synchronously', async (t) => {
    const { server, resolver } = await openTestResolver(t)
    server.set('www.test', { a: ['192.0.2.1'] })
    for (const name of ['www.test', 'www.test', 'nowhere.test', 'nowhere.test', 'localhost', '192.0.2.7', '[::1]']) {
      let isBack = false
      await new Promise<void>((resolve) => {
        resolver.lookup(name, () => {
          isBack = true
          resolve()
        })
        assert.equal(isBack, false, name)
      })
    }
  })

  it('sends no query for an address', async (t) => {
    const { resolver, systemLookups } = await openTestResolver(t)
    assert.deepEqual(await findAddresses(resolver, '192.0.2.7'), ['192.0.2.7'])
    assert.deepEqual(await findAddresses(resolver, '[2001:db8::7]'), ['2001:db8::7'])
    assert.deepEqual(systemLookups, [])
  })

  it('evicts the least recently used name', async (t) => {
    const { server, resolver } = await openTestResolver(t, { maxNames: 2 })
    for (const name of ['a.test', 'b.test', 'c.test']) server.set(name, { a: ['192.0.2.1'] })
    for (const name of ['a.test', 'b.test', 'a.test', 'c.test', 'a.test']) await findAddresses(resolver, name)
    assert.deepEqual([server.asked('a.test', 'A'), resolver.peek('b.test')], [1, null])
    await findAddresses(resolver, 'b.test')
    assert.equal(server.asked('b.test', 'A'), 2)
  })

  it('peeks at cached results, even expired ones, without a query', async (t) => {
    const { server, clock, resolver } = await openTestResolver(t, { maxChainDepth: 0 })
    server.set('www.test', { a: ['192.0.2.1'] })
    assert.equal(resolver.peek('www.test'), null)
    await findAddresses(resolver, 'www.test')
    clock.advance(86_400_000)
    assert.equal(resolver.peek('WWW.test.')?.address, '192.0.2.1')
    assert.equal(resolver.peek('[::1]')?.address, '::1')
    await findAddresses(resolver, 'nowhere.test')
    assert.equal(resolver.peek('nowhere.test'), null)
    assert.equal(server.asked('www.test'), 2)
  })
})
