// An HTTP/2 connection to one origin (RFC 9113), one stream per request. Requests have no body, pushes are refused, and
// priorities are ignored. Node's own client takes 58 us more per request: a stream object each, and three callbacks
// through C++ (docs/explanation/decisions.md, "Our own HTTP/2 client").

import type { Socket } from 'node:net'
import type { Clock } from '../../../lib/clock.ts'
import type { OriginRequest } from '../exchange.ts'
import { type RequestHeaders, withExtraHeaders } from '../headers.ts'
import { FrameReader, type FrameSink } from './frame-reader.ts'
import { FrameWriter } from './frame-writer.ts'
import {
  FLAG,
  FRAME,
  type FrameHead,
  frame,
  goAwayFrame,
  H2_ERROR,
  headersFrames,
  numberFrame,
  PREFACE,
  SETTING,
  settingsFrame,
} from './frames.ts'
import { HeaderBlock, type WholeBlock } from './header-block.ts'
import { HpackDecoder } from './hpack-decoder.ts'
import { EMPTY_TABLE } from './hpack-encoder.ts'
import { RequestEncoder } from './request-encoder.ts'
import { ResponseStream, type StreamEvents } from './response-stream.ts'

export interface H2Settings {
  host: string
  headers: RequestHeaders
  maxHeadBytes: number
  clock: Clock
}

export interface H2Events {
  /** Called once, when the connection accepts no more requests; those in flight finish normally. */
  retired: () => void
  closed: () => void
  /** The server allows more requests at a time than before. */
  hasRoom: () => void
}

const STREAM_WINDOW_BYTES = 1024 * 1024
const CONNECTION_WINDOW_BYTES = 8 * 1024 * 1024
const DEFAULT_WINDOW_BYTES = 65_535
const DEFAULT_TABLE_BYTES = 4096
const IDLE_MS = 4000
/** Unsent replies to a server that asks for them and reads nothing. */
const MAX_UNSENT_BYTES = 256 * 1024
const LAST_STREAM = 0x7fffffff
const PING_BYTES = 8
const RESET_BYTES = 4
const MIN_GO_AWAY_BYTES = 8
const SETTING_BYTES = 6
/** How streams end on a connection that accepts no more requests: no error, refused, cancelled. */
const RETRYABLE_CODES: ReadonlySet<number> = new Set([H2_ERROR.none, H2_ERROR.refusedStream, H2_ERROR.cancel])
/** After these the connection is retired. */
const RETIRING_CODES: ReadonlySet<number> = new Set([
  H2_ERROR.refusedStream,
  H2_ERROR.calmDown,
  H2_ERROR.http11Required,
])

export class H2Connection implements FrameSink {
  readonly #socket: Socket
  readonly #settings: H2Settings
  readonly #events: H2Events
  readonly #reader = new FrameReader(this)
  readonly #writer: FrameWriter
  readonly #decoder = new HpackDecoder()
  readonly #encoder: RequestEncoder
  readonly #block = new HeaderBlock()
  readonly #streams = new Map<number, ResponseStream>()
  #nextStream = 1
  #maxStreams = Number.POSITIVE_INFINITY
  /** The server allows a smaller table than we announced, which the next block must confirm. */
  #mustEmptyTable = false
  #unacknowledgedBytes = 0
  /** When the last stream ended. */
  #idleSince: number
  /** Responses started. */
  #responses = 0
  #hasSettings = false
  /** The server requires HTTP/1.1 after all. */
  isHttp11Required = false
  #isRetired = false
  #isClosed = false

