/** A queue of byte chunks of any size; consumed chunks are released at once. */
export class ChunkQueue {
  readonly #chunks: (Buffer | null)[]
  #index = 0
  #offset = 0

  constructor(chunks: readonly Buffer[]) {
    this.#chunks = chunks.filter((chunk) => chunk.length > 0)
  }

  /** The first bytes, as many as are in one chunk. */
  get head(): Buffer {
    return this.#chunks[0] ?? Buffer.alloc(0)
  }

  /** Up to `maxBytes` more, or null at the end. */
  take(maxBytes: number): Buffer | null {
    const chunk = this.#chunks[this.#index] ?? null
    if (chunk === null) return null
    const end = Math.min(chunk.length, this.#offset + maxBytes)
    const bytes = chunk.subarray(this.#offset, end)
    this.#offset = end
    if (end === chunk.length) {
      this.#chunks[this.#index++] = null
      this.#offset = 0
    }
    return bytes
  }
}
