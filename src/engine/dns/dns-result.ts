// The result of resolving a name, whatever its source.

export interface Address {
  address: string
  family: 4 | 6
}

export type DnsResult =
  | { kind: 'found'; addresses: readonly Address[]; ttlMs: number }
  /** The name definitely has no address. */
  | { kind: 'none'; code: string }
  /** The query failed for now. */
  | { kind: 'failed'; code: string }

/** Names that do not exist, have no address, or are invalid. All other codes are temporary failures. */
const DEFINITE_CODES = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

export function toDnsFailure(error: NodeJS.ErrnoException): DnsResult {
  const code = error.code ?? 'EAI_FAIL'
  return { kind: DEFINITE_CODES.has(code) ? 'none' : 'failed', code }
}

/** IPv4 first: every crawler can reach it, and a broken IPv6 route costs a failed attempt per connection. */
export function mergeDnsResults(results: DnsResult[]): DnsResult {
  const found = results.filter((result) => result.kind === 'found')
  if (found.length > 0) {
    const addresses = found.flatMap((result) => result.addresses).sort((a, b) => a.family - b.family)
    return { kind: 'found', addresses, ttlMs: Math.min(...found.map((result) => result.ttlMs)) }
  }
  return (
    results.find((result) => result.kind === 'failed') ??
    results.find((result) => result.kind === 'none' && result.code === 'ENOTFOUND') ??
    results[0] ?? { kind: 'failed', code: 'EAI_FAIL' }
  )
}
