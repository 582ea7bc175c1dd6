// How many documents of a host have a line: what many have is no part of their text. Bounded for each host: when there
// are too many lines, those that one document has are forgotten, and the commonest of the others stay.

/** By the hash of the line. */
export type LineCounts = ReadonlyMap<number, number>

const MAX_LINES = 500
const KEPT_LINES = 250
const BYTES = 6
const MOST = 0xffff

/** What is known of a host after some documents have come and gone; counts below one are left out. */
export function addLines(known: LineCounts, changes: LineCounts): LineCounts {
  const counts = new Map(known)
  for (const [line, change] of changes) {
    const count = Math.min(MOST, (counts.get(line) ?? 0) + change)
    if (count > 0) counts.set(line, count)
    else counts.delete(line)
  }
  if (counts.size <= MAX_LINES) return counts
  const repeated = [...counts].filter(([, count]) => count > 1)
  if (repeated.length <= KEPT_LINES) return new Map(repeated)
  const commonest = repeated.sort(([a, x], [b, y]) => y - x || a - b)
  return new Map(commonest.slice(0, KEPT_LINES))
}

export function packLines(counts: LineCounts): Uint8Array {
  const packed = Buffer.alloc(counts.size * BYTES)
  let at = 0
  for (const [line, count] of counts) {
    packed.writeInt32LE(line, at)
    packed.writeUInt16LE(count, at + 4)
    at += BYTES
  }
  return packed
}

export function unpackLines(packed: Uint8Array): LineCounts {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
  const counts = new Map<number, number>()
  for (let at = 0; at < bytes.length; at += BYTES) counts.set(bytes.readInt32LE(at), bytes.readUInt16LE(at + 4))
  return counts
}

/** Changes by host, of documents that come and go. */
export class LineChanges {
  readonly #hosts = new Map<string, Map<number, number>>()

  add(host: string, lines: readonly number[], change: 1 | -1): void {
    if (lines.length === 0) return
    const changes = this.#hosts.get(host) ?? new Map<number, number>()
    this.#hosts.set(host, changes)
    for (const line of lines) changes.set(line, (changes.get(line) ?? 0) + change)
  }

  /** All of them, in the order of the hosts; there are none left then. */
  take(): [host: string, changes: LineCounts][] {
    const all = [...this.#hosts].sort(([a], [b]) => (a < b ? -1 : 1))
    this.#hosts.clear()
    return all
  }
}
