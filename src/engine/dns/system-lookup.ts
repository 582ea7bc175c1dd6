// Resolves names with the system's own lookup, like other programs, on a thread of the pool.

import { lookup } from 'node:dns'
import { type Address, type DnsResult, toDnsFailure } from './dns-result.ts'

export type SystemLookup = (name: string, done: (dnsResult: DnsResult) => void) => void

/** The system does not report a TTL. */
const TTL_MS = 60_000

export const systemLookup: SystemLookup = (name, done) => {
  lookup(name, { all: true, order: 'ipv4first' }, (error, found) => {
    if (error !== null) return done(toDnsFailure(error))
    const addresses = found.map(({ address, family }): Address => ({ address, family: family === 6 ? 6 : 4 }))
    done({ kind: 'found', addresses, ttlMs: TTL_MS })
  })
}

const LOOPBACK: DnsResult = {
  kind: 'found',
  addresses: [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ],
  ttlMs: TTL_MS,
}

/** `localhost` and its subdomains are loopback, without any query (RFC 6761, 6.3). */
export function resolveLoopback(name: string): DnsResult | null {
  return name === 'localhost' || name.endsWith('.localhost') ? LOOPBACK : null
}

/** Names that DNS servers do not know: of the local network, or of multicast DNS (RFC 6762, 3). */
export function isLocalName(name: string): boolean {
  return !name.includes('.') || name.endsWith('.local')
}
