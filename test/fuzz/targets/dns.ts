// Names: the hosts file, and the allowlist of private addresses.

import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import { type AllowlistEntry, parseAllowlistEntry } from '../../../src/config/values/allowlist-entry.ts'
import { parseHosts } from '../../../src/engine/dns/hosts-file.ts'
import { buildAddressGuard } from '../../../src/engine/fetch/address-guard.ts'
import { normaliseHostname } from '../../../src/lib/hostname.ts'
import { type FuzzTarget, pureTarget } from '../fuzz-target.ts'
import { makeInputWriter, randomTokens } from '../input-writer.ts'

const CORPUS = [
  '127.0.0.1\tlocalhost\n::1 localhost ip6-localhost # both\n\n#10.0.0.1 off\n  10.0.0.2  One.Example. two\r\n',
  '\uFEFF0.0.0.0 ads.example tracker.example\nfe80::1%lo0 link\n::ffff:1.2.3.4 mapped\n',
  '10.0.0.0/8',
  '[2001:db8::]/32',
  'fd00::/8',
  '192.168.1.1',
  'intranet.example',
  '*.corp.example',
  'bücher.example.',
]

const TOKENS = [
  '.',
  '..',
  ':',
  '::',
  '/',
  '*',
  '*.',
  '#',
  '%',
  '@',
  '[',
  ']',
  '\\',
  ' ',
  '\t',
  '\n',
  '\r',
  '\0',
  '-',
  '_',
  '?',
  '0',
  '1',
  '32',
  '33',
  '128',
  '129',
  '-1',
  '08',
  '255',
  '256',
  '0x7f',
  '127.1',
  '10.0.0.1',
  '::1',
  'fe80::',
  'ffff',
  'localhost',
  'a',
  'Example.COM',
  'xn--',
  'xn--bcher-kva',
  'é',
  'ß',
  '。',
  '\u00ad',
  '😀',
  '%25',
  '__proto__',
]

const MAX_ENTRIES = 20

export const dnsTarget: FuzzTarget = pureTarget(
  'dns',
  makeInputWriter({ corpus: CORPUS, tokens: TOKENS, grammars: [randomTokens(TOKENS)], maxBytes: 64 * 1024 }),
  (input) => {
    const text = input.toString()
    checkHosts(text)
    for (const line of text.split('\n', MAX_ENTRIES)) checkAllow(line)
  },
)

function checkHosts(text: string): void {
  const table = parseHosts(text)
  for (const [name, addresses] of table) {
    assert.doesNotMatch(name, /[\s#]/, 'a name is one word')
    // No URL has a bracket in a host name.
    if (!name.startsWith('[')) assert.equal(name, normaliseHostname(`${name}.`), 'a name is normalised')
    assert.ok(addresses.length > 0)
    for (const { address, family } of addresses) assert.equal(isIP(address), family)
    assert.equal(new Set(addresses.map(({ address }) => address)).size, addresses.length)
  }
  assert.deepEqual(parseHosts(`${text}\n${text}`), table, 'repeating the file changes nothing')
}

function checkAllow(text: string): void {
  const entry = parseAllowlistEntry(text)
  if (entry.kind === 'bad') return assert.throws(() => buildAddressGuard({ allowPrivate: false, allow: [text] }))
  const guard = buildAddressGuard({ allowPrivate: false, allow: [text] })
  const spelling = spellingOf(entry)
  assert.deepEqual(parseAllowlistEntry(spelling), entry, 'an entry round-trips')
  if (entry.kind === 'range')
    return assert.ok(guard.isAllowed(entry.net, 'a.example'), 'a range contains its own address')
  assert.equal(isIP(entry.name), 0)
  const isAllowed = (start: string) => guard.isAllowed('10.0.0.1', `${start}${entry.name}.`)
  assert.deepEqual(
    [isAllowed(''), isAllowed('x.'), isAllowed('x')],
    [!entry.isSubdomainOnly, entry.isSubdomainOnly, false],
  )
}

/** The entry with a dot at the end for the root, which any name may have. */
function spellingOf(entry: AllowlistEntry): string {
  if (entry.kind === 'range') return `${entry.net}/${entry.bits}`
  return `${entry.isSubdomainOnly ? '*.' : ''}${entry.name}.`
}
