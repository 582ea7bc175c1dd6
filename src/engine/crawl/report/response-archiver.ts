// Writes responses to the archive before the commit that points at them. A payload that is already archived is not
// written again: a short record refers to the original.

import { LruCache } from '../../../lib/lru-cache.ts'
import { withTransfer } from '../../../lib/rpc.ts'
import type { ArchiveBatch, ArchiveWriter } from '../../../ports/archive.ts'
import type { Contents, KnownContent } from '../../../ports/pages.ts'
import type { ResponseToArchive } from '../visit/response-to-archive.ts'

export interface ResponseArchiverDependencies {
  archive: Pick<ArchiveWriter, 'append'>
  contents: Pick<Contents, 'find'>
}

interface OriginalRecord {
  url: string
  fetchedAt: number
}

interface ChosenResponse {
  response: ResponseToArchive
  /** The record with the same payload; null if this one has to be written. */
  sameAs: OriginalRecord | null
}

/** Payloads archived recently, which the store may not know yet. */
const MAX_RECENT = 10_000
/** After this time the store knows the payload, or has already dropped it. */
const RECENT_MS = 3_600_000
/** Smaller payloads are written again: a record that refers to another would not be shorter. */
const MIN_SHARED_BYTES = 512
const NO_BYTES = Buffer.alloc(0)

export class ResponseArchiver {
  readonly #dependencies: ResponseArchiverDependencies
  readonly #skipNearDuplicates: boolean
  #recentPayloads = new LruCache<OriginalRecord>(MAX_RECENT)
  /** Batches being written. */
  batchesInFlight = 0

  constructor(parts: ResponseArchiverDependencies, skipNearDuplicates: boolean) {
    this.#dependencies = parts
    this.#skipNearDuplicates = skipNearDuplicates
  }

  /** Resolves when the bytes are durable. Sets the position of each page. */
  async archive(responses: ResponseToArchive[]): Promise<void> {
    const known = await this.#dependencies.contents.find(
      responses.map(({ item: { url }, page: { digest, fingerprint } }) => ({
        url,
        digest,
        fingerprint: this.#skipNearDuplicates ? fingerprint : null,
      })),
    )
    const chosen: ChosenResponse[] = []
    responses.forEach((response, i) => {
      const sameAs = this.#findOriginal(response, known[i])
      const resembles = known[i]?.resembles ?? null
      if (this.#skipNearDuplicates && sameAs === null && resembles !== null) response.page.resembles = resembles
      else chosen.push({ response, sameAs })
    })
    const batch = toArchiveBatch(chosen)
    // The bytes are copied to the batch. The commit needs only the positions.
    for (const response of responses) {
      response.payload = NO_BYTES
      response.extracted = NO_BYTES
      response.screenshot = NO_BYTES
    }
    this.batchesInFlight += 1
    const positions = await this.#dependencies.archive.append(batch)
    this.batchesInFlight -= 1
    chosen.forEach(({ response, sameAs }, i) => {
      response.page.position = positions[i] ?? null
      response.page.hasPayload = sameAs === null
    })
  }

  /** Called after a commit was rejected: payloads archived recently may not be known to the store. */
  reset(): void {
    this.#recentPayloads = new LruCache(MAX_RECENT)
  }

  #findOriginal(response: ResponseToArchive, known: KnownContent | undefined): OriginalRecord | null {
    const { item, page, isReported, isCertain } = response
    if (isReported || item.payloadLength < MIN_SHARED_BYTES) return null
    if (!isCertain) return known?.sameAs ?? null
    const recent = this.#recentPayloads.get(page.digest)
    // A damaged payload is archived again, even if this thread archived it before.
    const isRecent = recent !== undefined && item.fetchedAt - recent.fetchedAt < RECENT_MS && known?.isDamaged !== true
    const source = known?.sameAs ?? (isRecent ? recent : null)
    if (source !== null) return source
    this.#recentPayloads.set(page.digest, { url: item.url, fetchedAt: item.fetchedAt })
    return null
  }
}

/** Packs everything into one buffer, which is transferred to the archive thread without a copy. */
function toArchiveBatch(chosen: ChosenResponse[]): ArchiveBatch {
  const pieces = chosen.flatMap(({ response: { head, payload, request, extracted, screenshot }, sameAs }) =>
    sameAs === null ? [head, payload, request, extracted, screenshot] : [head, request],
  )
  // Not from Buffer's pool, since the whole buffer is transferred; and not zeroed, since every byte is written.
  const bytes = Buffer.allocUnsafeSlow(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  const items = chosen.map(({ response, sameAs }) => ({ ...response.item, sameAs }))
  return withTransfer({ items, bytes }, [bytes.buffer])
}
