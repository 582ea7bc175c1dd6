import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { describe, it } from 'node:test'
import { closedPort, getFailure, openClient, openSite } from './fixture.ts'
import { isBlockedLiteral, isPublicAddress } from './guard.ts'

/** First and last address of each range; the registries are IANA's for special purposes, RFC 6890. */
const NOT_PUBLIC = {
  'this network': ['0.0.0.0', '0.255.255.255'],
  'private, 10/8': ['10.0.0.0', '10.255.255.255'],
  'shared by carriers': ['100.64.0.0', '100.127.255.255'],
  loopback: ['127.0.0.0', '127.0.0.1', '127.255.255.255'],
  'link-local, cloud metadata': ['169.254.0.0', '169.254.169.254', '169.254.255.255'],
  'private, 172.16/12': ['172.16.0.0', '172.31.255.255'],
  'protocol assignments': ['192.0.0.0', '192.0.0.170', '192.0.0.255'],
  'documentation 1': ['192.0.2.0', '192.0.2.255'],
  'AS112, first': ['192.31.196.0', '192.31.196.255'],
  AMT: ['192.52.193.0', '192.52.193.255'],
  '6to4 relays': ['192.88.99.0', '192.88.99.255'],
  'private, 192.168/16': ['192.168.0.0', '192.168.255.255'],
  'AS112, second': ['192.175.48.0', '192.175.48.255'],
  benchmarks: ['198.18.0.0', '198.19.255.255'],
  'documentation 2': ['198.51.100.0', '198.51.100.255'],
  'documentation 3': ['203.0.113.0', '203.0.113.255'],
  multicast: ['224.0.0.0', '239.255.255.255'],
  'reserved and broadcast': ['240.0.0.0', '255.255.255.254', '255.255.255.255'],
  'unspecified, IPv6': ['::', '0:0:0:0:0:0:0:0'],
  'loopback, IPv6': ['::1'],
  'IPv4-compatible': ['::127.0.0.1', '::8.8.8.8'],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::ffff:10.1.2.3', '::ffff:8.8.8.8'],
  'IPv4-translated': ['::ffff:0:127.0.0.1'],
  NAT64: ['64:ff9b::', '64:ff9b::127.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b::ffff:ffff'],
  'NAT64, local': ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  'discard only': ['100::', '100::ffff:ffff:ffff:ffff', '100:0:0:1::'],
  Teredo: ['2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  'protocol assignments, IPv6': ['2001:1::1', '2001:2::', '2001:4:112::', '2001:20::', '2001:30::', '2001:1ff:ffff::'],
  'documentation, IPv6': ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '3fff::', '3fff:fff::'],
  '6to4': ['2002::', '2002:7f00:1::', '2002:ffff:ffff::'],
  'AS112, IPv6': ['2620:4f:8000::', '2620:4f:8000:ffff::'],
  'segment routing': ['5f00::', '5f00:ffff::'],
  'unique local': ['fc00::', 'fd00::1', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'link-local, IPv6': ['fe80::', 'fe80::1', 'fe80::1%eth0', 'febf:ffff::'],
  'site-local': ['fec0::', 'feff::'],
  'multicast, IPv6': ['ff00::', 'ff02::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  unassigned: ['1000::', '4000::', '8000::', 'e000::'],
}

/** Just outside the ranges above. */
const PUBLIC = [
  ...['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'],
  ...['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255', '192.0.1.0', '192.0.3.0'],
  ...['192.31.195.255', '192.31.197.0', '192.52.192.255', '192.52.194.0', '192.88.98.255', '192.88.100.0'],
  ...['192.167.255.255', '192.169.0.0', '192.175.47.255', '192.175.49.0', '198.17.255.255', '198.20.0.0'],
  ...['198.51.99.255', '198.51.101.0', '203.0.112.255', '203.0.114.0', '223.255.255.255', '8.8.8.8'],
  ...['2000::', '2001:200::', '2001:db7:ffff::', '2001:db9::', '2001:ffff::', '2003::', '2001:4860:4860::8888'],
  ...['2606:2800:220:1::', '2620:4f:7fff::', '2620:4f:8001::', '3ffe:ffff::', '3fff:1000::', '3fff:ffff::'],
]

describe('isPublicAddress', () => {
  for (const [range, addresses] of Object.entries(NOT_PUBLIC)) {
    it(`is false for ${range}`, () => {
      assert.deepEqual(
        addresses.filter((address) => isPublicAddress(address)),
        [],
      )
    })
  }

  it('is true right outside of these', () => {
    assert.deepEqual(
      PUBLIC.filter((address) => !isPublicAddress(address)),
      [],
    )
  })

  it('is false for what is no address', () => {
    for (const text of ['', 'example.com', '127.1', '0x7f000001', '8.8.8.8.8', '1.2.3.04', '[2000::]']) {
      assert.equal(isPublicAddress(text), false, text)
    }
  })
})

const LOOPBACK_SPELLINGS = [
  ...['127.0.0.1', '127.1', '127.0.1', '2130706433', '017700000001', '0x7f000001', '0x7f.1', '0177.0.0.1'],
  ...['0x7F.0x0.0x0.0x1', '127.0.0.1.', '%31%32%37.0.0.1', '１２７.０.０.１', '127。0。0。1'],
  ...['[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::FFFF:7F00:1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]'],
  ...['0', '0.0.0.0', '[::]', '169.254.169.254', '0xa9fea9fe', '[::ffff:169.254.169.254]', '[fe80::1]'],
]

describe('isBlockedLiteral', () => {
  it('knows every spelling of an address once it is parsed as a url', () => {
    for (const spelling of LOOPBACK_SPELLINGS) {
      const { hostname } = new URL(`http://${spelling}/`)
      assert.equal(isBlockedLiteral(hostname), true, `${spelling} is ${hostname}`)
    }
  })

  it('lets public addresses and names pass, which are looked up later', () => {
    for (const host of [
      '8.8.8.8',
      '0x08080808',
      '[2606:2800:220:1::]',
      'example.com',
      'localhost',
      '127.0.0.1.example',
    ]) {
      assert.equal(isBlockedLiteral(new URL(`http://${host}/`).hostname), false, host)
    }
  })
})

describe('a client that may not reach private addresses', () => {
  it('makes no connection to any spelling of loopback', async (t) => {
    const site = await openSite(t, createServer())
    const client = openClient(t, { allowPrivate: false })
    for (const spelling of [...LOOPBACK_SPELLINGS, 'localhost', 'LOCALHOST']) {
      for (const scheme of ['http', 'https']) {
        const { href } = new URL(`${scheme}://${spelling}:${site.port}/`)
        assert.equal((await getFailure(client, href)).problem, 'address_blocked', href)
      }
    }
    assert.equal(site.connections(), 0)
  })

  it('says blocked, not refused, where nobody listens', async (t) => {
    const client = openClient(t, { allowPrivate: false })
    const failure = await getFailure(client, `http://localhost:${await closedPort()}/`)
    assert.deepEqual([failure.problem, failure.ip], ['address_blocked', null])
  })
})
