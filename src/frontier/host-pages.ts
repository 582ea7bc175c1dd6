// The maximum of pages that the policy of a host allows per crawl. Its pages are the URLs of the host that were visited as
// pages, whatever became of them later.

export interface HostPageCounts {
  pages: number
  inFlight: number
}

/**
 * How many URLs of the host may be claimed now. The maximum is exact: no more URLs are in flight than pages are
 * missing. `exclude`: URLs that were never visited have to be excluded; only revisits are left then, which may
 * continue.
 */
export function hostPageAllowance(
  maxPages: number,
  { pages, inFlight }: HostPageCounts,
): { kind: 'claim'; urls: number } | { kind: 'exclude' } {
  const missing = maxPages - pages
  return missing <= 0 && inFlight === 0 ? { kind: 'exclude' } : { kind: 'claim', urls: Math.max(0, missing - inFlight) }
}
