// A URL as readers see it, from its row joined with its last visit and its listing.

import type { UrlRow } from '../../ports/urls.ts'
import { type SitemapListing, URL_KINDS } from '../../ports/visits.ts'
import { stateFromCode } from '../encoding/state-codes.ts'

export function toUrlRow(row: Record<string, unknown>): UrlRow {
  return {
    id: Number(row['id']),
    url: String(row['url']),
    state: stateFromCode(Number(row['state'])),
    reason: row['reason'] as string | null,
    depth: Number(row['depth']),
    priority: 11 - Number(row['rank']),
    httpStatus: row['http_status'] as number | null,
    contentType: row['content_type'] as string | null,
    contentLength: row['content_length'] as number | null,
    contentHash: row['content_hash'] instanceof Uint8Array ? Buffer.from(row['content_hash']).toString('hex') : null,
    title: row['title'] as string | null,
    discoveredFrom: row['parent'] as number | null,
    redirectTo: row['redirect_to'] as string | null,
    attempts: Number(row['attempts']),
    fetchMs: row['fetch_ms'] as number | null,
    processingMs: row['processing_ms'] as number | null,
    visitedBy: row['thread'] as string | null,
    ip: row['ip'] as string | null,
    firstSeenAt: Number(row['first_seen_at']),
    visitedAt: row['visited_at'] as number | null,
    leasedBy: (row['leased_by'] ?? null) as string | null,
    kind: URL_KINDS[Number(row['kind'])] ?? 'page',
    canonical: row['canonical'] as string | null,
    noindex: Boolean(row['noindex']),
    cname: row['cname'] as string | null,
    proxy: row['proxy'] as string | null,
    listing: toListing(row),
    isFromScript: Boolean(row['is_from_script']),
  }
}

function toListing(row: Record<string, unknown>): SitemapListing {
  return {
    lastmod: row['lastmod'] as number | null,
    changefreq: row['changefreq'] as string | null,
    priority: row['listed_priority'] as number | null,
  }
}
