import assert from 'node:assert/strict'
import type { LookupFunction } from 'node:net'
import { describe, it } from 'node:test'
import type { NameResolver } from '../dns/name-resolver.ts'
import { getFailure, getResponse, openClient, resolverWith, serveHttp } from './testing/test-client.ts'

/** A resolver with one address for every name, checked by the guard as in the real one. */
function resolverFor(address: string) {
  const lookups: string[] = []
  const asLookupFunction =
    (filter: (address: string, hostname: string) => boolean): LookupFunction =>
    (hostname, options, callback) => {
      lookups.push(hostname)
      if (!filter(address, hostname)) return callback(Object.assign(new Error(), { code: 'ADDRESS_BLOCKED' }), '', 0)
      if (options.all) callback(null, [{ address, family: 4 }])
      else callback(null, address, 4)
    }
  const peek = () => ({ address, chain: ['alias.test', 'other.test'], chainEnd: 'whole' as const })
  const lookup: NameResolver['lookup'] = (_hostname, done) => done(null, { addresses: [{ address, family: 4 }] })
  return { lookups, resolver: { asLookupFunction, lookup, peek, close: () => undefined } }
}

describe('connections to an origin', () => {
  it('use the address from the resolver', async (t) => {
    const site = await serveHttp(t, (request, response) => response.end(request.headers.host))
    const { lookups, resolver } = resolverFor('127.0.0.1')
    const client = openClient(t, { resolver })
    const url = `http://anywhere.test:${site.port}/`
    const response = await getResponse(client, url)
    assert.deepEqual([response.body.toString(), response.ip], [`anywhere.test:${site.port}`, '127.0.0.1'])
    assert.deepEqual([response.cname, client.knownAddress(url)], ['alias.test other.test', '127.0.0.1'])
    assert.deepEqual(lookups, ['anywhere.test'])
  })

  it('use the next address if the first does not respond', async (t) => {
    const site = await serveHttp(t, (_request, response) => response.end('page'))
    const addresses = [
      { address: '::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ]
    const resolver = resolverWith((_hostname, _options, callback) => callback(null, addresses))
    const client = openClient(t, { resolver, connectionsPerOrigin: 2 })
    const urls = ['/1', '/2', '/3'].map((path) => `http://anywhere.test:${site.port}${path}`)
    for (const response of await Promise.all(urls.map((url) => getResponse(client, url)))) {
      assert.deepEqual([response.body.toString(), response.ip], ['page', '127.0.0.1'])
    }
  })

  it('are rejected if the guard blocks the address of a name', async (t) => {
    const { resolver } = resolverFor('127.0.0.1')
    const client = openClient(t, { allowPrivate: false, resolver })
    assert.equal((await getFailure(client, 'http://anywhere.test/')).problem, 'address_blocked')
  })

  it('are rejected if the guard blocks a literal address', async (t) => {
    const { lookups, resolver } = resolverFor('127.0.0.1')
    const client = openClient(t, { allowPrivate: false, resolver })
    for (const host of ['127.0.0.1', '127.0.0.2', '[::1]:99', '0x7f.1', '[::ffff:7f00:1]']) {
      assert.equal((await getFailure(client, `http://${new URL(`http://${host}`).host}/`)).problem, 'address_blocked')
    }
    assert.deepEqual(lookups, [])
  })

  it('are rejected for ports of other services', async (t) => {
    const client = openClient(t)
    assert.equal((await getFailure(client, 'http://127.0.0.1:25/')).problem, 'port_blocked')
  })
})
