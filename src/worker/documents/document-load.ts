// The documents of a process that are waiting or being read, in a cell shared by all its threads. A client adds each
// document it submits; the pool removes it when it is read or dropped.

export interface DocumentLoad {
  documents: number
  bytes: number
}

const DOCUMENTS = 0
const KILOBYTES = 1
const KILOBYTE = 1024

export function newLoadCell(): SharedArrayBuffer {
  return new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)
}

export function addLoad(cell: SharedArrayBuffer, bytes: number): void {
  change(cell, 1, bytes)
}

export function removeLoad(cell: SharedArrayBuffer, bytes: number): void {
  change(cell, -1, bytes)
}

export function readLoad(cell: SharedArrayBuffer): DocumentLoad {
  const counts = new Int32Array(cell)
  return { documents: Atomics.load(counts, DOCUMENTS), bytes: Atomics.load(counts, KILOBYTES) * KILOBYTE }
}

function change(cell: SharedArrayBuffer, sign: 1 | -1, bytes: number): void {
  const counts = new Int32Array(cell)
  Atomics.add(counts, DOCUMENTS, sign)
  Atomics.add(counts, KILOBYTES, sign * Math.ceil(bytes / KILOBYTE))
}
