// Responses that wait for their commit. Their bytes are in a few large buffers that the archive thread reads as well,
// and that are reused after the batch is written. A buffer per page or batch would count as memory of this thread, and
// V8 collects its whole heap each time that such buffers add up: 11 times instead of once for 3,000 pages of 60 KB
// (2026-11).

import { copyBytes } from '../../../lib/copy-bytes.ts'
import type { ArchiveItem } from '../../../ports/archive.ts'
import type { ResponseToArchive } from '../visit/response-to-archive.ts'

export interface BatchedResponse extends Pick<ResponseToArchive, 'page' | 'isReported' | 'isCertain'> {
  item: Omit<ArchiveItem, 'sameAs'>
}

/** A larger response gets a separate buffer, which is not reused. */
const CHUNK_BYTES = 512 * 1024
/** Enough for one batch. */
const MAX_FREE_CHUNKS = 8

/** One pool per thread: crawls that wait for their next visit keep no chunks. */
export class ChunkPool {
  readonly #free: Uint8Array[] = []

  take(bytes: number): Uint8Array {
    if (bytes > CHUNK_BYTES) return new Uint8Array(new SharedArrayBuffer(bytes))
    return this.#free.pop() ?? new Uint8Array(new SharedArrayBuffer(CHUNK_BYTES))
  }

  /** Takes back chunks that nothing reads any more. */
  release(chunks: Uint8Array[]): void {
    for (const chunk of chunks)
      if (chunk.length === CHUNK_BYTES && this.#free.length < MAX_FREE_CHUNKS) this.#free.push(chunk)
  }
}

export class ResponseBatch {
  readonly responses: BatchedResponse[] = []
  readonly chunks: Uint8Array[] = []
  /** Bytes of all responses. */
  bytes = 0
  readonly #pool: ChunkPool
  /** Bytes used in the last chunk. */
  #used = 0

  constructor(pool: ChunkPool) {
    this.#pool = pool
  }

  /** Copies its bytes. */
  add({ item, head, payload, request, extracted, screenshot, page, isReported, isCertain }: ResponseToArchive): void {
    const pieces = [head, payload, request, extracted, screenshot]
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    const chunk = this.#chunkFor(length)
    const place = { chunk: this.chunks.length - 1, offset: this.#used }
    for (const piece of pieces) {
      copyBytes(piece, chunk, this.#used)
      this.#used += piece.length
    }
    this.bytes += length
    this.responses.push({ item: { ...item, ...place }, page, isReported, isCertain })
  }

  /** Called when the batch is written or dropped. */
  free(): void {
    this.#pool.release(this.chunks.splice(0))
  }

  #chunkFor(length: number): Uint8Array {
    const last = this.chunks.at(-1)
    if (last !== undefined && this.#used + length <= last.length) return last
    const chunk = this.#pool.take(length)
    this.chunks.push(chunk)
    this.#used = 0
    return chunk
  }
}
