// HTTP/2 with one origin: one connection, a stream for each request.

import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2'
import type { Socket } from 'node:net'
import type { Exchange, Listener, OriginRequest } from './exchange.ts'
import { headerLines, type RequestHeaders } from './headers.ts'
import { CodedError } from './result.ts'

export interface H2Settings {
  /** As "https://host:port". */
  origin: string
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
const PASSING = new Set([0x0, 0x7, CANCEL])
/** A connection on which these come takes no more: refused, too much asked of it, HTTP/1.1 wanted. */
const WORN = new Set([0x7, 0xb, HTTP_1_1_REQUIRED])
/** What breaks the protocol, rather than the connection. */
const BREACHES = new Set([0x1, 0x3, 0x4, 0x6, 0x9])

export class H2Session {
  readonly #session: ClientHttp2Session
  readonly #socket: Socket
  readonly #settings: H2Settings
  readonly #host: string
  readonly #onRetired: () => void
  /** It takes requests. */
  isOpen = true
  /** It has answered one: the other side means what it offered. */
  hasAnswered = false
  /** The other side wants HTTP/1.1 after all. */
  isRefused = false
  #underWay = 0

  /** `retired` is called once, when it takes no more requests; those under way end by themselves. */
  constructor(socket: Socket, settings: H2Settings, on: { retired: () => void; closed: () => void }) {
    // Loaded when it is first needed: few crawls of one host need it, and it takes time.
    const { connect } = process.getBuiltinModule('node:http2')
    this.#socket = socket
    this.#settings = settings
    this.#host = new URL(settings.origin).host
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
      if (this.#underWay === 0) this.retire()
    })
  }

  /** `onDone` hears once how it went; `unanswered`: the connection was on its way out and the request did not count. */
  request({ path, listener }: OriginRequest, onDone: (end: 'told' | 'unanswered') => void): void {
    this.#underWay += 1
    const { headers, maxHeadBytes } = this.#settings
    const exchange = new StreamExchange({ path, host: this.#host, headers }, listener, (code, isTold) => {
      this.#underWay -= 1
      const wasOpen = this.isOpen && !this.#session.closed && !this.#session.destroyed
      if (code === HTTP_1_1_REQUIRED) this.isRefused = true
      if (exchange.hasAnswer) this.hasAnswered = true
      const isUnanswered = !isTold && !exchange.hasAnswer && this.hasAnswered && !wasOpen && PASSING.has(code)
      if (!isTold && !isUnanswered) exchange.tellLoss(code)
      // First, for whoever hears the end may have the next request ready.
      const isSilent = exchange.isAborted && !exchange.hasAnswer
      if (!wasOpen || WORN.has(code) || isSilent) this.retire()
      onDone(isUnanswered ? 'unanswered' : 'told')
    })
    exchange.start((sent) => this.#session.request(sent, { endStream: true }), maxHeadBytes)
  }

  /** Not by `close()` of the session, which waits for the other side for ever. */
  retire(): void {
    if (this.isOpen) {
      this.isOpen = false
      this.#onRetired()
    }
    if (this.#underWay === 0) this.destroy()
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

/** One request and its answer. `onEnd` hears the code of the stream, and whether the listener has been told the end. */
class StreamExchange implements Exchange {
  readonly #request: StreamRequest
  readonly #listener: Listener
  readonly #onEnd: (code: number, isTold: boolean) => void
  #stream: ClientHttp2Stream | null = null
  #hasEnded = false
  #isOver = false
  hasAnswer = false
  isAborted = false

  constructor(request: StreamRequest, listener: Listener, onEnd: (code: number, isTold: boolean) => void) {
    this.#request = request
    this.#listener = listener
    this.#onEnd = onEnd
  }

  start(open: (headers: OutgoingHttpHeaders) => ClientHttp2Stream, maxHeadBytes: number): void {
    this.#listener.began(this)
    if (this.#isOver) return
    try {
      this.#stream = open(outgoing(this.#request))
    } catch {
      // The connection went between the look at it and now.
      return this.#over(CANCEL, false)
    }
    this.#listen(this.#stream, maxHeadBytes)
  }

  #listen(stream: ClientHttp2Stream, maxHeadBytes: number): void {
    stream.on('headers', (_headers, _flags, raw) => this.#answer(raw, maxHeadBytes))
    stream.on('response', (_headers, _flags, raw) => {
      this.hasAnswer = true
      this.#answer(raw, maxHeadBytes)
    })
    stream.on('data', (chunk: Buffer) => {
      if (!this.#isOver) this.#listener.received(chunk, 0, chunk.length)
    })
    watchEnd(stream, () => (this.#hasEnded = true))
    // The code tells what it was.
    stream.on('error', () => undefined)
    stream.on('close', () => this.#close(stream.rstCode ?? 0))
  }

  #answer(raw: readonly string[], maxBytes: number): void {
    if (this.#isOver) return
    // Node itself takes up to 64 KiB, whatever it has told the other side.
    const bytes = raw.reduce((sum, text) => sum + text.length, 0)
    if (bytes > maxBytes) {
      this.abort()
      this.#listener.failed(new CodedError('HEADERS_TOO_LARGE'))
      return
    }
    const headers: string[] = []
    let status = 0
    for (let i = 0; i + 1 < raw.length; i += 2) {
      const [name = '', value = ''] = [raw[i], raw[i + 1]]
      if (name === ':status') status = Number(value)
      if (!name.startsWith(':')) headers.push(name, value)
    }
    this.#listener.answered({ status, statusText: '', headers })
  }

  #close(code: number): void {
    if (this.#isOver) return
    const isWhole = this.#hasEnded && code === 0
    if (isWhole) this.#listener.ended()
    this.#over(code, isWhole)
  }

  #over(code: number, isTold: boolean): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#onEnd(code, isTold)
  }

  tellLoss(code: number): void {
    this.#listener.failed(new CodedError(BREACHES.has(code) ? 'HTTP2_BREACH' : 'ECONNRESET'))
  }

  abort(): void {
    if (this.#isOver) return
    this.isAborted = true
    this.#stream?.close(CANCEL)
    this.#over(0, true)
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
function watchEnd(stream: ClientHttp2Stream, onWhole: () => void): void {
  const push = stream.push.bind(stream)
  stream.push = (chunk, encoding) => {
    if (chunk === null && !stream.closed) onWhole()
    return push(chunk, encoding)
  }
}

function outgoing({ path, headers, host }: StreamRequest): OutgoingHttpHeaders {
  const sent: OutgoingHttpHeaders = { ':method': 'GET', ':path': path, ':authority': host, ':scheme': 'https' }
  for (const [name, value] of headers) {
    const known = sent[name]
    if (name === 'host') sent[':authority'] = value
    else sent[name] = known === undefined ? value : [...[known].flat().map(String), value]
  }
  return sent
}
