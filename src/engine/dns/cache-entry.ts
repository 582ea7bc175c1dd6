// Decides how long a DNS result is cached, and when a stale one is used instead of a failure.

import { type CnameChain, UNKNOWN_CHAIN } from './cname-chain.ts'
import type { DnsResult } from './dns-result.ts'

export interface DnsCacheEntry {
  outcome: DnsResult
  /** Until this time, the result is used without a query. */
  freshUntil: number
  /** Until this time, the addresses are used if a query fails. */
  staleUntil: number
  chain: CnameChain
}

const MIN_TTL_MS = 10_000
const MAX_TTL_MS = 3_600_000
const NONE_MS = 60_000
const FAILED_MS = 5_000
const STALE_MS = 3_600_000

/**
 * An expired result is not used while a new one is fetched: that takes milliseconds, and the site may have moved. It is
 * used if the query fails (RFC 8767).
 */
export function updateCacheEntry(dnsResult: DnsResult, old: DnsCacheEntry | undefined, now: number): DnsCacheEntry {
  if (dnsResult.kind === 'found') {
    const freshUntil = now + Math.min(Math.max(dnsResult.ttlMs, MIN_TTL_MS), MAX_TTL_MS)
    // The old chain stays until the new one is known.
    return { outcome: dnsResult, freshUntil, staleUntil: freshUntil + STALE_MS, chain: old?.chain ?? UNKNOWN_CHAIN }
  }
  if (dnsResult.kind === 'none')
    return { outcome: dnsResult, freshUntil: now + NONE_MS, staleUntil: now, chain: UNKNOWN_CHAIN }
  const freshUntil = now + FAILED_MS
  if (old !== undefined && now < old.staleUntil) return { ...old, freshUntil }
  return { outcome: dnsResult, freshUntil, staleUntil: now, chain: UNKNOWN_CHAIN }
}
