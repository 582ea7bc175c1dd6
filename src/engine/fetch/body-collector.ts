// Collects a response body from chunks of any size, in little more memory than its size.

/** The announced length may be wrong: no more than this is reserved in advance. */
const MAX_FIRST_BYTES = 256 * 1024
const MIN_BYTES = 4096
/** Memory beyond the body is released if it exceeds this share of it. */
const MAX_SLACK = 1 / 4

const NOTHING = Buffer.alloc(0)

export class BodyCollector {
  #buffer = NOTHING
  #length = 0

  /** The announced length, which may be wrong. Call before the first chunk. */
  expect(bytes: number): void {
    if (bytes > 0) this.#buffer = Buffer.allocUnsafeSlow(Math.min(bytes, MAX_FIRST_BYTES))
  }

  add(source: Buffer, start: number, end: number): void {
    const length = this.#length + end - start
    if (length > this.#buffer.length) this.#grow(length)
    source.copy(this.#buffer, this.#length, start, end)
    this.#length = length
  }

  #grow(least: number): void {
    this.#resize(Math.max(MIN_BYTES, least, this.#buffer.length * 2))
  }

  /**
   * Uses a transfer, which frees the old memory at once; after a copy it would stay until the next garbage collection.
   */
  #resize(bytes: number): void {
    const isFirst = this.#buffer === NOTHING
    this.#buffer = isFirst ? Buffer.allocUnsafeSlow(bytes) : Buffer.from(this.#buffer.buffer.transfer(bytes))
  }

  /** Returns the body and resets the collector. */
  take(): Buffer {
    const length = this.#length
    if (this.#buffer.length - length > length * MAX_SLACK) this.#resize(length)
    const body = this.#buffer
    this.#buffer = NOTHING
    return body.length === length ? body : body.subarray(0, length)
  }
}
