// Puts together a header block, which may arrive in several frames (RFC 9113, section 4.3). Nothing else may arrive in
// between.

import { FLAG, FRAME, type FrameHead, H2_ERROR, MAX_PAYLOAD_BYTES } from './frames.ts'

/** Compressed. A longer one is an attack: what it stands for would be longer than any limit for headers. */
const MAX_BLOCK_BYTES = 4 * MAX_PAYLOAD_BYTES
/** Added to the length of each frame, for the memory that it takes, and so that the number of empty frames is bounded. */
const FRAME_OVERHEAD = 128
const PRIORITY_BYTES = 5

export interface WholeBlock {
  stream: number
  /** Nothing follows in its stream. */
  isLast: boolean
  block: Buffer
}

/** `null`: more frames follow. A number is the code of an error. */
export type BlockResult = WholeBlock | number | null

export class HeaderBlock {
  #stream = 0
  #isLast = false
  #parts: Buffer[] = []
  #bytes = 0

  /** Any frame but a continuation is a protocol error now. */
  get isOpen(): boolean {
    return this.#stream !== 0
  }

  /** The payload of a HEADERS or CONTINUATION frame. */
  add(head: FrameHead, payload: Buffer): BlockResult {
    if (head.type === FRAME.headers) return this.#begin(head, payload)
    return head.stream === this.#stream ? this.#continue(head, payload) : H2_ERROR.protocol
  }

  #begin({ flags, stream }: FrameHead, payload: Buffer): BlockResult {
    let start = 0
    let end = payload.length
    if ((flags & FLAG.padded) !== 0) end -= payload[start++] ?? 0
    if ((flags & FLAG.priority) !== 0) start += PRIORITY_BYTES
    if (start > end) return H2_ERROR.protocol
    const isLast = (flags & FLAG.endStream) !== 0
    const block = payload.subarray(start, end)
    if ((flags & FLAG.endHeaders) !== 0) return { stream, isLast, block }
    this.#stream = stream
    this.#isLast = isLast
    this.#keep(block)
    return null
  }

  #continue({ flags }: FrameHead, payload: Buffer): BlockResult {
    this.#keep(payload)
    if (this.#bytes > MAX_BLOCK_BYTES) return H2_ERROR.calmDown
    if ((flags & FLAG.endHeaders) === 0) return null
    const whole = { stream: this.#stream, isLast: this.#isLast, block: Buffer.concat(this.#parts) }
    this.#stream = 0
    this.#parts = []
    this.#bytes = 0
    return whole
  }

  /** Copies it, because the buffer of the payload is reused. */
  #keep(part: Buffer): void {
    this.#parts.push(Buffer.from(part))
    this.#bytes += part.length + FRAME_OVERHEAD
  }
}
