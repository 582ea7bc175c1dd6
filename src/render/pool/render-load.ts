// The pages of a process that wait for the renderer or are being rendered, in a cell shared by all its threads.

export interface RenderLoad {
  pages: number
}

export function newRenderLoadCell(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
}

export function addRenderLoad(cell: SharedArrayBuffer, pages: 1 | -1): void {
  Atomics.add(new Int32Array(cell), 0, pages)
}

export function readRenderLoad(cell: SharedArrayBuffer): RenderLoad {
  return { pages: Atomics.load(new Int32Array(cell), 0) }
}
