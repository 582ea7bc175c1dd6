// A page version as readers see it, from its row joined with its URL, visit and positions.

import type { Position } from '../../ports/archive.ts'
import type { PageData, PageReference, PageVersion } from '../../ports/pages.ts'
import type { VisitFacts } from '../../ports/visits.ts'
import { REQUISITE_KIND } from '../encoding/state-codes.ts'

export function toPageVersion(row: Record<string, unknown>): PageVersion {
  return {
    id: Number(row['id']),
    crawlId: String(row['uuid']),
    url: String(row['url']),
    isRequisite: row['kind'] === REQUISITE_KIND,
    version: Number(row['version']),
    visitedAt: Number(row['visited_at']),
    expiresAt: row['expires_at'] as number | null,
    firstSeenAt: Number(row['first_seen_at']),
    changes: Number(row['changes']),
    httpStatus: row['http_status'] as number | null,
    contentType: row['content_type'] as string | null,
    contentLength: row['content_length'] as number | null,
    contentHash: toHex(row['content_hash']),
    payloadDigest: toHex(row['digest']),
    title: row['title'] as string | null,
    redirectTo: row['redirect_to'] as string | null,
    canonical: row['canonical'] as string | null,
    noindex: Boolean(row['noindex']),
    fetchMs: row['fetch_ms'] as number | null,
    wireBytes: Number(row['wire_bytes']),
    charset: row['charset'] as string | null,
    lang: row['lang'] as string | null,
    description: row['description'] as string | null,
    keywords: row['keywords'] as string | null,
    words: row['words'] as number | null,
    fingerprint: row['fingerprint_text'] as string | null,
    resembles: row['resembles'] as number | null,
    note: row['note'] as string | null,
    isArchived: Boolean(row['is_kept']),
    record: positionOf(row, 'record'),
    payload: positionOf(row, 'payload'),
    isDamaged: Boolean(row['is_damaged']),
  }
}

/** Null if nothing was extracted. */
export function toPageData(row: Record<string, unknown> | undefined): PageData | null {
  const data = row?.['data']
  return typeof data === 'string' ? (JSON.parse(data) as PageData) : null
}

function positionOf(row: Record<string, unknown>, of: 'record' | 'payload'): Position | null {
  const segment = row[`${of}_segment`]
  if (typeof segment !== 'string') return null
  return { segment, offset: Number(row[`${of}_offset`]), length: Number(row[`${of}_length`]) }
}

function toHex(value: unknown): string | null {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : null
}

/** The references of an archived page: its own record and, if different, the record with its payload. */
export function* toPageReferences(row: Record<string, unknown>): Generator<PageReference> {
  const about = { pageId: Number(row['id']), payloadDigest: toHex(row['digest']) }
  const [record, payload] = [positionOf(row, 'record'), positionOf(row, 'payload')]
  yield { ...about, position: record }
  const isApart = payload?.segment !== record?.segment || payload?.offset !== record?.offset
  if (isApart) yield { ...about, position: payload }
}

/** Facts that distinguish versions, besides their content. */
export type VersionFacts = Pick<VisitFacts, 'contentHash' | 'contentType' | 'canonical' | 'noindex'>

/**
 * Whether a visit with the content of the last version also has its other facts. `row` has the facts of that
 * version's visit.
 */
export function isSameVersion(row: Record<string, unknown>, facts: VersionFacts): boolean {
  const isNoindex = row['noindex'] === true || row['noindex'] === 1
  return (
    row['content_type'] === facts.contentType && row['canonical'] === facts.canonical && isNoindex === facts.noindex
  )
}
