// Splits what a connection receives into frames (RFC 9113, section 4.1). The content of DATA frames is passed on as it
// arrives; other frames are collected, since they are small.

import { FLAG, FRAME, type FrameHead, H2_ERROR, HEAD_BYTES, MAX_PAYLOAD_BYTES } from './frames.ts'

export interface FrameSink {
  /** A frame other than DATA. The buffer of the payload will be reused. */
  onFrame(head: FrameHead, payload: Buffer): void
  /** A part of the content of a DATA frame, in a buffer that will be reused. */
  onData(stream: number, buffer: Buffer, start: number, end: number): void
  /** A DATA frame has ended. `payloadBytes` includes its padding. */
  onDataEnd(head: FrameHead, payloadBytes: number): void
  /** Nothing is read after this. */
  onBreach(code: number): void
}

export class FrameReader {
  readonly #sink: FrameSink
  /** The head of a frame, or the payload of a frame other than DATA, that has arrived in part. */
  #collected: Buffer = Buffer.alloc(HEAD_BYTES)
  #collectedBytes = 0
  /** The current frame, once its head is read. */
  #head: FrameHead | null = null
  #payloadBytes = 0
  /** Of the payload of a DATA frame: what is left of it with its padding, and the padding, once known. */
  #dataLeft = 0
  #paddingBytes = 0
  #mustReadPadding = false
  #isStopped = false

  constructor(sink: FrameSink) {
    this.#sink = sink
  }

  /** Ignores everything that follows. */
  stop(): void {
    this.#isStopped = true
  }

  read(buffer: Buffer, length: number): void {
    let at = 0
    while (at < length && !this.#isStopped) {
      if (this.#head === null) at = this.#readHead(buffer, at, length)
      else if (this.#head.type === FRAME.data) at = this.#readData(this.#head, buffer, at, length)
      else at = this.#readPayload(this.#head, buffer, at, length)
    }
  }

  #readHead(buffer: Buffer, at: number, length: number): number {
    const isWhole = this.#collectedBytes === 0 && length - at >= HEAD_BYTES
    const end = isWhole ? at + HEAD_BYTES : this.#collect(buffer, at, length, HEAD_BYTES)
    if (!isWhole && this.#collectedBytes < HEAD_BYTES) return end
    this.#collectedBytes = 0
    if (isWhole) this.#begin(buffer, at)
    else this.#begin(this.#collected, 0)
    return end
  }

  #begin(buffer: Buffer, at: number): void {
    const payloadBytes = buffer.readUIntBE(at, 3)
    if (payloadBytes > MAX_PAYLOAD_BYTES) return this.#fail(H2_ERROR.frameSize)
    const head = {
      type: buffer[at + 3] as number,
      flags: buffer[at + 4] as number,
      stream: buffer.readUInt32BE(at + 5) & 0x7fffffff,
    }
    this.#head = head
    this.#payloadBytes = payloadBytes
    this.#dataLeft = payloadBytes
    this.#paddingBytes = 0
    this.#mustReadPadding = head.type === FRAME.data && (head.flags & FLAG.padded) !== 0
    if (payloadBytes > 0) return
    if (this.#mustReadPadding) return this.#fail(H2_ERROR.frameSize)
    this.#end(head, buffer, at, at)
  }

  #readPayload(head: FrameHead, buffer: Buffer, at: number, length: number): number {
    if (this.#collectedBytes === 0 && length - at >= this.#payloadBytes) {
      const end = at + this.#payloadBytes
      this.#end(head, buffer, at, end)
      return end
    }
    const end = this.#collect(buffer, at, length, this.#payloadBytes)
    if (this.#collectedBytes === this.#payloadBytes) {
      this.#collectedBytes = 0
      this.#end(head, this.#collected, 0, this.#payloadBytes)
    }
    return end
  }

  #readData(head: FrameHead, buffer: Buffer, from: number, length: number): number {
    let at = from
    if (this.#mustReadPadding) {
      this.#mustReadPadding = false
      this.#paddingBytes = buffer[at] as number
      at += 1
      this.#dataLeft -= 1
      if (this.#paddingBytes > this.#dataLeft) {
        this.#fail(H2_ERROR.protocol)
        return length
      }
    }
    const end = Math.min(length, at + this.#dataLeft)
    const contentEnd = Math.min(length, at + Math.max(0, this.#dataLeft - this.#paddingBytes))
    if (contentEnd > at) this.#sink.onData(head.stream, buffer, at, contentEnd)
    this.#dataLeft -= end - at
    if (this.#dataLeft === 0) this.#end(head, buffer, end, end)
    return end
  }

  /** Returns the new position. */
  #collect(buffer: Buffer, at: number, length: number, wanted: number): number {
    if (this.#collected.length < wanted) this.#collected = Buffer.allocUnsafeSlow(wanted)
    const end = Math.min(length, at + wanted - this.#collectedBytes)
    buffer.copy(this.#collected, this.#collectedBytes, at, end)
    this.#collectedBytes += end - at
    return end
  }

  /** The sink may stop the reader. */
  #end(head: FrameHead, buffer: Buffer, start: number, end: number): void {
    this.#head = null
    if (head.type === FRAME.data) this.#sink.onDataEnd(head, this.#payloadBytes)
    else this.#sink.onFrame(head, buffer.subarray(start, end))
  }

  #fail(code: number): void {
    this.#isStopped = true
    this.#sink.onBreach(code)
  }
}
