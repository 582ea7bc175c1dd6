import { isIPv4, isIPv6 } from 'node:net'

/** Like isIP of Node, which compiles its pattern for IPv6 even for host names: 3 to 7 ms per thread (2026-11). */
export function ipVersion(text: string): 0 | 4 | 6 {
  if (text.includes(':')) return isIPv6(text) ? 6 : 0
  return isIPv4(text) ? 4 : 0
}
