// Counts the documents of a host that contain a line: a line that many documents share is boilerplate. The counts per
// host are bounded. When there are too many lines, lines of a single document are dropped, and the most common of the
// rest stay. Documents are counted in page order, so batch boundaries make no difference.

/** Documents per line, by the hash of the line. */
export type LineCounts = ReadonlyMap<number, number>

const MAX_LINES = 500
const KEPT_LINES = 250
const BYTES = 6
const MOST = 0xffff

/** The counts of one host. */
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

  /** Adds the distinct lines of a document. */
  add(lines: readonly number[]): void {
    for (const line of lines) this.#counts.set(line, Math.min(MOST, this.countOf(line) + 1))
    if (this.#counts.size > MAX_LINES) this.#prune()
  }

  /** Removes the lines of a document that was added before. */
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
