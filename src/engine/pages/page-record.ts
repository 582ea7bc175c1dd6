// A page as a JSON record for other programs. Field names are the public contract.

import { gzipSync } from 'node:zlib'
import type { ArchivedPage } from './read-archived-page.ts'

export interface PageRecord {
  record_id: string
  original_url: string
  final_url: string
  crawl_timestamp: string
  http_status: number | null
  content_type: string | null
  headers: Record<string, string>
  /** Gzip in base64; null if it is not HTML. */
  html_content: string | null
  text_content: string
  metadata: {
    title: string | null
    description: string | null
    keywords: string[]
    /** Author of a document, if it names one. */
    author: string | null
    page_count: number | null
  }
  links: { url: string; anchor_text: string; rel: string }[]
  version: number
  word_count: number | null
  content_hash: string | null
  resembles: number | null
  /** Anything unusual about the content; `rendered`, or how else rendering ended. */
  note: string | null
}

export function toPageRecord({ version, headers, html, text, links, author, pageCount }: ArchivedPage): PageRecord {
  return {
    record_id: `${version.contentHash ?? version.payloadDigest ?? 'none'}-${version.id}`,
    original_url: version.url,
    final_url: version.redirectTo ?? version.url,
    crawl_timestamp: new Date(version.visitedAt).toISOString(),
    http_status: version.httpStatus,
    content_type: version.contentType,
    headers: joinHeaders(headers),
    html_content: html === null ? null : gzipSync(html).toString('base64'),
    text_content: text,
    metadata: {
      title: version.title,
      description: version.description,
      keywords: (version.keywords ?? '').split(',').flatMap((word) => word.trim() || []),
      author,
      page_count: pageCount,
    },
    links: links.map(({ url, anchorText, rel }) => ({ url, anchor_text: anchorText, rel })),
    version: version.version,
    word_count: version.words,
    content_hash: version.contentHash,
    resembles: version.resembles,
    note: version.note,
  }
}

/** Lower-case names; repeated headers are joined with commas. */
function joinHeaders(headers: [string, string][]): Record<string, string> {
  const joined: Record<string, string> = Object.create(null) as Record<string, string>
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    joined[key] = joined[key] === undefined ? value : `${joined[key]}, ${value}`
  }
  return joined
}
