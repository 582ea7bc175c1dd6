// HTTP/2 with one origin: one connection, a stream for each request, told to the handlers of undici's requests. undici's
// own HTTP/2 takes a body that RST_STREAM cut short for a whole one; here it is a loss.

import { channel } from 'node:diagnostics_channel'
import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2'
import type { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import type { AnswerHeaders } from './headers.ts'
import { CodedError } from './result.ts'

export interface OriginRequest {
  path: string
  method: 'GET'
  /** Names and values by turns. */
  headers: string[]
  headersTimeout: number
}

export type Handler = Required<
  Pick<
    Dispatcher.DispatchHandler,
    'onRequestStart' | 'onResponseStart' | 'onResponseData' | 'onResponseEnd' | 'onResponseError'
  >
>

export interface H2Settings {
  /** As "https://host:port". */
  origin: string
  maxHeaderBytes: number
  bodyIdleTimeoutMs: number
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
/** Where undici tells the heads of its requests. */
const sendHeaders = channel('undici:client:sendHeaders')

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
        maxHeaderListSize: settings.maxHeaderBytes,
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
  request(request: OriginRequest, handler: Handler, onDone: (end: 'told' | 'unanswered') => void): void {
    this.#underWay += 1
    const exchange = new Exchange(handler, (code, isTold) => {
      this.#underWay -= 1
      const wasOpen = this.isOpen && !this.#session.closed && !this.#session.destroyed
      if (code === HTTP_1_1_REQUIRED) this.isRefused = true
      if (exchange.hasAnswer) this.hasAnswered = true
      const isUnanswered = !isTold && !exchange.hasAnswer && this.hasAnswered && !wasOpen && PASSING.has(code)
      if (!isTold && !isUnanswered) exchange.tellLoss(code)
      // First, for whoever hears the end may have the next request ready.
      if (!wasOpen || WORN.has(code)) this.retire()
      onDone(isUnanswered ? 'unanswered' : 'told')
    })
    const open = (headers: OutgoingHttpHeaders) => this.#session.request(headers, { endStream: true })
    exchange.start(open, { ...request, ...this.#settings, host: this.#host })
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

interface ExchangeRequest extends OriginRequest, Omit<H2Settings, 'origin'> {
  host: string
}

/** One request and its answer. `onEnd` hears the code of the stream, and whether the handler has been told the end. */
class Exchange implements Dispatcher.DispatchController {
  readonly #handler: Handler
  readonly #onEnd: (code: number, isTold: boolean) => void
  #stream: ClientHttp2Stream | null = null
  #hasEnded = false
  #isOver = false
  hasAnswer = false
  rawHeaders: Buffer[] = []
  reason: Error | null = null
  paused = false

  constructor(handler: Handler, onEnd: (code: number, isTold: boolean) => void) {
    this.#handler = handler
    this.#onEnd = onEnd
  }

  get aborted(): boolean {
    return this.reason !== null
  }

  start(open: (headers: OutgoingHttpHeaders) => ClientHttp2Stream, request: ExchangeRequest): void {
    this.#handler.onRequestStart(this, {})
    if (this.#isOver) return
    // Told even if it comes to nothing: whoever listens takes the next head for that of the request that began last.
    if (sendHeaders.hasSubscribers) sendHeaders.publish({ headers: headOf(request) })
    try {
      this.#stream = open(headersOf(request))
    } catch {
      // The connection went between the look at it and now.
      return this.#over(CANCEL, false)
    }
    this.#listen(this.#stream, request)
  }

  #listen(stream: ClientHttp2Stream, { headersTimeout, bodyIdleTimeoutMs, maxHeaderBytes }: ExchangeRequest): void {
    stream.setTimeout(headersTimeout, () => this.abort(new CodedError('UND_ERR_HEADERS_TIMEOUT')))
    stream.on('headers', (_headers, _flags, raw) => this.#answer(raw, maxHeaderBytes))
    stream.on('response', (_headers, _flags, raw) => {
      this.hasAnswer = true
      stream.removeAllListeners('timeout')
      stream.setTimeout(bodyIdleTimeoutMs, () => this.abort(new CodedError('UND_ERR_BODY_TIMEOUT')))
      this.#answer(raw, maxHeaderBytes)
    })
    stream.on('data', (chunk: Buffer) => {
      if (!this.#isOver) this.#handler.onResponseData(this, chunk)
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
    if (bytes > maxBytes) return this.abort(new CodedError('UND_ERR_HEADERS_OVERFLOW'))
    this.rawHeaders = []
    const headers: AnswerHeaders = {}
    let status = 0
    for (let i = 0; i + 1 < raw.length; i += 2) {
      const [name = '', value = ''] = [raw[i], raw[i + 1]]
      if (name === ':status') status = Number(value)
      if (name.startsWith(':')) continue
      this.rawHeaders.push(Buffer.from(name, 'latin1'), Buffer.from(value, 'latin1'))
      const known = headers[name]
      headers[name] = known === undefined ? value : Array.isArray(known) ? [...known, value] : [known, value]
    }
    this.#handler.onResponseStart(this, status, headers)
  }

  #close(code: number): void {
    if (this.#isOver) return
    const isWhole = this.#hasEnded && code === 0
    if (isWhole) this.#handler.onResponseEnd(this, {})
    this.#over(code, isWhole)
  }

  #over(code: number, isTold: boolean): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#onEnd(code, isTold)
  }

  tellLoss(code: number): void {
    this.#handler.onResponseError(this, new CodedError(BREACHES.has(code) ? 'HTTP2_BREACH' : 'ECONNRESET'))
  }

  abort(reason: Error): void {
    if (this.#isOver) return
    this.reason = reason
    this.#stream?.close(CANCEL)
    this.#handler.onResponseError(this, reason)
    this.#over(0, true)
  }

  pause(): void {
    this.paused = true
    this.#stream?.pause()
  }

  resume(): void {
    this.paused = false
    this.#stream?.resume()
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

function headersOf({ path, method, headers, host }: ExchangeRequest): OutgoingHttpHeaders {
  const sent: OutgoingHttpHeaders = { ':method': method, ':path': path, ':authority': host, ':scheme': 'https' }
  for (const [name, value] of ownHeaders(headers)) {
    const known = sent[name]
    if (name === 'host') sent[':authority'] = value
    else sent[name] = known === undefined ? value : [...[known].flat().map(String), value]
  }
  return sent
}

/** Those of a connection have no place here (RFC 9113, 8.2.2). */
function ownHeaders(headers: string[]): [name: string, value: string][] {
  const own: [string, string][] = []
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const [name = '', value = ''] = [headers[i], headers[i + 1]]
    if (!CONNECTION_HEADERS.has(name)) own.push([name, value])
  }
  return own
}

const CONNECTION_HEADERS = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', 'te', 'http2-settings'],
])

/** As it would be in HTTP/1.1, which is what archives hold. */
function headOf({ path, method, headers, host }: ExchangeRequest): string {
  const own = ownHeaders(headers)
  if (!own.some(([name]) => name === 'host')) own.unshift(['host', host])
  return `${method} ${path} HTTP/1.1\r\n${own.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
}
