// Parses entries of --allow: non-public addresses, ranges and hosts that a crawl may visit.

import { normaliseHostname } from '../../lib/hostname.ts'
import { ipVersion } from '../../lib/ip-version.ts'

export type AllowlistEntry =
  | { kind: 'range'; net: string; bits: number; family: 'ipv4' | 'ipv6' }
  /** A name. `isSubdomainOnly`: its subdomains but not the name itself. */
  | { kind: 'name'; name: string; isSubdomainOnly: boolean }

/** An invalid entry, and what was expected. */
export interface InvalidAllowlistEntry {
  kind: 'bad'
  expected: string
}

const BAD: InvalidAllowlistEntry = {
  kind: 'bad',
  expected: 'an address, a range such as 10.0.0.0/8, or a host name such as intranet.example or *.corp.example',
}
const NAME = /^[^\s/:@?#[\]\\%*]+$/

export function parseAllowlistEntry(text: string): AllowlistEntry | InvalidAllowlistEntry {
  const [net = '', bits, ...rest] = text
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .split('/')
  const family = ipVersion(net)
  if (family !== 0 && rest.length === 0) return rangeOf(net, bits, family === 4 ? 'ipv4' : 'ipv6')
  return bits === undefined ? nameOf(net) : BAD
}

function rangeOf(
  net: string,
  bits: string | undefined,
  family: 'ipv4' | 'ipv6',
): AllowlistEntry | InvalidAllowlistEntry {
  const max = family === 'ipv4' ? 32 : 128
  if (net.includes('%')) return BAD
  if (bits === undefined) return { kind: 'range', net, bits: max, family }
  if (/^\d{1,3}$/.test(bits) && Number(bits) <= max) return { kind: 'range', net, bits: Number(bits), family }
  return { kind: 'bad', expected: `a range with 0 to ${max} bits after the slash` }
}

function nameOf(text: string): AllowlistEntry | InvalidAllowlistEntry {
  const isSubdomainOnly = text.startsWith('*.')
  const spelling = isSubdomainOnly ? text.slice(2) : text
  const url = NAME.test(spelling) ? URL.parse(`http://${spelling}/`) : null
  if (url === null) return BAD
  const name = normaliseHostname(url.hostname)
  // Other spellings of an address, such as 127.1, are read differently by different programs.
  return ipVersion(name) === 0 && name !== '' && !name.startsWith('.') && !name.includes('..')
    ? { kind: 'name', name, isSubdomainOnly }
    : BAD
}
