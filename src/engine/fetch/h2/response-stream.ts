// One request over HTTP/2 and its response.

import type { Exchange, ExchangeListener, ResponseHead } from '../exchange.ts'
import { CodedError } from '../fetch-result.ts'
import { firstHeader, headerLines, type RequestHeaders } from '../headers.ts'
import { H2_ERROR } from './frames.ts'

/** Protocol violations, as opposed to connection failures. */
const BREACHES: ReadonlySet<number> = new Set([
  H2_ERROR.protocol,
  H2_ERROR.flowControl,
  H2_ERROR.settingsTimeout,
  H2_ERROR.frameSize,
  H2_ERROR.compression,
])
/** RFC 9113, 8.2.1. */
const FIELD_NAME = /^[!#$%&'*+\-.^`|~\d_a-z]+$/
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
/** Have no meaning in HTTP/2, though some servers behind proxies send them. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade'])
const STATUS = /^[1-9]\d\d$/
const LENGTH = /^\d{1,15}$/
/** Responses without a body, whatever length they announce. */
const BODILESS = new Set([204, 304])

export interface SentRequest {
  path: string
  host: string
  headers: RequestHeaders
}

export interface StreamEvents {
  aborted: (responseStream: ResponseStream) => void
  /** Called once. `unanswered`: the connection was closing, and no response had started. */
  done: (end: 'reported' | 'unanswered') => void
}

export class ResponseStream implements Exchange {
  readonly id: number
  /** Of the connection, when the request was sent. */
  readonly responsesBefore: number
  readonly #request: SentRequest
  readonly #listener: ExchangeListener
  readonly #events: StreamEvents
  hasResponse = false
  /** The listener was notified of the end, or has aborted. */
  isOver = false
  isAborted = false
  /** Its headers exceed the limit. */
  isTooLarge = false
  /** Received since the last WINDOW_UPDATE. */
  unacknowledgedBytes = 0
  /** Of the body, as announced; null if unknown. */
  #announcedBytes: number | null = null
  #bytes = 0

  constructor(
    { id, responsesBefore }: { id: number; responsesBefore: number },
    request: SentRequest,
    listener: ExchangeListener,
    events: StreamEvents,
  ) {
    this.id = id
    this.responsesBefore = responsesBefore
    this.#request = request
    this.#listener = listener
    this.#events = events
  }

  /** `fields` alternates names and values. Returns whether they are valid. */
  readHead(fields: readonly string[], isLast: boolean): boolean {
    const areTrailers = this.hasResponse
    if (areTrailers) return isLast
    const head = parseFields(fields)
    if (head === null || (head.status < 200 && isLast)) return false
    if (head.status >= 200) {
      this.hasResponse = true
      const length = firstHeader(head.headers, 'content-length') ?? ''
      this.#announcedBytes = LENGTH.test(length) && !BODILESS.has(head.status) ? Number(length) : null
    }
    this.#listener.onHead(head)
    return true
  }

  readBody(buffer: Buffer, start: number, end: number): void {
    this.#bytes += end - start
    this.#listener.onBody(buffer, start, end)
  }

  /** The response may end here. */
  get isComplete(): boolean {
    return this.hasResponse && (this.#announcedBytes === null || this.#announcedBytes === this.#bytes)
  }

  sentHead(): string {
    const { path, headers, host } = this.#request
    return `GET ${path} HTTP/1.1\r\n${headerLines(headers, host)}\r\n`
  }

  start(): void {
    this.#listener.onStart(this)
  }

  abort(): void {
    if (this.isOver) return
    this.isOver = true
    this.isAborted = true
    this.#events.aborted(this)
  }

  end(): void {
    this.isOver = true
    this.#listener.onEnd()
  }

  fail(code: number): void {
    // The listener has closed the connection while it was notified of the end.
    if (this.isOver) return
    this.isOver = true
    const failure = this.isTooLarge ? 'HEADERS_TOO_LARGE' : BREACHES.has(code) ? 'HTTP2_BREACH' : 'ECONNRESET'
    this.#listener.onError(new CodedError(failure))
  }

  done(end: 'reported' | 'unanswered'): void {
    this.isOver = true
    this.#events.done(end)
  }
}

/** Invalid fields are ignored, like those of HTTP/1.1 connections; null without a valid status. */
function parseFields(fields: readonly string[]): ResponseHead | null {
  let status = 0
  const headers: string[] = []
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [name = '', value = ''] = [fields[i], fields[i + 1]]
    if (name === ':status') {
      if (status !== 0 || headers.length > 0 || !STATUS.test(value)) return null
      status = Number(value)
    } else if (FIELD_NAME.test(name) && FIELD_VALUE.test(value) && !OF_CONNECTION.has(name)) {
      headers.push(name, value)
    }
  }
  return status === 0 ? null : { status, statusText: '', headers }
}
