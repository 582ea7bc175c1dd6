// HTTP/2 with one origin: one connection, a stream for each request.

import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2'
import type { Socket } from 'node:net'
import type { Exchange, ExchangeListener, OriginRequest } from './exchange.ts'
import { CodedError } from './fetch-result.ts'
import { headerLines, type RequestHeaders } from './headers.ts'

export interface H2Settings {
  /** As "https://host:port". */
  origin: string
  host: string
  headers: RequestHeaders
  maxHeadBytes: number
}

const STREAM_WINDOW_BYTES = 1024 * 1024
const SESSION_WINDOW_BYTES = 8 * 1024 * 1024
const IDLE_MS = 4000
/** Codes of RFC 9113, 7. */
const CANCEL = 0x8
const HTTP_1_1_REQUIRED = 0xd
/** How requests end that a connection no longer takes: no error, refused, cancelled. */
const RETRYABLE_CODES = new Set([0x0, 0x7, CANCEL])
/** A connection on which these come takes no more: refused, too much asked of it, HTTP/1.1 wanted. */
const RETIRING_CODES = new Set([0x7, 0xb, HTTP_1_1_REQUIRED])
/** What breaks the protocol, rather than the connection. */
const PROTOCOL_ERRORS = new Set([0x1, 0x3, 0x4, 0x6, 0x9])

export class H2Session {
  readonly #session: ClientHttp2Session
  readonly #socket: Socket
  readonly #settings: H2Settings
  readonly #onRetired: () => void
  /** The other side wants HTTP/1.1 after all. */
  isHttp11Required = false
  #isRetired = false
  #inFlight = 0
  /** Answers begun. */
  #responses = 0

