import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseAllowlistEntry } from '../../config/values/allowlist-entry.ts'
import { AppError } from '../../lib/errors.ts'
import { buildAddressGuard } from './address-guard.ts'

describe('parseAllowlistEntry', () => {
  it('reads addresses, ranges and names', () => {
    for (const [text, entry] of [
      ['10.0.0.0/8', { kind: 'range', net: '10.0.0.0', bits: 8, family: 'ipv4' }],
      ['0.0.0.0/0', { kind: 'range', net: '0.0.0.0', bits: 0, family: 'ipv4' }],
      ['192.168.1.5', { kind: 'range', net: '192.168.1.5', bits: 32, family: 'ipv4' }],
      ['::1', { kind: 'range', net: '::1', bits: 128, family: 'ipv6' }],
      ['[::1]', { kind: 'range', net: '::1', bits: 128, family: 'ipv6' }],
      [' fd00::/8 ', { kind: 'range', net: 'fd00::', bits: 8, family: 'ipv6' }],
      ['intranet.example', { kind: 'name', name: 'intranet.example', isSubdomainOnly: false }],
      ['Intranet.Example.', { kind: 'name', name: 'intranet.example', isSubdomainOnly: false }],
      ['*.corp.example', { kind: 'name', name: 'corp.example', isSubdomainOnly: true }],
      ['bücher.example', { kind: 'name', name: 'xn--bcher-kva.example', isSubdomainOnly: false }],
      ['localhost', { kind: 'name', name: 'localhost', isSubdomainOnly: false }],
      ['my_box', { kind: 'name', name: 'my_box', isSubdomainOnly: false }],
    ] as const) {
      assert.deepEqual(parseAllowlistEntry(text), entry, text)
    }
  })

  it('says what it expected', () => {
    for (const text of [
      ...['', ' ', '*', '*.', '*.*.example', 'a.*.example', '.example', 'a..example', 'a b', 'http://a.example', 'a/b'],
      ...[
        'a.example:80',
        'user@a.example',
        '127.1',
        '0x7f000001',
        '2130706433',
        '１２７.０.０.１',
        '*.127.0.0.1',
        '1.2.3.4.5',
      ],
      ...[
        'a.example/8',
        '10.0.0.0/8/8',
        'fe80::1%eth0',
        '[::1',
        '::1]',
        '[::1]:80',
        'a%2eexample',
        'a?b',
        'a#b',
        'a\\b',
      ],
    ]) {
      const entry = parseAllowlistEntry(text)
      assert.match(entry.kind === 'bad' ? entry.expected : '', /^an address, a range .* or a host name/, text)
    }
    for (const text of ['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/-1', '10.0.0.0/8.0', '10.0.0.0/255.0.0.0']) {
      assert.deepEqual(parseAllowlistEntry(text), {
        kind: 'bad',
        expected: 'a range with 0 to 32 bits after the slash',
      })
    }
    assert.deepEqual(parseAllowlistEntry('::/129'), {
      kind: 'bad',
      expected: 'a range with 0 to 128 bits after the slash',
    })
  })
})

describe('a guard', () => {
  const guard = buildAddressGuard({
    allowPrivate: false,
    allow: ['10.1.0.0/16', '192.168.1.5', '::1', 'fd12::/16', 'intranet.example', '*.corp.example'],
  })

  it('lets the listed addresses through, and their neighbours not', () => {
    for (const address of ['10.1.0.0', '10.1.255.255', '192.168.1.5', '::1', 'fd12::', 'fd12:ffff::1', '8.8.8.8']) {
      assert.equal(guard.isAllowed(address, 'www.example'), true, address)
      assert.equal(guard.isNameOrAllowedAddress(address.includes(':') ? `[${address}]` : address), true, address)
    }
    for (const address of ['10.0.255.255', '10.2.0.0', '192.168.1.4', '192.168.1.6', '::', '::2', 'fd11::', 'fd13::']) {
      assert.equal(guard.isAllowed(address, 'www.example'), false, address)
      assert.equal(guard.isNameOrAllowedAddress(address.includes(':') ? `[${address}]` : address), false, address)
    }
  })

  it('does not let a listed IPv4 address through inside of an IPv6 one', () => {
    for (const address of ['::ffff:10.1.0.1', '::10.1.0.1', '64:ff9b::10.1.0.1', '2002:0a01:1::']) {
      assert.equal(guard.isAllowed(address, 'www.example'), false, address)
    }
    const every6 = buildAddressGuard({ allowPrivate: false, allow: ['::/0'] })
    assert.deepEqual([every6.isAllowed('::1', 'a'), every6.isAllowed('127.0.0.1', 'a')], [true, false])
  })

  it('lets listed names through, wherever they lead', () => {
    for (const host of ['intranet.example', 'INTRANET.example.', 'a.corp.example', 'a.b.corp.example']) {
      assert.equal(guard.isAllowed('10.9.9.9', host), true, host)
    }
    for (const host of ['www.intranet.example', 'corp.example', 'notcorp.example', 'corp.example.evil.example', '']) {
      assert.equal(guard.isAllowed('10.9.9.9', host), false, host)
    }
  })

  it('refuses what is no address', () => {
    for (const text of ['', '127.1', 'www.example', '[::1]']) {
      assert.equal(guard.isAllowed(text, 'www.example'), false, text)
    }
  })

  it('lets everything through when private addresses are allowed', () => {
    const open = buildAddressGuard({ allowPrivate: true, allow: [] })
    assert.equal(open.isAllowed('127.0.0.1', 'www.example'), true)
    assert.equal(open.isNameOrAllowedAddress('[::1]'), true)
  })

  it('is not built from an entry that cannot be read', () => {
    assert.throws(
      () => buildAddressGuard({ allowPrivate: false, allow: ['::1', '10.0.0.0/99'] }),
      (error) => error instanceof AppError && error.code === 'BAD_CONFIG' && error.message.includes('"10.0.0.0/99"'),
    )
  })
})
