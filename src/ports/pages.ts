// Page versions: what is archived of each response, and how to find it.

import type { Position } from './archive.ts'

/** Bits in which the fingerprints of near-duplicates differ at most: about nine tenths of their word triples are equal. */
export const NEAR_BITS = 3

/** Part of the note of a version that has a screenshot. */
export const SCREENSHOT_NOTE = 'screenshot'

/** What a worker reports about an archived response. */
export interface PageReport {
  /** SHA-256 of the payload as received, in hex. */
  digest: string
  wireBytes: number
  /** Position of its record; null if it is not archived. */
  position: Position | null
  /** The record contains the payload. If not, the store knows where it is. */
  hasPayload: boolean
  charset: string | null
  lang: string | null
  description: string | null
  keywords: string | null
  words: number | null
  /** 56-bit fingerprint of the visible text; null if there is too little text. */
  fingerprint: bigint | null
  /** The near-duplicate because of which this page was not archived. */
  resembles: number | null
  /** Anything odd about the content, such as `binary`, `truncated` or a wrong label, separated by `; `. */
  note: string | null
  /** PageData as JSON; null if nothing is extracted. */
  data: string | null
}

export type FieldScalar = string | number
/** Null if the page has no such field; a list if the rule extracts all values. */
export type FieldValue = FieldScalar | null | FieldScalar[]

/** An item of microdata or RDFa; a value may be an item itself. */
export type StructuredItem = {
  type: string[]
  id?: string
  properties: Record<string, (string | StructuredItem)[]>
}

/** Machine-readable data that a page contains about itself. A format: it is stored, exported and served unchanged. */
export interface StructuredData {
  json_ld: unknown[]
  microdata: StructuredItem[]
  rdfa: StructuredItem[]
  open_graph: Record<string, string[]>
  twitter: Record<string, string[]>
  feeds: { url: string; type: string; title: string | null }[]
  tables: { caption: string | null; headers: string[]; rows: string[][] }[]
  /** Problems such as syntax errors, and a note if data was left out because of its size. */
  problems: string[]
}

/** Data extracted from a page version. A format, like StructuredData. */
export interface PageData {
  /** Fields by rule name; null if the crawl has no rules. */
  fields: Record<string, FieldValue> | null
  /** Required fields that the page does not have. */
  missing: string[]
  /** Null if the crawl does not store structured data. */
  structured_data: StructuredData | null
}

export interface ContentQuery {
  url: string
  digest: string
  fingerprint: bigint | null
}

export interface KnownContent {
  /** The payload is in the archive, fetched from this URL at this time. */
  sameAs: { url: string; fetchedAt: number } | null
  /** The archived payload is damaged. The next record with the same payload replaces it in every version. */
  isDamaged: boolean
  /** A near-duplicate with another URL. */
  resembles: number | null
}

/** Queried before a response is archived, so that equal payloads are archived once. */
export interface Contents {
  find(wanted: ContentQuery[]): Promise<KnownContent[]>
  /** Marks records as damaged and returns how many payloads are lost. A payload that has moved elsewhere is not. */
  markDamaged(places: Pick<Position, 'segment' | 'offset'>[]): Promise<number>
}

export interface PageVersion {
  /** Ids are never reused, even after the version is gone. */
  id: number
  crawlId: string
  url: string
  /** The URL is part of a page, and not a page itself. */
  isRequisite: boolean
  /** 1 for the first version of the URL. Earlier versions may be gone. */
  version: number
  visitedAt: number
  /** Null if the version never expires. */
  expiresAt: number | null
  firstSeenAt: number
  /** How often the content had changed by the time of this version. */
  changes: number
  httpStatus: number | null
  contentType: string | null
  contentLength: number | null
  contentHash: string | null
  /** The digest from the report; null if nothing was archived. */
  payloadDigest: string | null
  title: string | null
  redirectTo: string | null
  canonical: string | null
  noindex: boolean
  fetchMs: number | null
  wireBytes: number
  charset: string | null
  lang: string | null
  description: string | null
  keywords: string | null
  words: number | null
  fingerprint: string | null
  /** Null also if the resembled page is gone. */
  resembles: number | null
  note: string | null
  /** False: near-duplicate of another page, so that only these fields were stored. */
  isArchived: boolean
  /**
   * Positions of the version's own record with the headers, and of the record with its payload; null if not archived
   * or lost.
   */
  record: Position | null
  payload: Position | null
  /** The payload was found damaged when it was read. */
  isDamaged: boolean
}

export function hasScreenshot({ note }: Pick<PageVersion, 'note'>): boolean {
  return note?.split('; ').includes(SCREENSHOT_NOTE) === true
}

/** A reference from a row to its own record, or to the record with its payload. */
export interface PageReference {
  pageId: number
  /** Payload that the record contains or refers to. */
  payloadDigest: string | null
  /** Null if the store has lost the position. */
  position: Position | null
}

/** A segment that a dead process left open. */
export interface OrphanedSegment {
  segment: string
  bytes: number
}

/** A version with everything else the index needs. */
export interface PageToIndex {
  version: PageVersion
  urlId: number
  depth: number
  /** When the content was first seen: the visit of the oldest version with the same content. */
  changedAt: number
}

export interface PageRetention {
  /** Null if the version never expires. */
  expiresAt: number | null
}

/** A URL of a crawl. */
export interface PageOwner {
  id: number
  url: string
}

export interface Pages {
  /** All versions of a URL over all crawls, by version number. */
  history(url: string): Promise<PageVersion[]>
  find(pageId: number): Promise<PageVersion | null>
  /** The archived version of a URL in a crawl that was visited nearest to a time. */
  findNearest(crawlId: string, url: string, at: number): Promise<PageVersion | null>
  /** All versions of a crawl by id, streamed. */
  listByCrawl(crawlId: string): AsyncIterable<PageVersion>
  /** Every referenced position, for verification. A position with several references is repeated. */
  references(): AsyncIterable<PageReference>
  /**
   * The end of the last record in each segment that the store refers to and that lies within its bytes, or 0. Anything
   * behind it may be cut off after a crash.
   */
  lastReferencedOffsets(segments: OrphanedSegment[]): Promise<Record<string, number>>
  /** Versions with higher ids, lowest first. With several committing processes a lower id may appear later. */
  listAfter(pageId: number, limit: number): Promise<PageToIndex[]>
  /** How long each of these versions is kept; null for versions that are gone. */
  retentionOf(pageIds: number[]): Promise<(PageRetention | null)[]>
  /** 0 if there is none. */
  newestId(): Promise<number>
  /** Data extracted from a version; null if there is none, or the version is gone. */
  dataOf(pageId: number): Promise<PageData | null>
  /** Data extracted from the newest version of each of these URLs, by URL id. URLs without data are missing. */
  dataOfUrls(crawlId: string, urls: readonly PageOwner[]): Promise<Map<number, PageData>>
  /** Data extracted from the versions of a crawl, streamed. Versions without data are missing. */
  dataOfCrawl(crawlId: string): AsyncIterable<PageData>
}
