// Page versions: what was kept of each answer, and how to find it again.

import type { Position } from './archive.ts'

/** Bits in which the fingerprints of near-duplicates differ at most: about nine tenths of their word triples are equal. */
export const NEAR_BITS = 3

/** What a worker reports of an answer that is kept. */
export interface PageReport {
  /** SHA-256 of the payload as received, in hex. */
  digest: string
  wireBytes: number
  /** Where its record lies; null when it is not kept. */
  position: Position | null
  /** The record has the payload; if not, the store knows where it lies. */
  hasPayload: boolean
  charset: string | null
  lang: string | null
  description: string | null
  keywords: string | null
  words: number | null
  /** Of the visible text, 56 bits; null when there is too little of it. */
  fingerprint: bigint | null
  /** The page it resembles so much that it was not kept. */
  resembles: number | null
  /** What is odd about the content, such as `binary`, `truncated` or a label that is wrong; several with `; ` between. */
  note: string | null
}

export interface ContentQuery {
  url: string
  digest: string
  fingerprint: bigint | null
}

export interface KnownContent {
  /** The payload is in the archive, from that url at that time. */
  sameAs: { url: string; fetchedAt: number } | null
  /** It was, but is damaged there: the next record with it takes its place, for every version that has it. */
  isDamaged: boolean
  /** A page of another url whose text is nearly the same. */
  resembles: number | null
}

/** Asked before bytes are written, so that none are written twice. */
export interface Contents {
  find(wanted: ContentQuery[]): Promise<KnownContent[]>
  /** The records there are damaged. Answers how many payloads that costs; one that lies elsewhere by now is sound. */
  markDamaged(places: Pick<Position, 'segment' | 'offset'>[]): Promise<number>
}

export interface PageVersion {
  /** Never given again, also when the version is gone. */
  id: number
  crawlId: string
  url: string
  /** 1 for the first time the url was kept; versions before this one may be gone. */
  version: number
  visitedAt: number
  /** When its time is over; null: never. */
  expiresAt: number | null
  firstSeenAt: number
  /** How often the content had changed by then. */
  changes: number
  httpStatus: number | null
  contentType: string | null
  contentLength: number | null
  contentHash: string | null
  /** As in the report; null when nothing was kept. */
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
  /** Null also when that page is gone. */
  resembles: number | null
  note: string | null
  /** False: only what is here was kept, since the page resembled another. */
  isArchived: boolean
  /** Where its own record lies, with its headers, and the record with its payload; null when not kept, or lost. */
  record: Position | null
  payload: Position | null
  /** Who read the payload there found it damaged. */
  isDamaged: boolean
}

/** Where a row points: at its own record, or at that with its payload. */
export interface PageReference {
  pageId: number
  /** The record there has it, or is about it. */
  payloadDigest: string | null
  /** Null: there should be one, but the store has lost it. */
  position: Position | null
}

/** A segment that a dead process left open. */
export interface OrphanedSegment {
  segment: string
  bytes: number
}

/** A version with what else an index wants to know of it. */
export interface PageToIndex {
  version: PageVersion
  urlId: number
  depth: number
  /** When its content was first seen as it is; the visit of the oldest version kept that has it. */
  changedAt: number
}

export interface Pages {
  /** All versions of a url over all crawls, in the order of their numbers. */
  history(url: string): Promise<PageVersion[]>
  find(pageId: number): Promise<PageVersion | null>
  /** All versions of a crawl in the order they were kept, without holding them in memory. */
  listByCrawl(crawlId: string): AsyncIterable<PageVersion>
  /** Every position that is pointed at, for checking; one that several point at comes as often. */
  references(): AsyncIterable<PageReference>
  /**
   * Where the last record ends that the store points at and that lies within the bytes of the segment, 0 when none does.
   * What lies behind may be cut off after a crash.
   */
  lastReferencedOffsets(segments: OrphanedSegment[]): Promise<Record<string, number>>
  /** Versions with higher ids, lowest first. Where several processes commit, a lower id may turn up later. */
  listAfter(pageId: number, limit: number): Promise<PageToIndex[]>
  /** Which of these are still there. */
  exist(pageIds: number[]): Promise<boolean[]>
  /** The highest that is there; 0 when none is. */
  newestId(): Promise<number>
}
