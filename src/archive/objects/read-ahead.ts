// Reads objects ahead for sequential readers: exports, and indexers that follow a crawl. A request costs as much time
// as hundreds of kilobytes, and money. Random reads transfer only the requested bytes.

import { LruCache } from '../../lib/lru-cache.ts'
import type { Position } from '../../ports/archive.ts'
import type { SegmentObjects } from './segment-objects.ts'

const AHEAD_BYTES = 1024 * 1024
/** A read that starts at most this far behind the last one continues it. Records in between belong to other readers. */
const MAX_GAP_BYTES = 64 * 1024
/** Crawl threads and workers write several segments at the same time. */
const MAX_SEGMENTS = 8

interface Block {
  start: number
  bytes: Buffer
}

export class ReadAhead {
  readonly #objects: Pick<SegmentObjects, 'read'>
  /** The bytes read last, by segment. */
  readonly #blocks = new LruCache<Block>(MAX_SEGMENTS)

  constructor(objects: Pick<SegmentObjects, 'read'>) {
    this.#objects = objects
  }

  async read({ segment, offset, length }: Position): Promise<Buffer> {
    const last = this.#blocks.get(segment)
    const gap = last === undefined ? Number.POSITIVE_INFINITY : offset - last.start - last.bytes.length
    if (last !== undefined && offset >= last.start && gap + length <= 0) {
      return last.bytes.subarray(offset - last.start, offset - last.start + length)
    }
    const isContinued = last !== undefined && offset >= last.start && gap <= MAX_GAP_BYTES
    const bytes = await this.#objects.read(segment, offset, isContinued ? Math.max(length, AHEAD_BYTES) : length)
    // A large record is not worth its memory.
    if (bytes.length <= AHEAD_BYTES) this.#blocks.set(segment, { start: offset, bytes })
    return bytes.subarray(0, length)
  }
}
