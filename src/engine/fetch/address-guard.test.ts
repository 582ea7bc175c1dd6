import assert from 'node:assert/strict'
import { isIPv4 } from 'node:net'
import { describe, it } from 'node:test'
import { bigInt, assert as check, constantFrom, oneof, property, tuple } from 'fast-check'
import { isPublicAddress } from './address-guard.ts'

/** First and last address of each range, from IANA's special-purpose registries (RFC 6890). */
const NOT_PUBLIC: Record<string, [first: string, last: string]> = {
  'this network': ['0.0.0.0', '0.255.255.255'],
  'private, 10/8': ['10.0.0.0', '10.255.255.255'],
  'shared by carriers': ['100.64.0.0', '100.127.255.255'],
  loopback: ['127.0.0.0', '127.255.255.255'],
  'the host of an Azure machine': ['168.63.129.16', '168.63.129.16'],
  'link-local': ['169.254.0.0', '169.254.255.255'],
  'private, 172.16/12': ['172.16.0.0', '172.31.255.255'],
  'protocol assignments': ['192.0.0.0', '192.0.0.255'],
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
  'reserved and broadcast': ['240.0.0.0', '255.255.255.255'],
  'unspecified, IPv6': ['::', '::'],
  'loopback, IPv6': ['::1', '::1'],
  'IPv4-compatible': ['::0.0.0.2', '::255.255.255.255'],
  'IPv4-mapped': ['::ffff:0.0.0.0', '::ffff:255.255.255.255'],
  'IPv4-translated': ['::ffff:0:0.0.0.0', '::ffff:0:255.255.255.255'],
  NAT64: ['64:ff9b::', '64:ff9b::ffff:ffff'],
  'NAT64, local': ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  'discard only': ['100::', '100::ffff:ffff:ffff:ffff'],
  'dummy prefix': ['100:0:0:1::', '100::1:ffff:ffff:ffff:ffff'],
  'all below global unicast': ['::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  Teredo: ['2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  'benchmarks, IPv6': ['2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff'],
  'AMT, IPv6': ['2001:3::', '2001:3:ffff:ffff:ffff:ffff:ffff:ffff'],
  'AS112, IPv6': ['2001:4:112::', '2001:4:112:ffff:ffff:ffff:ffff:ffff'],
  ORCHID: ['2001:10::', '2001:1f:ffff:ffff:ffff:ffff:ffff:ffff'],
  'ORCHID, second': ['2001:20::', '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff'],
  'drone tags': ['2001:30::', '2001:3f:ffff:ffff:ffff:ffff:ffff:ffff'],
  'protocol assignments, IPv6': ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'documentation, IPv6': ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  '6to4': ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'AS112, IPv6, second': ['2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  'documentation, IPv6, second': ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'segment routing': ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'unique local': ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'link-local, IPv6': ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'site-local': ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'multicast, IPv6': ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'all above global unicast': ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
}

/** Metadata services of cloud providers. */
const METADATA = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.0.23',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fe80::a9fe:a9fe',
  '::ffff:169.254.169.254',
  'fe80::1%eth0',
]

/** The addresses just outside these ranges. */
const PUBLIC = [
  '1.0.0.0',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '168.63.129.17',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '191.255.255.255',
  '192.0.1.0',
  '192.0.1.255',
  '192.0.3.0',
  '192.31.195.255',
  '192.31.197.0',
  '192.52.192.255',
  '192.52.194.0',
  '192.88.98.255',
  '192.88.100.0',
  '192.167.255.255',
  '192.169.0.0',
  '192.175.47.255',
  '192.175.49.0',
  '198.17.255.255',
  '198.20.0.0',
  '198.51.99.255',
  '198.51.101.0',
  '203.0.112.255',
  '203.0.114.0',
  '223.255.255.255',
  '8.8.8.8',
  '2000::',
  '2001:4860:4860::8888',
  '2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  '2001:200::',
  '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
  '2001:db9::',
  '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  '2003::',
  '2620:4f:7fff:ffff:ffff:ffff:ffff:ffff',
  '2620:4f:8001::',
  '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  '3fff:1000::',
  '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
]

/** IPv6 without abbreviations, from any spelling. */
function groupsOf(address: string): string[] {
  const hex = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  const [head = [], tail = []] = hex.split('::').map((part) => part.split(':').filter(Boolean))
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
}

function numberOf(address: string): bigint {
  if (isIPv4(address)) return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)
  return groupsOf(address).reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n)
}

function addressOf(number: bigint, family: 4 | 6): string {
  const [length, bits, base, dot] = family === 4 ? [4, 8n, 10, '.'] : [8, 16n, 16, ':']
  const parts = Array.from({ length }, (_, at) => BigInt.asUintN(Number(bits), number >> (bits * BigInt(at))))
  return parts
    .reverse()
    .map((part) => part.toString(base))
    .join(dot)
}

describe('isPublicAddress', () => {
  for (const [range, ends] of Object.entries(NOT_PUBLIC)) {
    it(`is false for the whole range: ${range}`, () => {
      for (const end of ends) assert.equal(isPublicAddress(end), false, end)
    })
  }

  it('is false for metadata services of clouds', () => {
    assert.deepEqual(METADATA.filter(isPublicAddress), [])
  })

  it('is true just outside these ranges', () => {
    assert.deepEqual(
      PUBLIC.filter((address) => !isPublicAddress(address)),
      [],
    )
  })

  it('is true for everything outside these ranges', () => {
    const ranges = Object.values(NOT_PUBLIC).map(([first, last]) => {
      return { family: isIPv4(first) ? 4 : 6, first: numberOf(first), last: numberOf(last) } as const
    })
    const nearEnd = tuple(constantFrom(...ranges), constantFrom('first', 'last'), bigInt(-300n, 300n)).map(
      ([range, end, off]) => ({ family: range.family, number: range[end] + off }),
    )
    const anywhere = oneof(
      bigInt(0n, 2n ** 32n - 1n).map((number) => ({ family: 4 as const, number })),
      bigInt(0n, 2n ** 128n - 1n).map((number) => ({ family: 6 as const, number })),
      bigInt(2n ** 125n, 2n ** 126n - 1n).map((number) => ({ family: 6 as const, number })),
    )
    check(
      property(oneof(nearEnd, anywhere), ({ family, number }) => {
        const wrapped = BigInt.asUintN(family === 4 ? 32 : 128, number)
        const isListed = ranges.some((r) => r.family === family && r.first <= wrapped && wrapped <= r.last)
        assert.equal(isPublicAddress(addressOf(wrapped, family)), !isListed)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is false for anything that is not an address', () => {
    for (const text of ['', 'example.com', '127.1', '0x7f000001', '8.8.8.8.8', '1.2.3.04', '[2000::]']) {
      assert.equal(isPublicAddress(text), false, text)
    }
  })
})
