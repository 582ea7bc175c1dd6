// Writes responses to the archive before the commit that points at them. A payload that is already archived is not
// written again: a short record refers to the original.

import { LruCache } from '../../../lib/lru-cache.ts'
import type { ArchiveWriter } from '../../../ports/archive.ts'
import type { Contents, KnownContent } from '../../../ports/pages.ts'
import { type BatchedResponse, type ChunkPool, ResponseBatch } from './response-batch.ts'

export interface ResponseArchiverDependencies {
  archive: Pick<ArchiveWriter, 'append'>
  contents: Pick<Contents, 'find'>
  chunkPool: ChunkPool
}

interface OriginalRecord {
  url: string
  fetchedAt: number
}

interface ChosenResponse {
  response: BatchedResponse
  /** The record with the same payload; null if this payload has to be written. */
  sameAs: OriginalRecord | null
}

/** Payloads archived recently, which the store may not know yet. */
const MAX_RECENT = 10_000
/** After this time the store either knows the payload or has dropped it. */
const RECENT_MS = 3_600_000
/** Smaller payloads are written again: a record that refers to another would not be shorter. */
const MIN_SHARED_BYTES = 512

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

  newBatch(): ResponseBatch {
    return new ResponseBatch(this.#dependencies.chunkPool)
  }

  /** Resolves when the bytes are durable. Sets the position of each page. */
  async archive(batch: ResponseBatch): Promise<void> {
    const { responses, chunks } = batch
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
    this.batchesInFlight += 1
    const items = chosen.map(({ response, sameAs }) => ({ ...response.item, sameAs }))
    const positions = await this.#dependencies.archive.append({ items, chunks })
    batch.free()
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

  #findOriginal(response: BatchedResponse, known: KnownContent | undefined): OriginalRecord | null {
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
