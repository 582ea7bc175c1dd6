// The documents of one crawl loop that wait for the document readers of the process (worker/documents), and the
// decision whether more may be fetched. Waiting documents take no request slots, so pages are fetched no matter how
// busy the readers are. While the readers are full, URLs of documents are postponed: they return to the queue with a due
// time, and nothing is kept in memory for them.

import type { Clock } from '../../../lib/clock.ts'
import type { ExtractedContent } from '../../media/content-type.ts'
import type { DocumentRequest } from '../../media/document-types.ts'

export interface DocumentReaders {
  read(request: DocumentRequest): Promise<ExtractedContent>
  /** Documents waiting or being read, over all crawls of the process. */
  load(): { documents: number; bytes: number }
}

/** Limits of the whole process. Each document is in memory twice, for the archive and for the reader: 64 MB in all. */
export const MAX_WAITING_DOCUMENTS = 64
export const MAX_WAITING_BYTES = 32 << 20
/** Requests start while at least half is free, since the size of a document is not known before. */
const MAX_BYTES_TO_START = MAX_WAITING_BYTES / 2
const POSTPONE_MIN_MS = 500
const POSTPONE_MAX_MS = 60_000
/** Initial estimate of the time per document. A low one costs a few URLs that are postponed again, a high one idle readers. */
const INITIAL_READ_MS = 2
/** Applied to the estimate: an idle reader costs more than a URL that is postponed twice. */
const POSTPONE_FACTOR = 0.5
const MAX_REMEMBERED = 10_000
/** Compressed text is a document, an archive is not. */
const DOCUMENT_NAME = /\.(?:pdf|epub|docx|odt|(?<!\.tar\.)gz)$/i

export class DocumentQueue {
  readonly #readers: DocumentReaders
  readonly #clock: Clock
  /** Ids of postponed URLs, which are known to lead to a document even if their names do not say so. */
  readonly #knownDocumentIds = new Set<number>()
  /** Requests in flight whose URLs look like documents. */
  #expected = 0
  #waiting = 0
  /** Moving mean of the time between two finished documents while others waited. */
  #readIntervalMs = INITIAL_READ_MS
  #readAt = 0
  /** Due time of the URL postponed last. */
  #postponedUntil = 0

  constructor(readers: DocumentReaders, clock: Clock) {
    this.#readers = readers
    this.#clock = clock
  }

  /** Documents of this crawl waiting or being read. */
  get waiting(): number {
    return this.#waiting
  }

  /** Postponed URLs are not due yet. */
  get hasBacklog(): boolean {
    return this.#postponedUntil > this.#clock.now()
  }

  isDocument(url: { id: number; url: string }): boolean {
    return this.#knownDocumentIds.has(url.id) || looksLikeDocument(url.url)
  }

  /** Whether a request for a document may start. */
  canStartRequest(): boolean {
    const { documents, bytes } = this.#readers.load()
    return documents + this.#expected < MAX_WAITING_DOCUMENTS && bytes < MAX_BYTES_TO_START
  }

  beginRequest(): void {
    this.#expected += 1
  }

  endRequest(): void {
    this.#expected -= 1
  }

  /** A document larger than the limit is accepted if no other document is waiting. */
  hasRoomFor(bytes: number): boolean {
    const load = this.#readers.load()
    return load.documents === 0 || (load.documents < MAX_WAITING_DOCUMENTS && load.bytes + bytes <= MAX_WAITING_BYTES)
  }

  /** Returns when to retry the URL: about when a reader will be free for it. */
  postpone(urlId: number): number {
    if (this.#knownDocumentIds.size >= MAX_REMEMBERED) this.#knownDocumentIds.clear()
    this.#knownDocumentIds.add(urlId)
    const now = this.#clock.now()
    const next = Math.max(this.#postponedUntil, now + POSTPONE_MIN_MS) + this.#readIntervalMs * POSTPONE_FACTOR
    this.#postponedUntil = Math.min(next, now + POSTPONE_MAX_MS)
    return Math.ceil(this.#postponedUntil)
  }

  async read(request: DocumentRequest): Promise<ExtractedContent> {
    const startedAt = this.#clock.now()
    this.#waiting += 1
    try {
      return await this.#readers.read(request)
    } finally {
      this.#waiting -= 1
      const now = this.#clock.now()
      const sinceLastMs = now - Math.max(this.#readAt, startedAt)
      this.#readAt = now
      this.#readIntervalMs += (sinceLastMs - this.#readIntervalMs) / 8
    }
  }
}

function looksLikeDocument(url: string): boolean {
  const end = url.search(/[?#]/)
  return DOCUMENT_NAME.test(end === -1 ? url : url.slice(0, end))
}
