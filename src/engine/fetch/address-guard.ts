// Decides which addresses may be dialled. It checks the very address the socket connects to, so DNS rebinding gains
// nothing. A name listed in --allow may resolve to any address.

import { BlockList } from 'node:net'
import { type AllowlistEntry, parseAllowlistEntry } from '../../config/values/allowlist-entry.ts'
import { AppError } from '../../lib/errors.ts'
import { normaliseHostname } from '../../lib/hostname.ts'
import { ipVersion } from '../../lib/ip-version.ts'
import { lazy } from '../../lib/lazy.ts'

/** IANA's special-purpose registry (RFC 6890) and multicast; cloud metadata services are in 169.254 and 100.64. */
const NOT_PUBLIC_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Looks public, but is the host machine inside Azure.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/**
 * Only global unicast is public, except for the parts that embed or tunnel other addresses. So every form of IPv4
 * within IPv6 (mapped, compatible, NAT64, 6to4, Teredo) is rejected, whatever address it holds: a host reachable that
 * way is also reachable directly.
 */
const PUBLIC_V6 = ['2000::/3']
const NOT_PUBLIC_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

const blockedV4 = lazy(() => toBlockList(NOT_PUBLIC_V4.map(readEntry)))
const blockedV6 = lazy(() => toBlockList(NOT_PUBLIC_V6.map(readEntry)))
const publicV6 = lazy(() => toBlockList(PUBLIC_V6.map(readEntry)))

export interface AddressGuardSettings {
  /** Allows every address. */
  allowPrivate: boolean
  /** Non-public addresses that may be dialled; see parseAllowlistEntry. */
  allow: string[]
}

export interface AddressGuard {
  /** Whether a connection to this address may be made for this host of a URL. */
  isAllowed(address: string, hostname: string): boolean
  /**
   * Checks a host that is an address, since no lookup will see it. A name passes here; its address is checked later.
   */
  isNameOrAllowedAddress(hostname: string): boolean
  /** For a proxy that resolves names itself: names of private networks count as private addresses. */
  isAllowedWithoutLookup(hostname: string): boolean
}

/** Single labels, names of this machine, and names that private networks use (RFC 6762, appendix G; RFC 8375). */
const PRIVATE_NAME = /^[^.]+$|\.(?:localhost|local|internal|intranet|private|corp|home|lan|home\.arpa)$/

export function buildAddressGuard(settings: AddressGuardSettings): AddressGuard {
  const entries = settings.allow.map(readEntry)
  const ranges = entries.filter((entry) => entry.kind === 'range')
  const names = entries.filter((entry) => entry.kind === 'name')
  // Separate lists, because a combined one would match an IPv4 address against IPv6 ranges.
  const allowedV4 = toBlockList(ranges.filter((range) => range.family === 'ipv4'))
  const allowedV6 = toBlockList(ranges.filter((range) => range.family === 'ipv6'))

  const isListed = (address: string): boolean => {
    const family = ipVersion(address)
    if (family === 4) return allowedV4.check(address, 'ipv4')
    return family === 6 && allowedV6.check(address, 'ipv6')
  }
  const isListedName = (host: string): boolean =>
    names.some(({ name, isSubdomainOnly }) => (isSubdomainOnly ? host.endsWith(`.${name}`) : host === name))
  const isAllowed = (address: string, hostname: string): boolean =>
    settings.allowPrivate || isPublicAddress(address) || isListed(address) || isListedName(normaliseHostname(hostname))

  const isNameOrAllowedAddress = (hostname: string): boolean => {
    const host = normaliseHostname(hostname)
    return ipVersion(host) === 0 || isAllowed(host, host)
  }

  return {
    isAllowed,
    isNameOrAllowedAddress,
    isAllowedWithoutLookup(hostname) {
      const host = normaliseHostname(hostname)
      if (ipVersion(host) !== 0 || !PRIVATE_NAME.test(host)) return isNameOrAllowedAddress(host)
      return /(^|\.)localhost$/.test(host) ? isAllowed('127.0.0.1', host) : settings.allowPrivate || isListedName(host)
    },
  }
}

export function isPublicAddress(address: string): boolean {
  const family = ipVersion(address)
  if (family === 4) return !blockedV4().check(address, 'ipv4')
  if (family === 6) return publicV6().check(address, 'ipv6') && !blockedV6().check(address, 'ipv6')
  return false
}

function readEntry(text: string): AllowlistEntry {
  const entry = parseAllowlistEntry(text)
  if (entry.kind === 'bad') throw new AppError('BAD_CONFIG', `"${text}" is not ${entry.expected}`)
  return entry
}

function toBlockList(entries: AllowlistEntry[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) if (entry.kind === 'range') list.addSubnet(entry.net, entry.bits, entry.family)
  return list
}
