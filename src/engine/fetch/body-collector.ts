// Collects the body of an answer from parts of any size, in little more memory than it takes.

/** What is announced need not come: more than this is not reserved beforehand. */
const MAX_FIRST_BYTES = 64 * 1024
const MIN_BYTES = 4096
/** Memory beyond the body is given back when it is more than this part of it. */
const MAX_SLACK = 1 / 4

const NOTHING = Buffer.alloc(0)

export class BodyCollector {
  #buffer = NOTHING
  #length = 0

  /** An announcement, which may be wrong. */
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

  /** By a transfer, which frees what it leaves at once; after a copy that would lie about until the next collection. */
  #resize(bytes: number): void {
    const isFirst = this.#buffer === NOTHING
    this.#buffer = isFirst ? Buffer.allocUnsafeSlow(bytes) : Buffer.from(this.#buffer.buffer.transfer(bytes))
  }

  /** Hands the body over; what is collected is gone. */
  take(): Buffer {
    const length = this.#length
    if (this.#buffer.length - length > length * MAX_SLACK) this.#resize(length)
    const body = this.#buffer
    this.#buffer = NOTHING
    return body.length === length ? body : body.subarray(0, length)
  }
}