  /** `retired` is called once, when it takes no more requests; those under way end by themselves. */
  constructor(socket: Socket, settings: H2Settings, on: { retired: () => void; closed: () => void }) {
    // Loaded when it is first needed: few crawls of one host need it, and it takes time.
    const { connect } = process.getBuiltinModule('node:http2')
    this.#socket = socket
    this.#settings = settings
    this.#onRetired = on.retired
    this.#session = connect(settings.origin, {
      createConnection: () => socket,
      settings: {
        enablePush: false,
        maxHeaderListSize: settings.maxHeadBytes,
        initialWindowSize: STREAM_WINDOW_BYTES,
      },
    })
    const retire = () => this.retire()
    // Streams tell what becomes of them; the session's own error says no more.
    this.#session.on('error', retire).on('goaway', retire).on('close', retire).once('close', on.closed)
    this.#session.once('connect', () => this.#session.setLocalWindowSize(SESSION_WINDOW_BYTES))
    this.#session.setTimeout(IDLE_MS, () => {
      if (this.#inFlight === 0) this.retire()
    })
  }

  /** It has answered one: the other side means what it offered. */
  get hasResponded(): boolean {
    return this.#responses > 0
  }

  /** It takes requests. */
  get isOpen(): boolean {
    return !this.#isRetired && !this.#session.closed && !this.#session.destroyed
  }

  /** `onDone` hears once how it went; `unanswered`: the connection was on its way out and the request did not count. */
  request({ path, listener }: OriginRequest, onDone: (end: 'told' | 'unanswered') => void): void {
    this.#inFlight += 1
    const { host, headers, maxHeadBytes } = this.#settings
    const answersBefore = this.#responses
    const onAnswer = () => {
      this.#responses += 1
    }
    const onEnd = (code: number, isTold: boolean) => {
      this.#inFlight -= 1
      const wasOpen = this.isOpen
      if (code === HTTP_1_1_REQUIRED) this.isHttp11Required = true
      const isUnanswered =
        !isTold && !exchange.hasResponse && this.hasResponded && !wasOpen && RETRYABLE_CODES.has(code)
      // Given up while nothing at all has come: the connection may be dead.
      const isSilent = exchange.isAborted && this.#responses === answersBefore
      // First, for whoever hears of a loss may have the next request ready.
      if (!wasOpen || RETIRING_CODES.has(code) || isSilent) this.retire()
      if (!isTold && !isUnanswered) exchange.failLost(code)
      onDone(isUnanswered ? 'unanswered' : 'told')
    }
    const exchange = new StreamExchange({ path, host, headers }, listener, { onResponse: onAnswer, onEnd })
    exchange.start((sent) => this.#session.request(sent, { endStream: true }), maxHeadBytes)
  }

  /** Not by `close()` of the session, which waits for the other side for ever. */
  retire(): void {
    if (!this.#isRetired) {
      this.#isRetired = true
      this.#onRetired()
    }
    if (this.#inFlight === 0) this.destroy()
  }

  destroy(): void {
    this.#session.destroy()
    // What the session has to say goes out first.
    setImmediate(() => this.#socket.destroy())
  }
}

interface StreamRequest {
  path: string
  host: string
  headers: RequestHeaders
}

interface StreamEvents {
  onResponse: () => void
  /** Hears the code of the stream, and whether the listener has been told the end. */
  onEnd: (code: number, isTold: boolean) => void
}

/** One request and its answer. */
class StreamExchange implements Exchange {
  readonly #request: StreamRequest
  readonly #listener: ExchangeListener
  readonly #events: StreamEvents
  #stream: ClientHttp2Stream | null = null
  #hasEnded = false
  #isOver = false
  hasResponse = false
  isAborted = false

  constructor(request: StreamRequest, exchangeListener: ExchangeListener, events: StreamEvents) {
    this.#request = request
    this.#listener = exchangeListener
    this.#events = events
  }

  start(open: (headers: OutgoingHttpHeaders) => ClientHttp2Stream, maxHeadBytes: number): void {
    this.#listener.onStart(this)
    if (this.#isOver) return
    try {
      this.#stream = open(toHttp2Headers(this.#request))
    } catch {
      // The connection went between the look at it and now.
      return this.#finish(CANCEL, false)
    }
    this.#listen(this.#stream, maxHeadBytes)
  }

  #listen(stream: ClientHttp2Stream, maxHeadBytes: number): void {
    stream.on('headers', (_headers, _flags, raw) => this.#readHead(raw, maxHeadBytes))
    stream.on('response', (_headers, _flags, raw) => {
      this.hasResponse = true
      this.#events.onResponse()
      this.#readHead(raw, maxHeadBytes)
    })
    stream.on('data', (chunk: Buffer) => {
      if (!this.#isOver) this.#listener.onBody(chunk, 0, chunk.length)
    })
    watchCompleteBody(stream, () => (this.#hasEnded = true))
    // The code tells what it was.
    stream.on('error', () => undefined)
    stream.on('close', () => this.#close(stream.rstCode ?? 0))
  }

  #readHead(raw: readonly string[], maxBytes: number): void {
    if (this.#isOver) return
    // Node itself takes up to 64 KiB, whatever it has told the other side.
    const bytes = raw.reduce((sum, text) => sum + text.length, 0)
    if (bytes > maxBytes) {
      this.abort()
      this.#listener.onError(new CodedError('HEADERS_TOO_LARGE'))
      return
    }
    const headers: string[] = []
    let status = 0
    for (let i = 0; i + 1 < raw.length; i += 2) {
      const [name = '', value = ''] = [raw[i], raw[i + 1]]
      if (name === ':status') status = Number(value)
      if (!name.startsWith(':')) headers.push(name, value)
    }
    this.#listener.onHead({ status, statusText: '', headers })
  }

  #close(code: number): void {
    if (this.#isOver) return
    const isWhole = this.#hasEnded && code === 0
    if (isWhole) this.#listener.onEnd()
    this.#finish(code, isWhole)
  }

  #finish(code: number, isTold: boolean): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#events.onEnd(code, isTold)
  }

  failLost(code: number): void {
    this.#listener.onError(new CodedError(PROTOCOL_ERRORS.has(code) ? 'HTTP2_BREACH' : 'ECONNRESET'))
  }

  abort(): void {
    if (this.#isOver) return
    this.isAborted = true
    this.#stream?.close(CANCEL)
    this.#finish(0, true)
  }

  sentHead(): string {
    const { path, headers, host } = this.#request
    return `GET ${path} HTTP/1.1\r\n${headerLines(headers, host)}\r\n`
  }
}

/**
 * Node ends a body, by pushing null, when its sender does, and also when the stream is closed without an error, so that
 * 'end' does not tell a whole body from one that was cut. At that moment the stream is open in the first case only.
 */
function watchCompleteBody(stream: ClientHttp2Stream, onWhole: () => void): void {
  const push = stream.push.bind(stream)
  stream.push = (chunk, encoding) => {
    if (chunk === null && !stream.closed) onWhole()
    return push(chunk, encoding)
  }
}

function toHttp2Headers({ path, headers, host }: StreamRequest): OutgoingHttpHeaders {
  const sent: OutgoingHttpHeaders = { ':method': 'GET', ':path': path, ':authority': host, ':scheme': 'https' }
  for (const [name, value] of headers) {
    const known = sent[name]
    if (name === 'host') sent[':authority'] = value
    else sent[name] = known === undefined ? value : [...[known].flat().map(String), value]
  }
  return sent
}