  constructor(socket: Socket, settings: H2Settings, events: H2Events) {
    this.#socket = socket
    this.#settings = settings
    this.#events = events
    this.#encoder = new RequestEncoder(settings.host, settings.headers)
    this.#writer = new FrameWriter(socket)
    this.#writer.send(
      PREFACE,
      settingsFrame([
        [SETTING.enablePush, 0],
        [SETTING.initialWindowSize, STREAM_WINDOW_BYTES],
        [SETTING.maxHeaderListSize, settings.maxHeadBytes],
      ]),
      numberFrame(FRAME.windowUpdate, 0, CONNECTION_WINDOW_BYTES - DEFAULT_WINDOW_BYTES),
    )
    socket.on('data', (chunk: Buffer) => this.#reader.read(chunk, chunk.length))
    socket.on('end', () => this.#close(H2_ERROR.cancel))
    socket.on('error', () => this.#close(H2_ERROR.internal))
    socket.on('close', () => this.#close(H2_ERROR.cancel))
    this.#idleSince = settings.clock.now()
  }

  /** It has received a response, so the server really speaks HTTP/2. */
  get hasResponded(): boolean {
    return this.#responses > 0
  }

  get isOpen(): boolean {
    return !this.#isRetired && !this.#isClosed
  }

  /** Whether it accepts a request now. */
  get hasRoom(): boolean {
    return this.isOpen && this.#streams.size < this.#maxStreams
  }

  request({ path, extraHeaders, listener }: OriginRequest, done: StreamEvents['done']): void {
    const { host, headers } = this.#settings
    const sent = { path, host, headers: extraHeaders.length === 0 ? headers : withExtraHeaders(headers, extraHeaders) }
    const id = this.#nextStream
    this.#nextStream += 2
    const stream = new ResponseStream({ id, responsesBefore: this.#responses }, sent, listener, {
      aborted: (aborted) => this.#abort(aborted),
      done,
    })
    this.#streams.set(id, stream)
    const block = this.#encoder.encode(path, sent.headers)
    this.#send(...headersFrames(id, this.#mustEmptyTable ? Buffer.concat([EMPTY_TABLE, block]) : block))
    this.#mustEmptyTable = false
    if (this.#nextStream > LAST_STREAM) this.#markRetired()
    stream.start()
  }

  onFrame(head: FrameHead, payload: Buffer): void {
    if (this.#isOutOfPlace(head)) return this.onBreach(H2_ERROR.protocol)
    switch (head.type) {
      case FRAME.headers:
      case FRAME.continuation:
        return this.#readHeaders(head, payload)
      case FRAME.reset:
        return this.#readReset(head.stream, payload)
      case FRAME.settings:
        return this.#readSettings(head.flags, payload)
      case FRAME.pushPromise:
        return this.onBreach(H2_ERROR.protocol)
      case FRAME.ping:
        return this.#readPing(head.flags, payload)
      case FRAME.goAway:
        return this.#readGoAway(payload)
    }
  }

  onData(id: number, buffer: Buffer, start: number, end: number): void {
    const stream = this.#streams.get(id)
    if (stream === undefined) return
    if (stream.hasResponse) return stream.readBody(buffer, start, end)
    this.#send(numberFrame(FRAME.reset, id, H2_ERROR.protocol))
    this.#finish(stream, H2_ERROR.protocol)
  }

  onDataEnd(head: FrameHead, payloadBytes: number): void {
    if (this.#isOutOfPlace(head)) return this.onBreach(H2_ERROR.protocol)
    this.#unacknowledgedBytes += payloadBytes
    if (this.#unacknowledgedBytes >= CONNECTION_WINDOW_BYTES / 2) {
      this.#send(numberFrame(FRAME.windowUpdate, 0, this.#unacknowledgedBytes))
      this.#unacknowledgedBytes = 0
    }
    const stream = this.#streams.get(head.stream)
    if (stream === undefined) return
    if ((head.flags & FLAG.endStream) !== 0) return this.#end(stream)
    stream.unacknowledgedBytes += payloadBytes
    if (stream.unacknowledgedBytes < STREAM_WINDOW_BYTES / 2) return
    this.#send(numberFrame(FRAME.windowUpdate, head.stream, stream.unacknowledgedBytes))
    stream.unacknowledgedBytes = 0
  }

  /** Ends the connection with this error. */
  onBreach(code: number): void {
    this.#send(goAwayFrame(code))
    this.#close(code)
  }

  /** The first frame must be SETTINGS; a header block must not be interrupted; and we open all streams. */
  #isOutOfPlace({ type, stream, flags }: FrameHead): boolean {
    if (!this.#hasSettings && (type !== FRAME.settings || (flags & FLAG.ack) !== 0)) return true
    if (this.#block.isOpen !== (type === FRAME.continuation)) return true
    if (type === FRAME.settings || type === FRAME.ping || type === FRAME.goAway) return stream !== 0
    if (type === FRAME.data || type === FRAME.headers || type === FRAME.reset) {
      return stream % 2 === 0 || stream >= this.#nextStream
    }
    return false
  }

  #readHeaders(head: FrameHead, payload: Buffer): void {
    const block = this.#block.add(head, payload)
    if (typeof block === 'number') this.#failBlock(head.stream, block)
    else if (block !== null) this.#readBlock(block)
  }

  #failBlock(id: number, code: number): void {
    const stream = this.#streams.get(id)
    if (stream !== undefined) stream.isTooLarge = code === H2_ERROR.calmDown
    this.onBreach(code)
  }

  /** Blocks of streams that were aborted are decoded too, because later ones may refer to them. */
  #readBlock({ stream: id, isLast, block }: WholeBlock): void {
    const decoded = this.#decoder.decode(block, this.#settings.maxHeadBytes)
    if (decoded === null) return this.onBreach(H2_ERROR.compression)
    const stream = this.#streams.get(id)
    if (stream === undefined) return
    stream.isTooLarge = decoded.isTooLarge
    const hadResponse = stream.hasResponse
    if (decoded.isTooLarge || !stream.readHead(decoded.fields, isLast)) {
      // A stream that has ended cannot be reset.
      if (!isLast) this.#send(numberFrame(FRAME.reset, id, H2_ERROR.cancel))
      return this.#finish(stream, H2_ERROR.protocol)
    }
    if (stream.hasResponse && !hadResponse) this.#responses += 1
    if (isLast && !stream.isOver) this.#end(stream)
  }

  #readReset(id: number, payload: Buffer): void {
    if (payload.length !== RESET_BYTES) return this.onBreach(H2_ERROR.frameSize)
    const stream = this.#streams.get(id)
    if (stream !== undefined) this.#finish(stream, payload.readUInt32BE(0))
  }

  #readSettings(flags: number, payload: Buffer): void {
    const isAck = (flags & FLAG.ack) !== 0
    if (isAck ? payload.length > 0 : payload.length % SETTING_BYTES !== 0) return this.onBreach(H2_ERROR.frameSize)
    if (isAck) return
    this.#hasSettings = true
    for (let at = 0; at < payload.length; at += SETTING_BYTES) {
      const value = payload.readUInt32BE(at + 2)
      switch (payload.readUInt16BE(at)) {
        case SETTING.maxConcurrentStreams:
          this.#maxStreams = value
          break
        case SETTING.headerTableSize:
          if (value < DEFAULT_TABLE_BYTES) this.#mustEmptyTable = true
          break
      }
    }
    this.#reply(frame({ type: FRAME.settings, flags: FLAG.ack, stream: 0 }, Buffer.alloc(0)))
    if (this.hasRoom) this.#events.hasRoom()
  }

  #readPing(flags: number, payload: Buffer): void {
    if (payload.length !== PING_BYTES) return this.onBreach(H2_ERROR.frameSize)
    if ((flags & FLAG.ack) === 0) this.#reply(frame({ type: FRAME.ping, flags: FLAG.ack, stream: 0 }, payload))
  }

  /** Requests after the last one that it names were not processed. */
  #readGoAway(payload: Buffer): void {
    if (payload.length < MIN_GO_AWAY_BYTES) return this.onBreach(H2_ERROR.frameSize)
    const lastStream = payload.readUInt32BE(0) & LAST_STREAM
    if (payload.readUInt32BE(4) === H2_ERROR.http11Required) this.isHttp11Required = true
    this.#markRetired()
    for (const stream of this.#streams.values()) {
      if (stream.id > lastStream) this.#finish(stream, H2_ERROR.refusedStream)
    }
    this.retire()
  }

