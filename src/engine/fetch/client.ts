// The HTTP client: one pool of kept-alive connections per origin, hard limits on time and size. It hands over whole
// bodies by callback; a promise or a stream per page would cost more than the parsing does.

import { buildConnector, type Dispatcher, Pool } from 'undici'
import type { Clock } from '../../lib/clock.ts'
import { pathStart } from '../url/key.ts'
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
/** Node ends an HTTP/2 body that RST_STREAM cut short just as it ends a whole one, so a lost half would go unseen. */
const ALLOW_H2 = false

interface Origin {
  pool: Pool
  inFlight: number
  link: Link
}

/** What the connections of an origin tell. */
interface Link {
  /** Address of the newest one. */
  ip: string | null
  /** True while the error of one is being handled. */
  isBreaking: boolean
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
    const pathAt = pathStart(url)
    const name = url.slice(0, pathAt)
    const origin = this.#originOf(name)
    const now = this.#clock.now()
    let isDispatched = false
    const flight = new Flight(
      { maxBytes: this.#settings.maxBodyBytes, startedAt: now, link: origin.link },
      (result) => {
        origin.inFlight -= 1
        // Last in the map: the order of the origins is the order in which they were last used.
        if (this.#origins.delete(name)) this.#origins.set(name, origin)
        this.#flights.delete(flight)
        result.fetchMs = this.#clock.now() - now
        result.ip = origin.link.ip
        if (isDispatched) done(result)
        else queueMicrotask(() => done(result))
      },
    )
    origin.inFlight += 1
    this.#flights.add(flight)
    this.#cancelSweep ??= this.#clock.after(SWEEP_MS, () => this.#sweep())
    origin.pool.dispatch({ path: url.slice(pathAt), method: 'GET', headers: this.#headers }, flight)
    isDispatched = true
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
    const link: Link = { ip: null, isBreaking: false }
    const origin: Origin = { pool: this.#openPool(name, link), inFlight: 0, link }
    this.#origins.set(name, origin)
    return origin
  }

  #openPool(origin: string, link: Link): Pool {
    const connectTimeout = Math.min(CONNECT_TIMEOUT_MS, this.#settings.timeoutMs)
    return new Pool(origin, {
      connections: this.#settings.connectionsPerOrigin,
      pipelining: 1,
      allowH2: ALLOW_H2,
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, this.#settings.timeoutMs),
      bodyTimeout: Math.min(BODY_IDLE_TIMEOUT_MS, this.#settings.timeoutMs),
      maxHeaderSize: MAX_HEADER_BYTES,
      connect: guardedConnector(this.#settings.allowPrivate, connectTimeout, link),
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

function guardedConnector(allowPrivate: boolean, timeout: number, link: Link): buildConnector.connector {
  const connect = buildConnector({ timeout, allowH2: ALLOW_H2, ...(allowPrivate ? {} : { lookup: publicLookup }) })
  return (options, callback) => {
    if (!allowPrivate && isBlockedLiteral(options.hostname)) {
      queueMicrotask(() => callback(new CodedError('ADDRESS_BLOCKED'), null))
      return
    }
    connect(options, (...result) => {
      const [error, socket] = result
      if (error === null && socket !== null) {
        link.ip = socket.remoteAddress ?? null
        socket.once('error', () => {
          link.isBreaking = true
          queueMicrotask(() => (link.isBreaking = false))
        })
      }
      callback(...result)
    })
  }
}

function requestHeaders(settings: ClientSettings): string[] {
  const given = settings.headers.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]
  })
  const usual = [
    ['user-agent', settings.userAgent],
    ['accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
    ['accept-language', 'en,*;q=0.5'],
    ['accept-encoding', ACCEPT_ENCODING],
  ].filter(([usualName]) => !given.some(([name]) => name === usualName))
  return [...usual, ...given].flat()
}

/** One request under way: collects the answer and reports it once. */
class Flight implements Dispatcher.DispatchHandler {
  readonly startedAt: number
  readonly #maxBytes: number
  readonly #link: Link
  readonly #finish: (result: FetchResult) => void
  readonly #chunks: Buffer[] = []
  #controller: Dispatcher.DispatchController | null = null
  #status = 0
  #headers: Record<string, string | string[] | undefined> = {}
  #bytes = 0
  #isOver = false

  constructor(plan: { maxBytes: number; startedAt: number; link: Link }, finish: (result: FetchResult) => void) {
    this.#maxBytes = plan.maxBytes
    this.startedAt = plan.startedAt
    this.#link = plan.link
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
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status
    this.#headers = headers
    if (status < 100) controller.abort(new CodedError('STATUS_INVALID'))
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
    // undici takes a reset for the end of a body without a length; it is a loss (RFC 9112, 8).
    if (this.#link.isBreaking) this.#fail(new CodedError('ECONNRESET'))
    else this.#end(false)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error)
  }

  #end(truncated: boolean): void {
    if (this.#isOver) return
    const wire = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks)
    const encoding = this.#headers['content-encoding']?.toString() ?? null
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
      location: escapeBytes(this.#header('location')),
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

/** Headers come as Latin-1, one character a byte. Like browsers, keep raw bytes as they are: most are UTF-8. */
function escapeBytes(location: string | null): string | null {
  return location?.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`) ?? null
}
