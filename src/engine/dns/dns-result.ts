// What asking for a name can come to, whoever was asked.

export interface Address {
  address: string
  family: 4 | 6
}

export type DnsResult =
  | { kind: 'found'; addresses: readonly Address[]; ttlMs: number }
  /** The name has no address, and whoever was asked is sure of it. */
  | { kind: 'none'; code: string }
  /** Nobody could tell now. */
  | { kind: 'failed'; code: string }

/** Names that do not exist, exist without an address, or cannot be names. All other codes are passing troubles. */
const DEFINITE_CODES = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

export function toDnsFailure(error: NodeJS.ErrnoException): DnsResult {
  const code = error.code ?? 'EAI_FAIL'
  return { kind: DEFINITE_CODES.has(code) ? 'none' : 'failed', code }
}

/** IPv4 first: every crawler can reach it, and a broken IPv6 route costs a failed attempt per connection. */
export function mergeDnsResults(answers: DnsResult[]): DnsResult {
  const found = answers.filter((answer) => answer.kind === 'found')
  if (found.length > 0) {
    const addresses = found.flatMap((answer) => answer.addresses).sort((a, b) => a.family - b.family)
    return { kind: 'found', addresses, ttlMs: Math.min(...found.map((answer) => answer.ttlMs)) }
  }
  return (
    answers.find((answer) => answer.kind === 'failed') ??
    answers.find((answer) => answer.kind === 'none' && answer.code === 'ENOTFOUND') ??
    answers[0] ?? { kind: 'failed', code: 'EAI_FAIL' }
  )
}