  #end(stream: ResponseStream): void {
    if (!stream.isComplete) return this.#finish(stream, H2_ERROR.protocol)
    stream.end()
    this.#finish(stream, null)
  }

  #abort(stream: ResponseStream): void {
    this.#send(numberFrame(FRAME.reset, stream.id, H2_ERROR.cancel))
    this.#finish(stream, null)
  }

  /** `code` says why the stream failed; null if its listener knows of the end, or caused it. */
  #finish(stream: ResponseStream, code: number | null): void {
    if (!this.#streams.delete(stream.id)) return
    this.#idleSince = this.#settings.clock.now()
    if (code === H2_ERROR.http11Required) this.isHttp11Required = true
    const isUnanswered = code !== null && this.#isUnanswered(stream, code)
    // Aborted, and nothing was received since the request was sent: the connection may be dead.
    const isSilent = stream.isAborted && this.#responses === stream.responsesBefore
    // First, because a listener may send the next request right away.
    if (!this.isOpen || (code !== null && RETIRING_CODES.has(code)) || isSilent) this.retire()
    if (code !== null && !isUnanswered) stream.fail(code)
    stream.done(isUnanswered ? 'unanswered' : 'reported')
  }

  #isUnanswered({ hasResponse, isTooLarge }: ResponseStream, code: number): boolean {
    return !hasResponse && !isTooLarge && this.hasResponded && !this.isOpen && RETRYABLE_CODES.has(code)
  }

  /** Without requests it ends after a while, whatever the server goes on sending. */
  sweep(now: number): void {
    if (this.#streams.size === 0 && now - this.#idleSince >= IDLE_MS) this.retire()
  }

  /** Ends once no request is in flight. */
  retire(): void {
    this.#markRetired()
    if (this.#streams.size === 0) this.destroy()
  }

  #markRetired(): void {
    if (this.#isRetired) return
    this.#isRetired = true
    this.#events.retired()
  }

  /** Requests in flight fail. */
  destroy(): void {
    if (this.#isClosed) return
    this.#send(goAwayFrame(H2_ERROR.none))
    this.#close(H2_ERROR.cancel)
  }

  /** The last frames are sent first. */
  #close(code: number): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#reader.stop()
    this.#writer.flush()
    setImmediate(() => this.#socket.destroy())
    this.#markRetired()
    for (const stream of this.#streams.values()) this.#finish(stream, code)
    this.#events.closed()
  }

  #reply(bytes: Buffer): void {
    if (this.#writer.unsentBytes > MAX_UNSENT_BYTES) this.onBreach(H2_ERROR.calmDown)
    else this.#send(bytes)
  }

  #send(...frames: Buffer[]): void {
    if (!this.#isClosed) this.#writer.send(...frames)
  }
}
