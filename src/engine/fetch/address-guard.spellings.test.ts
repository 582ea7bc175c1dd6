import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { describe, it } from 'node:test'
import { assert as check, nat, property } from 'fast-check'
import { buildAddressGuard, isPublicAddress } from './address-guard.ts'
import { closedPort, getFailure, openClient, openSite } from './testing/test-client.ts'

const strict = buildAddressGuard({ allowPrivate: false, allow: [] })
const isBlockedLiteral = (hostname: string) => !strict.isNameOrAllowedAddress(hostname)

const RANGES = [
  '0.0.0.0',
  '0.255.255.255',
  '10.0.0.0',
  '10.255.255.255',
  '100.64.0.0',
  '100.127.255.255',
  '127.0.0.0',
  '127.0.0.1',
  '127.255.255.255',
  '168.63.129.16',
  '169.254.0.0',
  '169.254.169.254',
  '169.254.255.255',
  '172.16.0.0',
  '172.31.255.255',
  '192.0.0.0',
  '192.0.0.255',
  '192.0.2.0',
  '192.0.2.255',
  '192.31.196.0',
  '192.31.196.255',
  '192.52.193.0',
  '192.52.193.255',
  '192.88.99.0',
  '192.88.99.255',
  '192.168.0.0',
  '192.168.255.255',
  '192.175.48.0',
  '192.175.48.255',
  '198.18.0.0',
  '198.19.255.255',
  '198.51.100.0',
  '198.51.100.255',
  '203.0.113.0',
  '203.0.113.255',
  '224.0.0.0',
  '239.255.255.255',
  '240.0.0.0',
  '255.255.255.254',
  '255.255.255.255',
]

const hex = (number: number) => number.toString(16)
const octal = (number: number) => `0${number.toString(8)}`

/** Spellings of an IPv4 address that a URL parser treats alike. */
function spellingsOfV4(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const low = c * 256 + d
  const all = ((a * 256 + b) * 256 + c) * 256 + d
  return [
    address,
    `${address}.`,
    `${a}.${b}.${low}`,
    `${a}.${b * 65_536 + low}`,
    `${all}`,
    `0x${hex(all)}`,
    `0X${hex(all).toUpperCase()}`,
    `0x000${hex(all)}`,
    octal(all),
    `00${octal(all)}`,
    `0x${hex(a)}.0x${hex(b)}.0x${hex(c)}.0x${hex(d)}`,
    `0x${hex(a)}.${b}.${octal(c)}.${d}`,
    [a, b, c, d].map(octal).join('.'),
    `${octal(a)}.${hex(b) === '0' ? '0x' : b}.${low}`,
    address.replaceAll('.', '。'),
    address.replaceAll('.', '%2E'),
    address.replaceAll('.', '．'),
    address.replace(/\d/g, (digit) => `%3${digit}`),
    address.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    address.replace(/\d/g, (digit) => String.fromCodePoint(0x1d7ce + Number(digit))),
  ]
}

/** Ways of embedding it in an IPv6 address. */
function spellingsOfV6(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const [high, low] = [hex(a * 256 + b), hex(c * 256 + d)]
  const [notHigh, notLow] = [hex(65_535 - (a * 256 + b)), hex(65_535 - (c * 256 + d))]
  return [
    `[::ffff:${address}]`,
    `[::FFFF:${high}:${low}]`,
    `[0:0:0:0:0:ffff:${high}:${low}]`,
    `[::ffff:0:${address}]`,
    `[::${address}]`,
    `[0000:0000:0000:0000:0000:0000:${high}:${low}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b::${high}:${low}]`,
    `[64:ff9b:1::${address}]`,
    `[2002:${high}:${low}::]`,
    `[2002:${high}:${low}::1]`,
    `[2001:0:102:304:0:0:${notHigh}:${notLow}]`,
    `[fe80::5efe:${address}]`,
  ]
}

const V6_SPELLINGS = [
  '[::]',
  '[0:0:0:0:0:0:0:0]',
  '[::0.0.0.0]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000::0001]',
  '[::0.0.0.1]',
  '[fe80::1]',
  '[FE80::1]',
  '[fc00::]',
  '[fd00:ec2::254]',
  '[FD00:0EC2:0:0:0:0:0:0254]',
  '[ff02::1]',
  '[5f00::1]',
  '[2001:10::1]',
  '[2001:20::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[100::1]',
  '[fec0::1]',
]
const PUBLIC_LITERALS = [
  '8.8.8.8',
  '0x08080808',
  '010.8.8.8',
  '134744072',
  '[2606:2800:220:1::]',
  '[2606:2800:220:1::8.8.8.8]',
]
const NAMES = ['example.com', 'localhost', '127.0.0.1.example', '0x7f.example']

const hostOf = (spelling: string) => new URL(`http://${spelling}/`).hostname

describe('a non-public literal', () => {
  const guard = buildAddressGuard({ allowPrivate: false, allow: [] })

  for (const address of RANGES) {
    it(`is rejected in every spelling of ${address}`, () => {
      for (const spelling of [...spellingsOfV4(address), ...spellingsOfV6(address)]) {
        assert.equal(isBlockedLiteral(hostOf(spelling)), true, `${spelling} is ${hostOf(spelling)}`)
        assert.equal(guard.isNameOrAllowedAddress(hostOf(spelling)), false, spelling)
      }
    })
  }

  it('is rejected in every spelling of IPv6', () => {
    for (const spelling of V6_SPELLINGS) assert.equal(guard.isNameOrAllowedAddress(hostOf(spelling)), false, spelling)
  })

  it('is recognised by its address, whatever its spelling', () => {
    check(
      property(nat(0xffff_ffff), (number) => {
        const address = [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.')
        const hosts = new Set(spellingsOfV4(address).map(hostOf))
        assert.deepEqual([...hosts], [address])
        assert.equal(isBlockedLiteral(address), !isPublicAddress(address))
      }),
    )
  })

  it('is neither a public address nor a name, which is resolved later', () => {
    for (const host of [...PUBLIC_LITERALS, ...NAMES]) {
      assert.equal(isBlockedLiteral(hostOf(host)), false, host)
      assert.equal(guard.isNameOrAllowedAddress(hostOf(host)), true, host)
    }
  })
})

describe('a client without access to private addresses', () => {
  it('never connects to any spelling of loopback', async (t) => {
    const site = await openSite(t, createServer())
    const client = openClient(t, { allowPrivate: false })
    const loopback = [...spellingsOfV4('127.0.0.1'), ...spellingsOfV6('127.0.0.1'), ...spellingsOfV4('0.0.0.0')]
    for (const spelling of [...loopback, ...V6_SPELLINGS, 'localhost', 'LOCALHOST', '0', '127.1']) {
      for (const scheme of ['http', 'https']) {
        const { href } = new URL(`${scheme}://${spelling}:${site.port}/`)
        assert.equal((await getFailure(client, href)).problem, 'address_blocked', href)
      }
    }
    assert.equal(site.connections(), 0)
  })

  it('reports blocked, not refused, if nobody listens', async (t) => {
    const client = openClient(t, { allowPrivate: false })
    const failure = await getFailure(client, `http://localhost:${await closedPort()}/`)
    assert.deepEqual([failure.problem, failure.ip], ['address_blocked', null])
  })
})
