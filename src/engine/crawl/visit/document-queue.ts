// Documents of one crawl thread that the readers of the process have in hand (worker/documents), and whether they take
// more. Documents do not count against the requests at a time: pages are fetched whatever the readers are busy with.
// While as much waits as may, a url that leads to a document is put off: it goes back to the queue with a time, and
// nothing is held in memory for it.

import type { Clock } from '../../../lib/clock.ts'
import type { ExtractedContent } from '../../media/content-type.ts'
import type { DocumentRequest } from '../../media/document-types.ts'

export interface DocumentReaders {
  read(request: DocumentRequest): Promise<ExtractedContent>
  /** What waits or is being read, over all crawls of the process. */
  load(): { documents: number; bytes: number }
}

/** Of the whole process. Every document waits twice, here for the archive and there to be read: this is 64 MB. */
export const MAX_WAITING_DOCUMENTS = 64
export const MAX_WAITING_BYTES = 32 << 20
/** Requests begin while there is at least so much room, since nobody knows what they bring. */
const MAX_BYTES_TO_START = MAX_WAITING_BYTES / 2
const DEFER_MIN_MS = 500
const DEFER_MAX_MS = 60_000
/** How long a document takes, before any was read. */
const INITIAL_READ_MS = 100
/** Of the estimate: a reader without work would cost more than a url that is put off twice. */
const DEFER_FACTOR = 0.5
const MAX_REMEMBERED = 10_000
const DOCUMENT_NAME = /\.(?:pdf|epub|docx|odt)$/i

export class DocumentQueue {
  readonly #readers: DocumentReaders
  readonly #clock: Clock
  /** Ids of urls that led to a document and do not look like it. */
  readonly #knownDocumentIds = new Set<number>()
  /** Requests under way that look as if they would bring one. */
  #expected = 0
  #waiting = 0
  /** Time between two that were read, while others waited. */
  #readIntervalMs = INITIAL_READ_MS
  #readAt = 0
  /** When the last of those that were put off may come back. */
  #deferredUntil = 0

  constructor(readers: DocumentReaders, clock: Clock) {
    this.#readers = readers
    this.#clock = clock
  }

  /** Documents of this crawl that wait or are being read. */
  get waiting(): number {
    return this.#waiting
  }

  /** Urls are being put off, or were and are not due yet. */
  get hasBacklog(): boolean {
    return this.#deferredUntil > this.#clock.now()
  }

  isDocument(url: { id: number; url: string }): boolean {
    return this.#knownDocumentIds.has(url.id) || looksLikeDocument(url.url)
  }

  /** A request for a document may begin. */
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

  /** One that is larger than all that may wait is read when nothing else is. */
  hasRoomFor(bytes: number): boolean {
    const load = this.#readers.load()
    return load.documents === 0 || (load.documents < MAX_WAITING_DOCUMENTS && load.bytes + bytes <= MAX_WAITING_BYTES)
  }

  /** Answers when the url may come back: about when the readers will get to it. */
  defer(urlId: number): number {
    if (this.#knownDocumentIds.size >= MAX_REMEMBERED) this.#knownDocumentIds.clear()
    this.#knownDocumentIds.add(urlId)
    const now = this.#clock.now()
    const next = Math.max(this.#deferredUntil, now + DEFER_MIN_MS) + this.#readIntervalMs * DEFER_FACTOR
    this.#deferredUntil = Math.min(next, now + DEFER_MAX_MS)
    return Math.ceil(this.#deferredUntil)
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
