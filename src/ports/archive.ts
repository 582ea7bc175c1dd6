// The archive: the bytes of every response, in append-only segments of WARC records. The store keeps the position of
// each record. An implementation may keep segments in a folder or in an object store.

/** How records are compressed. A segment has one codec, which its name shows; an archive may have both. */
export type ArchiveCodec = 'zstd' | 'gzip'

/** Time, writer and number of the segment. */
export const SEGMENT_NAME = /^\d{8}T\d{6}-([A-Za-z0-9]+)-\d{5,}\.warc\.(?:gz|zst)$/

/** Bytes of a record that are requested from another process at a time. */
export const MAX_CHUNK_BYTES = 4 * 1024 * 1024

/**
 * The place of a response: `length` bytes from `offset`. The response record is one member (of gzip, or a Zstandard
 * frame), followed by one for its request, one for its extracted text and one for its screenshot, if archived.
 */
export interface Position {
  segment: string
  offset: number
  length: number
}

/** One response to archive. Its bytes are in the batch. */
export interface ArchiveItem {
  url: string
  /** When the response arrived (ms since 1970). */
  fetchedAt: number
  ip: string | null
  /** The chunk of the batch in which the bytes start, and the offset in it. */
  chunk: number
  offset: number
  /** Bytes of the status line and headers as received, without the final line break. */
  headLength: number
  /** Bytes of the body as received: content codings intact, transfer codings removed. Also set with `sameAs`. */
  payloadLength: number
  /** SHA-256 of the body, in hex. */
  payloadDigest: string
  /** The body was cut at a limit. */
  isTruncated: boolean
  /** The archive has this payload already, fetched from this URL at this time. Only the head is written. */
  sameAs: { url: string; fetchedAt: number } | null
  /** Bytes of the request line and headers as sent, without the final line break; 0: not archived. */
  requestLength: number
  /** Bytes of the text extracted from the payload, for later use; 0: none. */
  extractedLength: number
  /** Set if `extracted` is the DOM of the rendered page. */
  extractedType?: typeof RENDERED_TYPE
  /** Bytes of the screenshot of the rendered page; absent: none. */
  screenshotLength?: number
}

/** The type of the record with the DOM of a rendered page. */
export const RENDERED_TYPE = 'text/html; charset=utf-8' as const
export const SCREENSHOT_TYPE = 'image/webp'
/** Prefix of the page's URL in the record of its screenshot; other archivers use the same one. */
export const SCREENSHOT_URL = 'urn:view:'

export interface ArchiveBatch {
  items: ArchiveItem[]
  /** The head, payload, request, extracted text and screenshot of an item follow one another in one chunk. */
  chunks: Uint8Array[]
}

/** One writer per process. Its name is part of the segment names. */
export interface ArchiveWriter {
  /** Resolves with the positions when the records are as durable as the settings require. */
  append(batch: ArchiveBatch): Promise<Position[]>
  close(): Promise<void>
}

export interface UploadStatus {
  /** Closed segments of this process and of dead processes that are not uploaded yet. */
  waitingSegments: number
  waitingBytes: number
  /** Segments uploaded since the process started. */
  uploadedSegments: number
  uploadedBytes: number
  /** Segments that were given up because their files were deleted before the upload. */
  lostSegments: string[]
  /** The last attempt failed, for this reason. */
  problem: string | null
  /** How long uploads have been failing; 0 if only the search for leftover segments fails. */
  failingForMs: number
}

/** The uploads of a process to object storage. */
export interface ArchiveUploads {
  status(): Promise<UploadStatus>
}

export interface ArchivedResponse {
  url: string
  fetchedAt: number
  ip: string | null
  status: number
  /** Names and values in the order in which they were received. */
  headers: [name: string, value: string][]
  payload: Buffer
  isTruncated: boolean
  /** The text extracted from the payload when it was fetched; null if not archived. */
  extracted: Buffer | null
  /** Set if `extracted` is the DOM of the rendered page. */
  extractedType?: typeof RENDERED_TYPE
  /** WebP, of the rendered page; absent if none was archived. */
  screenshot?: Buffer
  /** If set, the payload is empty here and is archived with this URL at this time, as is `isTruncated`. */
  sameAs: { url: string; fetchedAt: number } | null
}

export interface ExportableResponse {
  response: ArchivedResponse
  members: Buffer[]
}

export interface ArchiveReader {
  /**
   * Fails with ARCHIVE_BROKEN if the record is missing or does not match its digest, and with ARCHIVE_AWAY if it is in
   * an archive node or object storage that cannot be reached now.
   */
  read(position: Position): Promise<ArchivedResponse>
  /** Like `read`, but each record is a gzip member, whatever the codec of its segment. The response comes first. */
  readForExport(position: Position): Promise<ExportableResponse>
  /** The record as stored, compressed. */
  readRaw(position: Position): Promise<Buffer>
  /** The warcinfo record at the start of a file, as a gzip member. */
  makeWarcinfoRecord(fileName: string, at: number): Buffer
  close(): Promise<void>
}

/** The result of reading one record back. A response, its request and its extracted text are one record. */
export interface RecordCheck {
  segment: string
  /** The segment is being written, or was left open by a dead process: a torn record at its end is no damage. */
  isOpen: boolean
  offset: number
  /**
   * Length of the record. The length of a torn or broken record reaches to the end of the segment, and the check
   * continues with the next segment.
   */
  length: number
  /** Null if the record cannot be read, like the next two fields. */
  type: string | null
  url: string | null
  /** SHA-256 of the payload in hex, for responses only. */
  payloadDigest: string | null
  problem: RecordProblem | null
}

export type RecordProblem = 'torn or broken' | 'malformed' | 'wrong block digest' | 'wrong payload digest'
