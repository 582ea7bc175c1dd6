// Documents that take long to read, or may be made to: they are read apart from the crawl threads, within limits.

import type { ExtractedContent } from './content-type.ts'

export const DOCUMENT_TYPES = ['pdf', 'epub', 'docx', 'odt', 'gzip'] as const
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

export interface DocumentRequest {
  type: DocumentType
  url: string
  contentType: string
  body: Buffer
}

export interface DocumentLimits {
  /** CPU time for one document. */
  cpuMs: number
  /** From start to end. Far more than `cpuMs`, because other threads go first on a busy machine. */
  timeMs: number
  /** Of the objects and buffers of the thread, which itself takes 20; one that grows fast is caught a little later. */
  memoryMb: number
  /** Pages of a PDF that are read. Its number of pages is reported all the same. */
  maxPages: number
  maxChars: number
  maxLinks: number
  /** What a zip or gzip file may unpack to, in total. */
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
type Failure = (typeof FAILURES)[number]

/** Why nothing could be read of a document. */
export type DocumentFailure = `${DocumentType}_${Failure}`
export type DocumentProblem = DocumentFailure | 'pdf_text_incomplete' | 'cut'

export const DOCUMENT_FAILURES: readonly DocumentFailure[] = DOCUMENT_TYPES.flatMap((type) =>
  FAILURES.map((failure) => `${type}_${failure}` as const),
)

export function isDocumentFailure(problem: string | null): problem is DocumentFailure {
  return DOCUMENT_FAILURES.some((failure) => failure === problem)
}

/** More is not kept: who needs the text then reads the document again. */
const MAX_KEPT_BYTES = 4 << 20

/** What was read, to be kept beside the document; empty when there is too much. */
export function packExtracted(extractedContent: ExtractedContent): Buffer {
  const bytes = Buffer.from(JSON.stringify(extractedContent))
  return bytes.length <= MAX_KEPT_BYTES ? bytes : Buffer.alloc(0)
}

/** The archive has checked the digest, so that the bytes are those of `packExtracted`. */
export function unpackExtracted(bytes: Buffer): ExtractedContent {
  return JSON.parse(bytes.toString()) as ExtractedContent
}
