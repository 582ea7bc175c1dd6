// The HTTP client: one pool of kept-alive connections per origin, hard limits on time and size. It hands over whole
// bodies by callback; a promise or a stream per page would cost more than the parsing does.

import { buildConnector, type Dispatcher, Pool } from 'undici'
import type { Clock } from '../../lib/clock.ts'
import { ACCEPT_ENCODING, decodeBody } from './decode.ts'
import { isBlockedLiteral, publicLookup } from './guard.ts'
import { CodedError, type Fetcher, type FetchResult, problemOf } from './result.ts'

export interface ClientSettings {
  userAgent: string
  /** "Name: value" each. */
  headers: string[]
  connectionsPerOrigin: number
  /** From start to last byte. */
  timeoutMs: number
  maxBodyBytes: number
  allowPrivate: boolean
}

const CONNECT_TIMEOUT_MS = 10_000
const HEADERS_TIMEOUT_MS = 15_000
const BODY_IDLE_TIMEOUT_MS = 15_000
const MAX_HEADER_BYTES = 32 * 1024
/** Origins with open pools; the one idle longest gives way. */
const MAX_POOLS = 512
const SWEEP_MS = 250

interface Origin {
  pool: Pool
  /** Address of the newest connection. */
  ip: string | null
  inFlight: number
}

export class HttpClient implements Fetcher {
  readonly #settings: ClientSettings
  readonly #clock: Clock
  readonly #headers: string[]
  readonly #origins = new Map<string, Origin>()
  readonly #flights = new Set<Flight>()
  #cancelSweep: (() => void) | null = null

  constructor(settings: ClientSettings, clock: Clock) {
    this.#settings = settings
    this.#clock = clock
    this.#headers = requestHeaders(settings)
  }

