import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type LookupFunction } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { buildAddressGuard } from '../fetch/address-guard.ts'
import { classifyFetchError } from '../fetch/fetch-result.ts'
import { openTestResolver } from './testing/test-resolver.ts'

type LookupOptions = Parameters<LookupFunction>[1]

function ask(lookup: LookupFunction, name: string, options: LookupOptions): Promise<unknown> {
  return new Promise((resolve) => {
    lookup(name, options, (error, address, family) => {
      if (error !== null) resolve(classifyFetchError(error).detail)
      else resolve(Array.isArray(address) ? address : [address, family])
    })
  })
}

async function listen(t: TestContext): Promise<{ port: number; connections: () => number }> {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return { port: (server.address() as AddressInfo).port, connections: () => connections }
}

describe('asLookupFunction', () => {
  it('returns one address or all, of the requested family', async (t) => {
    const { server, resolver } = await openTestResolver(t)
    server.set('www.test', { a: ['192.0.2.1'], aaaa: ['2001:db8::1'] })
    server.set('four.test', { a: ['192.0.2.4'] })
    const lookup = resolver.asLookupFunction(() => true)
    const both = [
      { address: '192.0.2.1', family: 4 },
      { address: '2001:db8::1', family: 6 },
    ]
    assert.deepEqual(await ask(lookup, 'www.test', { all: true }), both)
    assert.deepEqual(await ask(lookup, 'www.test', {}), ['192.0.2.1', 4])
    assert.deepEqual(await ask(lookup, 'www.test', { family: 6 }), ['2001:db8::1', 6])
    assert.deepEqual(await ask(lookup, 'www.test', { family: 'IPv4', all: true }), both.slice(0, 1))
    assert.equal(await ask(lookup, 'four.test', { family: 6 }), 'ENODATA')
    assert.equal(await ask(lookup, 'nowhere.test', { all: true }), 'ENOTFOUND')
  })

  it('omits addresses that the filter rejects, and is blocked if none is left', async (t) => {
    const { server, resolver } = await openTestResolver(t)
    server.set('www.test', { a: ['192.0.2.1'], aaaa: ['2001:db8::1'] })
    const seen: string[] = []
    const lookup = resolver.asLookupFunction((address, hostname) => {
      seen.push(`${hostname} ${address}`)
      return address.includes(':')
    })
    assert.deepEqual(await ask(lookup, 'www.test', { all: true }), [{ address: '2001:db8::1', family: 6 }])
    assert.deepEqual(seen, ['www.test 192.0.2.1', 'www.test 2001:db8::1'])
    assert.equal(await ask(lookup, 'www.test', { family: 4 }), 'ADDRESS_BLOCKED')
  })

  it('lets a socket connect', async (t) => {
    const { server, resolver } = await openTestResolver(t)
    const { port } = await listen(t)
    server.set('www.test', { a: ['127.0.0.1'] })
    const socket = connect({ host: 'www.test', port, lookup: resolver.asLookupFunction(() => true) })
    await once(socket, 'connect')
    assert.equal(socket.remoteAddress, '127.0.0.1')
    socket.destroy()
  })

  it('blocks a name that is public first and loopback when it is dialled', async (t) => {
    const { server, clock, resolver } = await openTestResolver(t)
    const site = await listen(t)
    const guard = buildAddressGuard({ allowPrivate: false, allow: [] })
    const lookup = resolver.asLookupFunction(guard.isAllowed)
    server.set('rebind.test', { a: ['93.184.216.34'], ttl: 0 })
    assert.deepEqual(await ask(lookup, 'rebind.test', {}), ['93.184.216.34', 4])
    server.set('rebind.test', { a: ['127.0.0.1'], aaaa: ['::ffff:127.0.0.1'], ttl: 0 })
    clock.advance(10_000)
    const socket = connect({ host: 'rebind.test', port: site.port, lookup })
    const [error] = await once(socket, 'error').catch((thrown) => [thrown])
    assert.equal(classifyFetchError(error).problem, 'address_blocked')
    assert.equal(site.connections(), 0)
  })
})
