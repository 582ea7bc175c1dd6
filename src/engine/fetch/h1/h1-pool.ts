// The HTTP/1.1 connections to one origin: opened on demand, reused, and limited in number. A connection is being
// dialled, busy, or idle; each change pumps the queue, so that no request waits next to an idle connection.

import type { Clock } from '../../../lib/clock.ts'
import type { Dial } from '../dialler.ts'
import type { ConnectionPool, OriginRequest } from '../exchange.ts'
import { CodedError } from '../fetch-result.ts'
import type { RequestHeaders } from '../headers.ts'
import { KEEP_ALIVE_MS } from './body-framing.ts'
import { type ConnectionOwner, H1Connection } from './connection.ts'

export interface H1Settings {
  maxConnections: number
  maxHeadBytes: number
  /** Prefix of the path in the request line: the origin, if a proxy needs it. */
  targetPrefix: string
  /**
   * Header lines of a request with these headers in addition to those of every request. Each line includes its line
   * break.
   */
  headerLines: (extraHeaders: RequestHeaders) => string
  clock: Clock
}

interface IdleConnection {
  connection: H1Connection
  until: number
}

/**
 * Some servers close connections after every response, or every few, without announcing it. After this many drops we
 * close connections first...
 */
const MAX_DROPS = 2
/** ...for this many connections, since the problem may be temporary. */
const TIMES_ENDED_FIRST = 500
/** A server that refuses another connection while some are open is not dialled again at once. */
const NEXT_DIAL_MS = 1000

export class H1Pool implements ConnectionPool, ConnectionOwner {
  readonly #dial: Dial
  readonly #settings: H1Settings
  #waiting: OriginRequest[] = []
  readonly #open = new Set<H1Connection>()
  /** Idle connections, used in LIFO order. */
  #idle: IdleConnection[] = []
  /** Number of reused connections that were closed instead of responding, and the fewest responses before that. */
  #drops = 0
  #responsesBeforeDrop = 0
  /** Number of times we closed a connection first, for that reason. */
  #closedFirst = 0
  #nextDialAt = 0
  /** Functions that cancel a dial. */
  readonly #dials = new Set<() => void>()
  #isSending = false
  #isClosed = false

  constructor(dial: Dial, settings: H1Settings) {
    this.#dial = dial
    this.#settings = settings
  }

  get isOpen(): boolean {
    return this.#open.size + this.#dials.size > 0
  }

  dispatch(request: OriginRequest): void {
    this.#waiting.push(request)
    this.#pump()
  }

  /**
   * Requests are sent together, after all received data was read: waking a server for each one costs both sides more.
   */
  #pump(): void {
    this.#connectMore()
    if (this.#isSending || this.#idle.length === 0 || this.#waiting.length === 0) return
    this.#isSending = true
    setImmediate(() => {
      this.#isSending = false
      this.#sendWaiting()
    })
  }

  #sendWaiting(): void {
    while (this.#idle.length > 0) {
      const request = this.#nextWaiting()
      if (request === null) return
      this.#idle.pop()?.connection.send(request)
    }
    this.#connectMore()
  }

  #connectMore(): void {
    if (this.#isClosed || this.#waiting.length <= this.#idle.length + this.#dials.size) return
    const { maxConnections, clock } = this.#settings
    if (this.#open.size + this.#dials.size >= maxConnections) return
    if (this.#open.size > 0 && this.#nextDialAt > 0 && clock.now() < this.#nextDialAt) return
    this.#waiting = this.#waiting.filter(({ listener }) => listener.isWanted)
    const missing = this.#waiting.length - this.#idle.length
    while (this.#dials.size < missing && this.#open.size + this.#dials.size < maxConnections) this.#connect()
  }

  #nextWaiting(): OriginRequest | null {
    for (;;) {
      const next = this.#waiting.shift()
      if (next === undefined) return null
      if (next.listener.isWanted) return next
    }
  }

  #connect(): void {
    let connection: H1Connection | null = null
    const cancel = this.#dial(
      (buffer, length) => connection?.read(buffer, length),
      (error, socket) => {
        this.#dials.delete(cancel)
        if (socket === null) return this.#dialFailed(error)
        connection = new H1Connection(socket, this.#settings.maxHeadBytes, this)
        this.#open.add(connection)
        this.#use(connection)
      },
    )
    this.#dials.add(cancel)
  }

  /**
   * The connection is used at once: if it breaks immediately, a request fails instead of being retried on new
   * connections forever.
   */
  #use(h1Connection: H1Connection): void {
    const request = this.#nextWaiting()
    if (request !== null) h1Connection.send(request)
    else this.#idle.push({ connection: h1Connection, until: this.#settings.clock.now() + KEEP_ALIVE_MS })
  }

  /** Also fails the oldest waiting request, unless an open connection can serve it. */
  #dialFailed(error: Error): void {
    if (this.#open.size > 0) this.#nextDialAt = this.#settings.clock.now() + NEXT_DIAL_MS
    else this.#nextWaiting()?.listener.onError(error)
    this.#pump()
  }

  requestHead({ path, extraHeaders }: OriginRequest): string {
    const { targetPrefix, headerLines } = this.#settings
    return `GET ${targetPrefix}${path} HTTP/1.1\r\n${headerLines(extraHeaders)}\r\n`
  }

  onIdle(h1Connection: H1Connection, keepAliveMs: number): void {
    if (this.#drops > 0 && h1Connection.responses > this.#responsesBeforeDrop) this.#drops = 0
    if (this.#isNearItsEnd(h1Connection)) return h1Connection.destroy()
    this.#idle.push({ connection: h1Connection, until: this.#settings.clock.now() + keepAliveMs })
    this.#pump()
  }

  /** The server is likely to close it before the next response. */
  #isNearItsEnd({ responses }: H1Connection): boolean {
    if (this.#drops < MAX_DROPS || responses < this.#responsesBeforeDrop) return false
    this.#closedFirst += 1
    if (this.#closedFirst < TIMES_ENDED_FIRST) return true
    this.#drops = 0
    return false
  }

  onClosed(h1Connection: H1Connection, isDropped: boolean): void {
    if (isDropped) this.#recordDrop(h1Connection.responses)
    this.#open.delete(h1Connection)
    this.#idle = this.#idle.filter((idleConnection) => idleConnection.connection !== h1Connection)
    this.#pump()
  }

  #recordDrop(responses: number): void {
    this.#responsesBeforeDrop = this.#drops === 0 ? responses : Math.min(this.#responsesBeforeDrop, responses)
    this.#drops += 1
    this.#closedFirst = 0
  }

  sweep(now: number): void {
    for (const { connection, until } of [...this.#idle]) if (now >= until) connection.destroy()
  }

  destroy(): void {
    this.#isClosed = true
    for (const cancel of this.#dials) cancel()
    this.#dials.clear()
    for (const { listener } of this.#waiting.splice(0)) listener.onError(new CodedError('CLIENT_CLOSED'))
    for (const h1Connection of this.#open) h1Connection.onError('CLIENT_CLOSED')
  }
}
