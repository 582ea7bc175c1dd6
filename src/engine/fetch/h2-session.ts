// HTTP/2 with one origin: one connection, one stream per request.

import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2'
import type { Socket } from 'node:net'
import type { Exchange, ExchangeListener, OriginRequest } from './exchange.ts'
import { CodedError } from './fetch-result.ts'
import { headerLines, type RequestHeaders, withExtraHeaders } from './headers.ts'

export interface H2Settings {
  /** Such as "https://host:port". */
  origin: string
  host: string
  headers: RequestHeaders
  maxHeadBytes: number
}

const STREAM_WINDOW_BYTES = 1024 * 1024
const SESSION_WINDOW_BYTES = 8 * 1024 * 1024
const IDLE_MS = 4000
/** Error codes of RFC 9113, section 7. */
const CANCEL = 0x8
const HTTP_1_1_REQUIRED = 0xd
/** How streams end on a connection that accepts no more requests: no error, refused, cancelled. */
const RETRYABLE_CODES = new Set([0x0, 0x7, CANCEL])
/** After these the connection is retired: refused, enhance your calm, HTTP/1.1 required. */
const RETIRING_CODES = new Set([0x7, 0xb, HTTP_1_1_REQUIRED])
/** Protocol violations, as opposed to connection failures. */
const PROTOCOL_ERRORS = new Set([0x1, 0x3, 0x4, 0x6, 0x9])

export class H2Session {
  readonly #session: ClientHttp2Session
  readonly #socket: Socket
  readonly #settings: H2Settings
  readonly #onRetired: () => void
  /** The server requires HTTP/1.1 after all. */
  isHttp11Required = false
  #isRetired = false
  #inFlight = 0
  /** Responses started. */
  #responses = 0

  /** `retired` is called once, when the session accepts no more requests; requests in flight finish normally. */
  constructor(socket: Socket, settings: H2Settings, on: { retired: () => void; closed: () => void }) {
    // Loaded on first use: few crawls of a single host need it, and it takes time.
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
    // Streams report their own errors; that of the session adds nothing.
    this.#session.on('error', retire).on('goaway', retire).on('close', retire).once('close', on.closed)
    this.#session.once('connect', () => this.#session.setLocalWindowSize(SESSION_WINDOW_BYTES))
    this.#session.setTimeout(IDLE_MS, () => {
      if (this.#inFlight === 0) this.retire()
    })
  }

  /** The session has received a response, so the server really speaks HTTP/2. */
  get hasResponded(): boolean {
    return this.#responses > 0
  }

  /** Whether it accepts requests. */
  get isOpen(): boolean {
    return !this.#isRetired && !this.#session.closed && !this.#session.destroyed
  }

  /** `onDone` is called once. `unanswered`: the connection was closing and the server did not process the request. */
  request({ path, extraHeaders, listener }: OriginRequest, onDone: (end: 'reported' | 'unanswered') => void): void {
    this.#inFlight += 1
    const { host, headers, maxHeadBytes } = this.#settings
    const responsesBefore = this.#responses
    const onResponse = () => {
      this.#responses += 1
    }
    const onEnd = (code: number, isReported: boolean) => {
      this.#inFlight -= 1
      const wasOpen = this.isOpen
      if (code === HTTP_1_1_REQUIRED) this.isHttp11Required = true
      const isUnanswered =
        !isReported && !exchange.hasResponse && this.hasResponded && !wasOpen && RETRYABLE_CODES.has(code)
      // Aborted before anything was received: the connection may be dead.
      const isSilent = exchange.isAborted && this.#responses === responsesBefore
      // First, because a listener may send the next request right away.
      if (!wasOpen || RETIRING_CODES.has(code) || isSilent) this.retire()
      if (!isReported && !isUnanswered) exchange.failLost(code)
      onDone(isUnanswered ? 'unanswered' : 'reported')
    }
    const exchange = new StreamExchange({ path, host, headers: withExtraHeaders(headers, extraHeaders) }, listener, {
      onResponse,
      onEnd,
    })
    exchange.start((sent) => this.#session.request(sent, { endStream: true }), maxHeadBytes)
  }

  /** Does not use `close()` of the session, which waits for the peer forever. */
  retire(): void {
    if (!this.#isRetired) {
      this.#isRetired = true
      this.#onRetired()
    }
    if (this.#inFlight === 0) this.destroy()
  }

  destroy(): void {
    this.#session.destroy()
    // Lets the session send its last frames.
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
  /** Receives the code of the stream, and whether the listener was already notified of the end. */
  onEnd: (code: number, isReported: boolean) => void
}

/** One request and its response. */
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
      // The connection closed in the meantime.
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
      // Only now: if both arrive while a request is sent, Node emits the body first.
      stream.on('data', (chunk: Buffer) => {
        if (!this.#isOver) this.#listener.onBody(chunk, 0, chunk.length)
      })
    })
    detectCompleteBody(stream, () => (this.#hasEnded = true))
    // The code describes the error.
    stream.on('error', () => undefined)
    stream.on('close', () => this.#close(stream.rstCode ?? 0))
  }

  #readHead(raw: readonly string[], maxBytes: number): void {
    if (this.#isOver) return
    // Node accepts up to 64 KiB, whatever limit it announced.
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

  #finish(code: number, isReported: boolean): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#events.onEnd(code, isReported)
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
 * Node ends a body, by pushing null, when the peer ends it, but also when the stream is closed without an error, so
 * 'end' does not distinguish a whole body from a truncated one. At that moment the stream is only open in the first
 * case.
 */
function detectCompleteBody(stream: ClientHttp2Stream, onWhole: () => void): void {
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
