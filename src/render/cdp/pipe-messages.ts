// The framing of CDP over a pipe: JSON messages, each followed by a NUL byte.

const NUL = 0

export interface OversizedMessage {
  /** The first bytes of the message, which contain its id. */
  head: string
}

/**
 * Splits a stream into messages. A message over the limit is not kept in memory; `onOversized` gets its first bytes, so
 * that the command it replies to can be rejected.
 */
export class MessageSplitter {
  readonly #maxBytes: number
  readonly #onMessage: (text: string) => void
  readonly #onOversized: (oversizedMessage: OversizedMessage) => void
  #chunks: Buffer[] = []
  #bytes = 0
  #isOversized = false

  constructor(
    maxBytes: number,
    onMessage: (text: string) => void,
    onOversized: (oversizedMessage: OversizedMessage) => void,
  ) {
    this.#maxBytes = maxBytes
    this.#onMessage = onMessage
    this.#onOversized = onOversized
  }

  push(chunk: Buffer): void {
    let start = 0
    for (let end = chunk.indexOf(NUL); end !== -1; end = chunk.indexOf(NUL, start)) {
      this.#append(chunk.subarray(start, end))
      this.#finish()
      start = end + 1
    }
    if (start < chunk.length) this.#append(chunk.subarray(start))
  }

  #append(part: Buffer): void {
    this.#bytes += part.length
    if (this.#isOversized) return
    this.#chunks.push(part)
    if (this.#bytes <= this.#maxBytes) return
    this.#isOversized = true
    const head = this.#chunks[0]?.subarray(0, 200).toString('latin1') ?? ''
    this.#chunks = []
    this.#onOversized({ head })
  }

  #finish(): void {
    const chunks = this.#chunks
    const isOversized = this.#isOversized
    this.#chunks = []
    this.#bytes = 0
    this.#isOversized = false
    if (isOversized) return
    const [only] = chunks
    const message = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)
    this.#onMessage(message.toString('utf8'))
  }
}
