// A page version as JSON, and whether it differs from the previous one.

import type { PageVersion } from '../../ports/pages.ts'

export function toVersionJson(version: PageVersion): object {
  return {
    id: version.id,
    crawl_id: version.crawlId,
    url: version.url,
    version: version.version,
    visited_at: isoTime(version.visitedAt),
    expires_at: version.expiresAt === null ? null : isoTime(version.expiresAt),
    first_seen_at: isoTime(version.firstSeenAt),
    changes: version.changes,
    http_status: version.httpStatus,
    content_type: version.contentType,
    content_length: version.contentLength,
    content_hash: version.contentHash,
    payload_digest: version.payloadDigest,
    title: version.title,
    redirect_to: version.redirectTo,
    canonical: version.canonical,
    noindex: version.noindex,
    fetch_ms: version.fetchMs,
    wire_bytes: version.wireBytes,
    charset: version.charset,
    lang: version.lang,
    description: version.description,
    keywords: version.keywords,
    words: version.words,
    fingerprint: version.fingerprint,
    resembles: version.resembles,
    note: version.note,
    is_kept: version.isArchived,
    record: version.record,
    payload: version.payload,
  }
}

/** Only responses with status 200 have a content hash; others are compared by payload. */
export function hasSameContent(one: PageVersion, other: PageVersion): boolean {
  return contentOf(one) === contentOf(other)
}

export function isUnchanged(before: PageVersion, after: PageVersion): boolean {
  const isSameAnswer = before.httpStatus === after.httpStatus && before.redirectTo === after.redirectTo
  return isSameAnswer && hasSameContent(before, after)
}

function contentOf({ contentHash, payloadDigest }: PageVersion): string | null {
  return contentHash ?? payloadDigest
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
