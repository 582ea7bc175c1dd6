// Puts together a header block, which may arrive in several frames (RFC 9113, section 4.3). Nothing else may arrive in
// between.

import { FLAG, FRAME, type FrameHead, H2_ERROR, MAX_PAYLOAD_BYTES } from './frames.ts'

/** Compressed. A longer one is an attack: what it stands for would be longer than any limit for headers. */
const MAX_BLOCK_BYTES = 4 * MAX_PAYLOAD_BYTES
/** What a frame counts beside its payload, for the memory that it takes, and so that empty ones have an end. */
const FRAME_OVERHEAD = 128
const PRIORITY_BYTES = 5

export interface WholeBlock {
  stream: number
  /** The last of its stream, which has no body or no more of it. */
  isLast: boolean
  buffer: Buffer
  start: number
  end: number
}

/** `null`: more frames follow. A number is the code of an error. */
export type BlockResult = WholeBlock | number | null

export class HeaderBlock {
  #stream = 0
  #isLast = false
  #parts: Buffer[] = []
  #bytes = 0

  /** Another frame than its continuation is a protocol error. */
  get isOpen(): boolean {
    return this.#stream !== 0
  }

  /** The payload of a HEADERS or CONTINUATION frame. */
  add(head: FrameHead, buffer: Buffer, start: number, end: number): BlockResult {
    if (head.type === FRAME.headers) return this.#begin(head, buffer, start, end)
    if (head.stream !== this.#stream) return H2_ERROR.protocol
    return this.#continue(head, buffer, start, end)
  }

  #begin({ flags, stream }: FrameHead, buffer: Buffer, start: number, end: number): BlockResult {
    let from = start
    let to = end
    if ((flags & FLAG.padded) !== 0) to -= buffer[from++] ?? 0
    if ((flags & FLAG.priority) !== 0) from += PRIORITY_BYTES
    if (from > to) return H2_ERROR.protocol
    const isLast = (flags & FLAG.endStream) !== 0
    if ((flags & FLAG.endHeaders) !== 0) return { stream, isLast, buffer, start: from, end: to }
    this.#stream = stream
    this.#isLast = isLast
    this.#keep(buffer, from, to)
    return null
  }

  #continue({ flags }: FrameHead, buffer: Buffer, start: number, end: number): BlockResult {
    this.#keep(buffer, start, end)
    if (this.#bytes > MAX_BLOCK_BYTES) return H2_ERROR.calmDown
    if ((flags & FLAG.endHeaders) === 0) return null
    const whole = Buffer.concat(this.#parts)
    const [stream, isLast] = [this.#stream, this.#isLast]
    this.#stream = 0
    this.#parts = []
    this.#bytes = 0
    return { stream, isLast, buffer: whole, start: 0, end: whole.length }
  }

  #keep(buffer: Buffer, start: number, end: number): void {
    this.#parts.push(Buffer.from(buffer.subarray(start, end)))
    this.#bytes += end - start + FRAME_OVERHEAD
  }
}