  fetch(url: string, done: (result: FetchResult) => void): void {
    const pathAt = url.indexOf('/', url.indexOf('//') + 2)
    const origin = this.#originOf(url.slice(0, pathAt))
    const now = this.#clock.now()
    const flight = new Flight(this.#settings.maxBodyBytes, now, (result) => {
      origin.inFlight -= 1
      this.#flights.delete(flight)
      result.fetchMs = this.#clock.now() - now
      result.ip = origin.ip
      done(result)
    })
    origin.inFlight += 1
    this.#flights.add(flight)
    this.#cancelSweep ??= this.#clock.after(SWEEP_MS, () => this.#sweep())
    origin.pool.dispatch({ path: url.slice(pathAt), method: 'GET', headers: this.#headers }, flight)
  }

  async close(): Promise<void> {
    this.#cancelSweep?.()
    this.#cancelSweep = null
    await Promise.all([...this.#origins.values()].map((origin) => origin.pool.destroy()))
    this.#origins.clear()
  }

  #sweep(): void {
    this.#cancelSweep = null
    const deadline = this.#clock.now() - this.#settings.timeoutMs
    for (const flight of this.#flights) if (flight.startedAt <= deadline) flight.abort(new CodedError('TOTAL_TIMEOUT'))
    if (this.#flights.size > 0) this.#cancelSweep = this.#clock.after(SWEEP_MS, () => this.#sweep())
  }

  #originOf(name: string): Origin {
    const known = this.#origins.get(name)
    if (known !== undefined) return known
    if (this.#origins.size >= MAX_POOLS) this.#dropIdle()
    const origin: Origin = { pool: this.#openPool(name, (ip) => (origin.ip = ip)), ip: null, inFlight: 0 }
    this.#origins.set(name, origin)
    return origin
  }

  #openPool(origin: string, onAddress: (ip: string | null) => void): Pool {
    const connectTimeout = Math.min(CONNECT_TIMEOUT_MS, this.#settings.timeoutMs)
    return new Pool(origin, {
      connections: this.#settings.connectionsPerOrigin,
      pipelining: 1,
      allowH2: true,
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, this.#settings.timeoutMs),
      bodyTimeout: Math.min(BODY_IDLE_TIMEOUT_MS, this.#settings.timeoutMs),
      maxHeaderSize: MAX_HEADER_BYTES,
      connect: guardedConnector(this.#settings.allowPrivate, connectTimeout, onAddress),
    })
  }

  #dropIdle(): void {
    for (const [name, origin] of this.#origins) {
      if (origin.inFlight > 0) continue
      this.#origins.delete(name)
      void origin.pool.close()
      return
    }
  }
}

function guardedConnector(
  allowPrivate: boolean,
  timeout: number,
  onAddress: (ip: string | null) => void,
): buildConnector.connector {
  const connect = buildConnector({ timeout, allowH2: true, ...(allowPrivate ? {} : { lookup: publicLookup }) })
  return (options, callback) => {
    if (!allowPrivate && isBlockedLiteral(options.hostname)) {
      queueMicrotask(() => callback(new CodedError('ADDRESS_BLOCKED'), null))
      return
    }
    connect(options, (...result) => {
      const [error, socket] = result
      if (error === null && socket !== null) onAddress(socket.remoteAddress ?? null)
      callback(...result)
    })
  }
}

function requestHeaders(settings: ClientSettings): string[] {
  const headers = [
    'user-agent',
    settings.userAgent,
    'accept',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'accept-language',
    'en,*;q=0.5',
    'accept-encoding',
    ACCEPT_ENCODING,
  ]
  for (const line of settings.headers) {
    const colon = line.indexOf(':')
    headers.push(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  return headers
}

/** One request under way: collects the answer and reports it once. */
class Flight implements Dispatcher.DispatchHandler {
  readonly startedAt: number
  readonly #maxBytes: number
  readonly #finish: (result: FetchResult) => void
  readonly #chunks: Buffer[] = []
  #controller: Dispatcher.DispatchController | null = null
  #status = 0
  #headers: Record<string, string | string[] | undefined> = {}
  #bytes = 0
  #isOver = false

  constructor(maxBytes: number, startedAt: number, finish: (result: FetchResult) => void) {
    this.#maxBytes = maxBytes
    this.startedAt = startedAt
    this.#finish = finish
  }

  abort(reason: Error): void {
    if (this.#controller === null) this.#fail(reason)
    else this.#controller.abort(reason)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) controller.abort(new CodedError('TOTAL_TIMEOUT'))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status
    this.#headers = headers
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return
    this.#bytes += chunk.length
    if (this.#bytes <= this.#maxBytes) {
      this.#chunks.push(chunk)
      return
    }
    const room = chunk.length - (this.#bytes - this.#maxBytes)
    this.#chunks.push(chunk.subarray(0, room))
    this.#end(true)
    controller.abort(new CodedError('BODY_TOO_LARGE'))
  }

  onResponseEnd(): void {
    this.#end(false)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error)
  }

  #end(truncated: boolean): void {
    if (this.#isOver) return
    const wire = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks)
    const encoding = this.#header('content-encoding')
    if (encoding === null) return this.#respond(wire, truncated)
    if (truncated) return this.#fail(new CodedError('BODY_TOO_LARGE'))
    decodeBody(wire, encoding, this.#maxBytes, (error, body) => {
      if (error !== null) this.#fail(error)
      else this.#respond(body, false)
    })
  }

  #respond(body: Buffer, truncated: boolean): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#finish({
      kind: 'response',
      status: this.#status,
      contentType: this.#header('content-type') ?? '',
      location: this.#header('location'),
      retryAfter: this.#header('retry-after'),
      body,
      wireBytes: this.#bytes,
      truncated,
      fetchMs: 0,
      ip: null,
    })
  }

  #fail(error: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    const { problem, detail } = problemOf(error)
    this.#finish({ kind: 'failure', problem, detail, wireBytes: this.#bytes, fetchMs: 0, ip: null })
  }

  #header(name: string): string | null {
    const value = this.#headers[name]
    return Array.isArray(value) ? (value[0] ?? null) : (value ?? null)
  }
}
