// The archive: the bytes of every answer, in segments that are written once, one record after the other. What a record
// says is in WARC; where it lies is a position, which the store keeps. An implementation may keep segments in a folder
// or in an object store.

/** Time, writer and number of a segment. */
export const SEGMENT_NAME = /^\d{8}T\d{6}-([A-Za-z0-9]+)-\d{5,}\.warc\.gz$/

/** Of a record that another process is asked for, at a time. */
export const MAX_CHUNK_BYTES = 4 * 1024 * 1024

/**
 * Where an answer lies: `length` bytes from `offset`. Its record is one gzip member, that of its request a second, and
 * that of what was extracted from it the last.
 */
export interface Position {
  segment: string
  offset: number
  length: number
}

/** One answer to be kept. Its bytes lie in the batch. */
export interface ArchiveItem {
  url: string
  /** When the answer came (ms since 1970). */
  fetchedAt: number
  ip: string | null
  /** Bytes of the status line and headers as received, without a line break after the last. */
  headLength: number
  /** Bytes of the body as received, codings and all; transfer codings undone. With `sameAs` they are still counted. */
  payloadLength: number
  /** SHA-256 of those, in hex. */
  payloadDigest: string
  /** The body was cut at a limit. */
  isTruncated: boolean
  /** The archive has this payload already, from that url at that time: only the head is written. */
  sameAs: { url: string; fetchedAt: number } | null
  /** Bytes of the request line and headers as sent, without a line break after the last; 0: they are not kept. */
  requestLength: number
  /** Bytes of what was extracted from the payload, for whoever needs its text later; 0: nothing was. */
  extractedLength: number
}

export interface ArchiveBatch {
  items: ArchiveItem[]
  /** Head, payload, request and extract of each item, one after the other; head and request for those with `sameAs`. */
  bytes: Uint8Array
}

/** One writer per process; its name is in the names of its segments. */
export interface ArchiveWriter {
  /** Resolves when the records are as safe as the settings ask for; answers where each lies. */
  append(batch: ArchiveBatch): Promise<Position[]>
  close(): Promise<void>
}

export interface ArchivedResponse {
  url: string
  fetchedAt: number
  ip: string | null
  status: number
  /** As received: names and values in order. */
  headers: [name: string, value: string][]
  payload: Buffer
  isTruncated: boolean
  /** What was extracted from the payload when it came; null when that is not kept. */
  extracted: Buffer | null
  /** Not null: the payload is empty here, it lies with that url at that time; so does what is told of truncation. */
  sameAs: { url: string; fetchedAt: number } | null
  /** Packed bytes of the record of its request, at the end of its position; 0: there is none. */
  requestLength: number
}

export interface ArchiveReader {
  /**
   * Fails with ARCHIVE_BROKEN when the record is not there or does not fit its digest, and with ARCHIVE_AWAY when it is
   * kept by somebody who cannot be asked now.
   */
  read(position: Position): Promise<ArchivedResponse>
  /** The record as it lies there, packed. */
  readRaw(position: Position): Promise<Buffer>
  /** The record that a file of records begins with, packed. */
  makeWarcinfoRecord(fileName: string, at: number): Buffer
  close(): Promise<void>
}

/** What reading one record back showed; an answer, its request and its extract are one. */
export interface RecordCheck {
  segment: string
  /** The segment was being written, or a dead process left it so: a torn record at its end is no damage. */
  isOpen: boolean
  offset: number
  /** When the record is torn or broken: up to the end of the segment. The check goes on with the next segment then. */
  length: number
  /** Null, as the next two, when it cannot be read. */
  type: string | null
  url: string | null
  /** SHA-256 of the payload in hex, of answers only. */
  payloadDigest: string | null
  /** What is wrong with it, or null. */
  problem: RecordProblem | null
}

export type RecordProblem = 'torn or broken' | 'malformed' | 'wrong block digest' | 'wrong payload digest'
