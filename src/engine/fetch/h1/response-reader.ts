// An incremental parser for the responses on an HTTP/1.1 connection.

import { readBodyFraming, readKeepAliveMs } from './body-framing.ts'
import { type H1ResponseHead, parseResponseHead } from './response-head.ts'

export interface ResponseSink {
  onHead(head: H1ResponseHead): void
  onBody(buffer: Buffer, start: number, end: number): void
  /** How long the connection may wait for the next request; 0 if it cannot be reused. */
  onEnd(keepAliveMs: number): void
  onError(code: string): void
}

/** What the next byte belongs to. */
type ParseState = 'nothing' | 'head' | 'counted' | 'rest' | 'chunk size' | 'chunk' | 'chunk end' | 'trailer'

const START = 'HTTP/'
/** The first state of each kind of body. */
const STATE_BY_FRAMING: Record<string, ParseState> = { chunked: 'chunk size', closed: 'rest' }
const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const CHUNK_SIZE = /^0*([0-9a-f]{1,12})[ \t]*(?:;.*)?\r?\n$/i
/** Longer than the size line of any chunk, even a padded one. */
const PLAIN_SIZE_LINE = 24
const EMPTY_LINE = /^\r?\n$/

export class ResponseReader {
  readonly #sink: ResponseSink
  readonly #maxHeadBytes: number
  #state: ParseState = 'nothing'
  /** An incomplete head or line. */
  #text = ''
  /** The last line of the head is empty so far. */
  #isLineEmpty = false
  /** Remaining bytes of a body or chunk. */
  #remaining = 0
  /** Bytes of trailers, chunk extensions and stray line breaks: everything outside head and body. */
  #extraBytes = 0
  #keepAliveMs = 0

  constructor(maxHeadBytes: number, sink: ResponseSink) {
    this.#sink = sink
    this.#maxHeadBytes = maxHeadBytes
  }

  /** Expects a response next. */
  begin(): void {
    this.#state = 'head'
    this.#text = ''
    this.#isLineEmpty = false
    this.#extraBytes = 0
  }

  /** Ignores everything that follows. */
  stop(): void {
    this.#state = 'nothing'
  }

  read(buffer: Buffer, length: number): void {
    let at = 0
    while (at < length && this.#state !== 'nothing') at = this.#readPart(buffer, at, length)
  }

  /** Call when the connection has ended. */
  close(): void {
    if (this.#state === 'rest') this.#end(0)
    else if (this.#state !== 'nothing') this.#fail('CONNECTION_CLOSED')
  }

  /** Reads one element starting at `at`, and returns the new position. */
  #readPart(buffer: Buffer, at: number, length: number): number {
    switch (this.#state) {
      case 'head':
        return this.#readHead(buffer, at, length)
      case 'rest':
        this.#sink.onBody(buffer, at, length)
        return length
      case 'counted':
      case 'chunk':
        return this.#readCounted(buffer, at, length)
      default:
        return this.#readLine(buffer, at, length)
    }
  }

  #readHead(buffer: Buffer, from: number, length: number): number {
    const start = this.#text === '' ? skipLineEnds(buffer, from, length) : from
    if (this.#isTooMuch(start - from)) return this.#fail('HEADERS_TOO_LARGE', length)
    let isLineEmpty = this.#isLineEmpty
    for (let i = start; i < length; i++) {
      const byte = buffer[i]
      if (byte === LINE_FEED) {
        if (isLineEmpty) return this.#takeHead(this.#text + buffer.toString('latin1', start, i + 1), i + 1, length)
        isLineEmpty = true
      } else if (byte !== CARRIAGE_RETURN) isLineEmpty = false
    }
    this.#isLineEmpty = isLineEmpty
    const isStart = this.#text.length < START.length
    this.#text += buffer.toString('latin1', start, length)
    // A peer that does not speak HTTP may never send an empty line.
    if (isStart && !START.startsWith(this.#text.slice(0, START.length))) this.#fail('HTTP_INVALID')
    else if (this.#text.length > this.#maxHeadBytes) this.#fail('HEADERS_TOO_LARGE')
    return length
  }

  #takeHead(text: string, at: number, length: number): number {
    if (text.length > this.#maxHeadBytes) return this.#fail('HEADERS_TOO_LARGE', length)
    const head = parseResponseHead(text)
    if (head === null) return this.#fail('HTTP_INVALID', length)
    const end = readBodyFraming(head)
    if (typeof end === 'object') return this.#fail(end.code, length)
    this.begin()
    if (head.status >= 200) {
      this.#keepAliveMs = readKeepAliveMs(head, end)
      this.#state = STATE_BY_FRAMING[end] ?? 'counted'
      this.#remaining = typeof end === 'number' ? end : 0
    }
    this.#sink.onHead(head)
    return end === 0 && this.#state === 'counted' ? this.#finish(at, length) : at
  }

  #readCounted(buffer: Buffer, at: number, length: number): number {
    const end = Math.min(length, at + this.#remaining)
    this.#remaining -= end - at
    this.#sink.onBody(buffer, at, end)
    if (this.#remaining > 0) return end
    if (this.#state === 'counted') return this.#finish(end, length)
    if (this.#state === 'chunk') this.#state = 'chunk end'
    return end
  }

  #readLine(buffer: Buffer, start: number, length: number): number {
    let end = start
    while (end < length && buffer[end] !== LINE_FEED) end += 1
    const isWhole = end < length
    if (isWhole) end += 1
    this.#text += buffer.toString('latin1', start, end)
    if (this.#text.length > this.#maxHeadBytes) return this.#fail('HEADERS_TOO_LARGE', length)
    if (!isWhole) return length
    const line = this.#text
    this.#text = ''
    return this.#takeLine(line, end, length)
  }

  #takeLine(line: string, at: number, length: number): number {
    if (this.#state === 'chunk size') {
      const size = CHUNK_SIZE.exec(line)?.[1]
      if (size === undefined) return this.#fail('HTTP_INVALID', length)
      if (this.#isTooMuch(Math.max(0, line.length - PLAIN_SIZE_LINE))) return this.#fail('HEADERS_TOO_LARGE', length)
      this.#remaining = Number.parseInt(size, 16)
      this.#state = this.#remaining === 0 ? 'trailer' : 'chunk'
    } else if (this.#state === 'chunk end') {
      if (!EMPTY_LINE.test(line)) return this.#fail('HTTP_INVALID', length)
      this.#state = 'chunk size'
    } else {
      if (EMPTY_LINE.test(line)) return this.#finish(at, length)
      if (this.#isTooMuch(line.length)) return this.#fail('HEADERS_TOO_LARGE', length)
    }
    return at
  }

  #isTooMuch(bytes: number): boolean {
    this.#extraBytes += bytes
    return this.#extraBytes > this.#maxHeadBytes
  }

  /** Data after a response was not requested, so the connection is not reused. */
  #finish(at: number, length: number): number {
    this.#end(at < length ? 0 : this.#keepAliveMs)
    return length
  }

  /** Comes last, because the sink may expect the next response right away. */
  #end(keepAliveMs: number): void {
    this.#state = 'nothing'
    this.#sink.onEnd(keepAliveMs)
  }

  #fail(code: string, at = 0): number {
    this.#state = 'nothing'
    this.#sink.onError(code)
    return at
  }
}

/** Some servers send one line break more than they counted. */
function skipLineEnds(buffer: Buffer, from: number, length: number): number {
  let at = from
  while (at < length && (buffer[at] === CARRIAGE_RETURN || buffer[at] === LINE_FEED)) at += 1
  return at
}
