// How many documents of a host have a line: a line that many have is no part of their text. Bounded for each host: when
// there are too many lines, those of a single document are forgotten, and the commonest of the others stay. Documents
// are counted one after another, in the order of their pages: where batches end makes no difference.

import { hostOf } from './url-parts.ts'

/** By the hash of the line. */
export type LineCounts = ReadonlyMap<number, number>

const MAX_LINES = 500
const KEPT_LINES = 250
const BYTES = 6
const MOST = 0xffff

/** Of one host. */
export class LineCounter {
  #counts: Map<number, number>

  constructor(known: LineCounts = new Map()) {
    this.#counts = new Map(known)
  }

  get counts(): LineCounts {
    return this.#counts
  }

  countOf(line: number): number {
    return this.#counts.get(line) ?? 0
  }

  /** Those of a document, each once. */
  add(lines: readonly number[]): void {
    for (const line of lines) this.#counts.set(line, Math.min(MOST, this.countOf(line) + 1))
    if (this.#counts.size > MAX_LINES) this.#prune()
  }

  /** Of a document that was counted. */
  remove(lines: readonly number[]): void {
    for (const line of lines) {
      const left = this.countOf(line) - 1
      if (left > 0) this.#counts.set(line, left)
      else this.#counts.delete(line)
    }
  }

  #prune(): void {
    const repeated = [...this.#counts].filter(([, count]) => count > 1)
    if (repeated.length > KEPT_LINES) repeated.sort(([a, x], [b, y]) => y - x || a - b)
    this.#counts = new Map(repeated.slice(0, KEPT_LINES))
  }
}

export interface CountedDocument {
  version: number
  lines: readonly number[]
}

/** Lines of hosts while the pages of a batch come one after another. */
export class BatchLineCounts {
  readonly #hosts = new Map<string, LineCounter>()
  /** Documents of this batch by url; null: the url has none any more. */
  readonly #documents = new Map<string, CountedDocument | null>()

  constructor(hosts: ReadonlyMap<string, LineCounts> = new Map()) {
    for (const [host, counts] of hosts) this.#hosts.set(host, new LineCounter(counts))
  }

  /** In no order. */
  get hosts(): ReadonlyMap<string, LineCounter> {
    return this.#hosts
  }

  counterOf(host: string): LineCounter {
    const counter = this.#hosts.get(host) ?? new LineCounter()
    this.#hosts.set(host, counter)
    return counter
  }

  add(url: string, document: CountedDocument): void {
    this.counterOf(hostOf(url)).add(document.lines)
    this.#documents.set(url, document)
  }

  /**
   * Makes way for a version of a url that had the document `before` when the batch began. False if it has one of a
   * later version: that stays.
   */
  removeUpToVersion(url: string, version: number, before: CountedDocument | null): boolean {
    const document = this.#documents.get(url)
    const known = document === undefined ? before : document
    if (known !== null && known.version > version) return false
    if (known !== null) this.counterOf(hostOf(url)).remove(known.lines)
    this.#documents.set(url, null)
    return true
  }
}

export function packLineCounts(counts: LineCounts): Uint8Array {
  const packed = Buffer.alloc(counts.size * BYTES)
  let at = 0
  for (const [line, count] of counts) {
    packed.writeInt32LE(line, at)
    packed.writeUInt16LE(count, at + 4)
    at += BYTES
  }
  return packed
}

export function unpackLineCounts(packed: Uint8Array): LineCounts {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
  const counts = new Map<number, number>()
  for (let at = 0; at < bytes.length; at += BYTES) counts.set(bytes.readInt32LE(at), bytes.readUInt16LE(at + 4))
  return counts
}
