// Decides which addresses may be dialled. The check is made on the very address the socket then connects to, so a
// name that answers differently the second time gains nothing.

import { type LookupAddress, lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { CodedError } from './result.ts'

/** IANA special-purpose ranges: nothing public lives there. */
const NOT_PUBLIC_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
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
/** Only global unicast is public, and of that not the parts that embed or tunnel other addresses. */
const PUBLIC_V6 = ['2000::/3']
const NOT_PUBLIC_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

function listOf(ranges: string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [net = '', bits = ''] = range.split('/')
    list.addSubnet(net, Number(bits), family)
  }
  return list
}

const blockedV4 = listOf(NOT_PUBLIC_V4, 'ipv4')
const blockedV6 = listOf(NOT_PUBLIC_V6, 'ipv6')
const publicV6 = listOf(PUBLIC_V6, 'ipv6')

export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !blockedV4.check(address, 'ipv4')
  if (family === 6) return publicV6.check(address, 'ipv6') && !blockedV6.check(address, 'ipv6')
  return false
}

/** A host name as it stands in a url; a literal address is judged here, since no lookup will see it. */
export function isBlockedLiteral(hostname: string): boolean {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(bare) !== 0 && !isPublicAddress(bare)
}

/** dns.lookup that answers public addresses only, and fails when there are none. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '', 0)
    const allowed = addresses.filter((a: LookupAddress) => isPublicAddress(a.address))
    const first = allowed[0]
    if (first === undefined) return callback(new CodedError('ADDRESS_BLOCKED'), '', 0)
    if (options.all) callback(null, allowed)
    else callback(null, first.address, first.family)
  })
}
