import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { describe, it, type TestContext } from 'node:test'
import { systemClock } from '../../lib/clock.ts'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { CodedError, classifyFetchError } from '../fetch/fetch-result.ts'
import type { DnsSources } from './name-resolver.ts'
import { openDnsServer } from './testing/dns-server.ts'
import { findAddresses, openResolver, openTestResolver, until } from './testing/test-resolver.ts'

describe('a name without addresses', () => {
  for (const { why, code } of [
    { why: 'does not exist', code: 'ENOTFOUND' },
    { why: 'has no address', code: 'ENODATA' },
    { why: 'stands for one without an address', code: 'ENODATA' },
  ]) {
    it(`is cached for a minute if it ${why}`, async (t) => {
      const { server, clock, resolver } = await openTestResolver(t)
      if (why === 'has no address') server.set('gone.test', {})
      if (why.startsWith('stands')) server.set('gone.test', { cname: 'nothing.test' })
      assert.equal(await findAddresses(resolver, 'gone.test'), code)
      clock.advance(59_999)
      assert.equal(await findAddresses(resolver, 'gone.test'), code)
      assert.equal(server.asked('gone.test', 'A'), 1)
      clock.advance(1)
      server.set('gone.test', { a: ['192.0.2.1'] })
      assert.deepEqual(await findAddresses(resolver, 'gone.test'), ['192.0.2.1'])
    })
  }

  it('is not queried if it is invalid', async (t) => {
    const { resolver } = await openTestResolver(t)
    for (const name of ['a..test', `${'x'.repeat(64)}.test`, `${'x.'.repeat(130)}test`]) {
      assert.equal(await findAddresses(resolver, name), 'EBADNAME')
    }
  })
})

