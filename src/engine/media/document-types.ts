// Documents that may take long to read: they are read outside the crawl threads, within limits.

import type { ExtractedContent } from './content-type.ts'

const DOCUMENT_TYPES = ['pdf', 'epub', 'docx', 'odt', 'gzip'] as const
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

export interface DocumentRequest {
  type: DocumentType
  url: string
  contentType: string
  body: Buffer
}

export interface DocumentLimits {
  /** CPU time per document. */
  cpuMs: number
  /** Wall time. Far more than `cpuMs`, because other threads take precedence on a busy machine. */
  timeMs: number
  /** Memory for objects and buffers of the thread, which itself takes 20; fast growth is detected a little later. */
  memoryMb: number
  /** Number of PDF pages to read. The total number is reported anyway. */
  maxPages: number
  maxChars: number
  maxLinks: number
  /** Total unpacked size of a zip or gzip file. */
  maxUnpackedBytes: number
}

export const DOCUMENT_LIMITS: Readonly<DocumentLimits> = {
  cpuMs: 20_000,
  timeMs: 120_000,
  memoryMb: 256,
  maxPages: 500,
  maxChars: 1 << 20,
  maxLinks: 10_000,
  maxUnpackedBytes: 32 << 20,
}

const FAILURES = ['broken', 'encrypted', 'timeout', 'too_large_for_memory'] as const

/** Why nothing could be read from a document. */
export type DocumentFailure = `${DocumentType}_${(typeof FAILURES)[number]}`
export type DocumentProblem = DocumentFailure | 'pdf_text_incomplete' | 'cut'

const DOCUMENT_FAILURES: readonly DocumentFailure[] = DOCUMENT_TYPES.flatMap((type) =>
  FAILURES.map((failure) => `${type}_${failure}` as const),
)

export function isDocumentFailure(problem: string | null): problem is DocumentFailure {
  return DOCUMENT_FAILURES.some((failure) => failure === problem)
}

/** A larger result is not archived; the document is then read again when its text is needed. */
const MAX_ARCHIVED_BYTES = 4 << 20

/** The extracted content, to be archived with the document; empty if it is too large. */
export function packExtracted(extractedContent: ExtractedContent): Buffer {
  const bytes = Buffer.from(JSON.stringify(extractedContent))
  return bytes.length <= MAX_ARCHIVED_BYTES ? bytes : Buffer.alloc(0)
}

/** The archive has verified the digest, so `bytes` were written by `packExtracted`. */
export function unpackExtracted(bytes: Buffer): ExtractedContent {
  return JSON.parse(bytes.toString()) as ExtractedContent
}
