import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toDnsFailure } from './dns-result.ts'
import { systemLookup } from './system-lookup.ts'
import { findAddresses, openTestResolver } from './testing/test-resolver.ts'

describe('the system lookup', () => {
  it('resolves names that DNS servers do not know, and its results are cached', async (t) => {
    const { server, clock, resolver, systemLookups } = await openTestResolver(t)
    for (const name of ['printer', 'box.local', 'PRINTER'])
      assert.deepEqual(await findAddresses(resolver, name), ['10.0.0.1'])
    assert.deepEqual(systemLookups, ['printer', 'box.local'])
    clock.advance(60_000)
    await findAddresses(resolver, 'printer')
    assert.equal(systemLookups.length, 3)
    // All earlier queries have reached the servers once this one is answered.
    await findAddresses(resolver, 'www.test')
    assert.deepEqual([server.asked('printer'), server.asked('box.local')], [0, 0])
  })

  it('is not used for localhost and its subdomains, which are loopback', async (t) => {
    const { server, resolver, systemLookups } = await openTestResolver(t)
    for (const name of ['localhost', 'LOCALHOST.', 'app.localhost']) {
      assert.deepEqual(await findAddresses(resolver, name), ['127.0.0.1', '::1'])
      assert.equal(resolver.peek(name)?.address, '127.0.0.1')
    }
    assert.deepEqual([systemLookups, server.asked('app.localhost')], [[], 0])
    server.set('notlocalhost.test', { a: ['192.0.2.1'] })
    assert.deepEqual(await findAddresses(resolver, 'notlocalhost.test'), ['192.0.2.1'])
  })

  it('returns addresses', async () => {
    const outcome = await new Promise((resolve) => systemLookup('127.0.0.1', resolve))
    assert.deepEqual(outcome, { kind: 'found', addresses: [{ address: '127.0.0.1', family: 4 }], ttlMs: 60_000 })
  })

  it('is definite about a missing name, and about no other failure', () => {
    const failure = (code: string) => toDnsFailure(Object.assign(new Error(code), { code }))
    assert.deepEqual(failure('ENOTFOUND'), { kind: 'none', code: 'ENOTFOUND' })
    for (const code of ['EAI_AGAIN', 'EAI_FAIL', 'EMFILE']) assert.deepEqual(failure(code), { kind: 'failed', code })
  })
})