describe('a failing server', () => {
  it('is queried again after five seconds', async (t) => {
    const { server, clock, resolver } = await openTestResolver(t)
    server.fail('www.test', 'SERVFAIL')
    assert.equal(await findAddresses(resolver, 'www.test'), 'ESERVFAIL')
    clock.advance(4_999)
    assert.equal(await findAddresses(resolver, 'www.test'), 'ESERVFAIL')
    server.set('www.test', { a: ['192.0.2.1'] })
    clock.advance(1)
    assert.deepEqual(await findAddresses(resolver, 'www.test'), ['192.0.2.1'])
  })

  it('leaves the last addresses in use for an hour after they expire', async (t) => {
    const { server, clock, resolver } = await openTestResolver(t)
    server.set('www.test', { a: ['192.0.2.1'], ttl: 60 })
    await findAddresses(resolver, 'www.test')
    server.fail('www.test', 'REFUSED')
    clock.advance(60_000)
    assert.deepEqual(await findAddresses(resolver, 'www.test'), ['192.0.2.1'])
    clock.advance(3_600_000)
    assert.equal(await findAddresses(resolver, 'www.test'), 'EREFUSED')
  })

  it('does not keep a name alive that no longer exists', async (t) => {
    const { server, clock, resolver } = await openTestResolver(t)
    server.set('www.test', { a: ['192.0.2.1'], ttl: 60 })
    await findAddresses(resolver, 'www.test')
    server.fail('www.test', 'NXDOMAIN')
    clock.advance(60_000)
    assert.equal(await findAddresses(resolver, 'www.test'), 'ENOTFOUND')
  })

  it('that does not respond for IPv6 delays the result by only 50 ms', async (t) => {
    const { server, clock, resolver } = await openTestResolver(t)
    server.set('www.test', { a: ['192.0.2.1'] })
    server.hold('www.test', 'AAAA')
    const result = findAddresses(resolver, 'www.test')
    // The deadline and the c-ares timeouts are seconds away.
    await until(t, () => (clock.nextAt() ?? Number.POSITIVE_INFINITY) <= clock.now() + 50)
    clock.advance(50)
    assert.deepEqual(await result, ['192.0.2.1'])
  })

  it('that does not respond causes an error at the deadline', async (t) => {
    const { server, clock, resolver } = await openTestResolver(t)
    server.hold('www.test', 'A')
    const seen = server.nextQuestion('www.test', 'A')
    const result = findAddresses(resolver, 'www.test')
    await seen
    clock.advance(8_000)
    assert.equal(await result, 'ETIMEOUT')
  })

  it('is not queried for a name whose deadline passed in the queue', async (t) => {
    const { server, clock, resolver } = await openTestResolver(t, { deadlineMs: 100 })
    const names = Array.from({ length: 60 }, (_, index) => `n${index}.test`)
    for (const name of names) server.hold(name, 'A')
    const seen = server.nextQuestion('n49.test', 'A')
    const results = names.map((name) => findAddresses(resolver, name))
    await seen
    clock.advance(250)
    assert.deepEqual(new Set(await Promise.all(results)), new Set(['ETIMEOUT']))
    await findAddresses(resolver, 'other.test')
    assert.deepEqual([server.asked('n49.test', 'A'), server.asked('n50.test'), server.asked('n59.test')], [1, 0, 0])
  })

  it('that does not respond causes an error by itself, too', async (t) => {
    const server = await openDnsServer(t)
    server.hold('www.test', 'A')
    server.hold('www.test', 'AAAA')
    const sources = sourcesOf(t, () => [server.address])
    const resolver = openResolver(t, { timeoutMs: 250, tries: 1 }, sources, systemClock)
    assert.equal(await findAddresses(resolver, 'www.test'), 'ETIMEOUT')
  })

  it('is replaced when the system configures another', async (t) => {
    const [before, after] = [await openDnsServer(t), await openDnsServer(t)]
    before.fail('www.test', 'REFUSED')
    before.hold('slow.test', 'A')
    after.set('www.test', { a: ['192.0.2.1'] })
    const clock = new ManualClock()
    let current = before
    const sources = sourcesOf(t, () => [current.address])
    const resolver = openResolver(t, {}, sources, clock)
    assert.equal(await findAddresses(resolver, 'www.test'), 'EREFUSED')
    current = after
    clock.advance(30_000)
    const slow = findAddresses(resolver, 'slow.test')
    assert.equal(await findAddresses(resolver, 'www.test'), 'EREFUSED')
    assert.equal(await slow, 'ECANCELLED')
    clock.advance(5_000)
    assert.deepEqual(await findAddresses(resolver, 'www.test'), ['192.0.2.1'])
  })

  it('that is unreachable leaves the query to the system', async (t) => {
    const socket = createSocket('udp4')
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
    const { port } = socket.address()
    await new Promise<void>((resolve) => socket.close(resolve))
    for (const servers of [[`127.0.0.1:${port}`], []]) {
      const sources: DnsSources = {
        servers: () => servers,
        system: (_name, done) => done({ kind: 'failed', code: 'EAI_AGAIN' }),
      }
      assert.equal(await findAddresses(openResolver(t, {}, sources, systemClock), 'www.test'), 'EAI_AGAIN')
    }
  })
})

it('a closed resolver cancels pending queries, and sends no more', async (t) => {
  const { server, resolver, clock } = await openTestResolver(t)
  const names = Array.from({ length: 80 }, (_, index) => `n${index}.test`)
  for (const name of names) server.hold(name, 'A')
  const seen = server.nextQuestion('n0.test', 'A')
  const results = names.map((name) => findAddresses(resolver, name))
  await seen
  resolver.close()
  assert.deepEqual(new Set(await Promise.all(results)), new Set(['ECANCELLED']))
  assert.equal(await findAddresses(resolver, 'later.test'), 'ECANCELLED')
  assert.deepEqual([server.asked('n79.test'), server.asked('later.test'), clock.nextAt()], [0, 0, null])
})

it('every code of a failed query is a dns_failed', () => {
  for (const code of [
    'ENOTFOUND',
    'ENODATA',
    'EBADNAME',
    'ESERVFAIL',
    'EREFUSED',
    'ETIMEOUT',
    'EFORMERR',
    'ENOTIMP',
    'EBADQUERY',
    'EBADRESP',
    'ECANCELLED',
    'EOF',
    'EAI_AGAIN',
    'EAI_FAIL',
  ]) {
    assert.equal(classifyFetchError(new CodedError(code)).problem, 'dns_failed', code)
  }
})

function sourcesOf(t: TestContext, servers: () => string[]): DnsSources {
  return { servers, system: () => t.assert.fail('unexpected system lookup') }
}
