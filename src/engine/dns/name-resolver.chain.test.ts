import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { findAddresses, openTestResolver, until } from './testing/test-resolver.ts'

describe('the CNAME chain', () => {
  it('is recorded in order, after the address is known', async (t) => {
    const { server, resolver } = await openTestResolver(t)
    server.set('www.test', { cname: 'cdn.test' })
    server.set('cdn.test', { cname: 'Edge.test' })
    server.set('Edge.test', { a: ['192.0.2.1'] })
    server.set('edge.test', { a: ['192.0.2.1'] })
    const release = server.hold('cdn.test', 'CNAME')
    await findAddresses(resolver, 'www.test')
    assert.deepEqual(resolver.peek('www.test'), { address: '192.0.2.1', chain: [], chainEnd: 'unknown' })
    await until(t, () => server.asked('cdn.test', 'CNAME') === 1)
    release()
    await until(t, () => resolver.peek('www.test')?.chainEnd === 'whole')
    assert.deepEqual(resolver.peek('www.test')?.chain, ['cdn.test', 'edge.test'])
  })

  it('costs one query per TTL for a name without aliases', async (t) => {
    const { server, clock, resolver } = await openTestResolver(t)
    server.set('www.test', { a: ['192.0.2.1'], ttl: 60 })
    for (let time = 0; time < 3; time += 1) {
      await findAddresses(resolver, 'www.test')
      await findAddresses(resolver, 'www.test')
      await until(t, () => server.asked('www.test', 'CNAME') === time + 1)
      await until(t, () => resolver.peek('www.test')?.chainEnd === 'whole')
      clock.advance(60_000)
    }
    assert.deepEqual([server.asked('www.test', 'CNAME'), server.asked('www.test', 'A')], [3, 3])
  })

  it('stays until the next is known', async (t) => {
    const { server, clock, resolver } = await openTestResolver(t)
    server.set('www.test', { cname: 'old.test', ttl: 60 })
    for (const name of ['old.test', 'new.test']) server.set(name, { a: ['192.0.2.1'] })
    await findAddresses(resolver, 'www.test')
    await until(t, () => resolver.peek('www.test')?.chainEnd === 'whole')
    server.set('www.test', { cname: 'new.test', ttl: 60 })
    const release = server.hold('www.test', 'CNAME')
    clock.advance(60_000)
    await findAddresses(resolver, 'www.test')
    assert.deepEqual(resolver.peek('www.test')?.chain, ['old.test'])
    release()
    await until(t, () => resolver.peek('www.test')?.chain[0] === 'new.test')
  })

  it('stays if the next query fails', async (t) => {
    const { server, clock, resolver } = await openTestResolver(t)
    server.set('www.test', { cname: 'cdn.test', ttl: 60 })
    server.set('cdn.test', { a: ['192.0.2.1'] })
    await findAddresses(resolver, 'www.test')
    await until(t, () => resolver.peek('www.test')?.chainEnd === 'whole')
    server.hold('www.test', 'CNAME')
    clock.advance(60_000)
    await findAddresses(resolver, 'www.test')
    await until(t, () => server.asked('www.test', 'CNAME') === 2)
    server.hold('slow.test', 'A')
    const slow = findAddresses(resolver, 'slow.test')
    await until(t, () => server.asked('slow.test', 'A') === 1)
    resolver.close()
    // Node reports all cancelled queries at once, before the next turn of the event loop.
    assert.equal(await slow, 'ECANCELLED')
    await setImmediate()
    assert.deepEqual(resolver.peek('www.test'), { address: '192.0.2.1', chain: ['cdn.test'], chainEnd: 'whole' })
  })

  it('is complete at exactly the maximum depth, and cut if it is longer', async (t) => {
    const { server, resolver } = await openTestResolver(t, { maxChainDepth: 3 })
    for (const [name, cname] of [
      ['a.test', 'b.test'],
      ['b.test', 'c.test'],
      ['c.test', 'd.test'],
      ['d.test', 'e.test'],
    ] as const) {
      server.set(name, { cname })
    }
    server.set('e.test', { a: ['192.0.2.1'] })
    await findAddresses(resolver, 'b.test')
    await until(t, () => resolver.peek('b.test')?.chainEnd === 'whole')
    assert.deepEqual(resolver.peek('b.test')?.chain, ['c.test', 'd.test', 'e.test'])
    await findAddresses(resolver, 'a.test')
    await until(t, () => resolver.peek('a.test')?.chainEnd === 'cut')
    assert.deepEqual(resolver.peek('a.test')?.chain, ['b.test', 'c.test', 'd.test'])
    assert.equal(server.asked('e.test', 'CNAME'), 1)
  })

  it('is not queried at depth 0', async (t) => {
    const { server, resolver } = await openTestResolver(t, { maxChainDepth: 0 })
    server.set('www.test', { cname: 'cdn.test' })
    server.set('cdn.test', { a: ['192.0.2.1'] })
    assert.deepEqual(await findAddresses(resolver, 'www.test'), ['192.0.2.1'])
    assert.deepEqual(resolver.peek('www.test'), { address: '192.0.2.1', chain: [], chainEnd: 'unknown' })
    // All earlier queries have reached the server once this one is answered.
    await findAddresses(resolver, 'cdn.test')
    assert.equal(server.asked('www.test', 'CNAME'), 0)
  })
})
