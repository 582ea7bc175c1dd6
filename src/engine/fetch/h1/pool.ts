// The connections in HTTP/1.1 to one origin: opened as requests need them, kept for the next, never more than allowed.

import type { Clock } from '../../../lib/clock.ts'
import type { Dial } from '../dial.ts'
import type { Connections, OriginRequest } from '../exchange.ts'
import { CodedError } from '../result.ts'
import { Connection, type ConnectionOwner } from './connection.ts'

export interface H1Settings {
  maxConnections: number
  maxHeadBytes: number
  /** The lines of a request behind the first, each with its end. */
  headerLines: string
  clock: Clock
}

interface Idle {
  connection: Connection
  until: number
}

const UNUSED_MS = 4000

export class H1Pool implements Connections, ConnectionOwner {
  readonly #dial: Dial
  readonly #settings: H1Settings
  readonly #waiting: OriginRequest[] = []
  readonly #open = new Set<Connection>()
  /** The one used last is the next. */
  #idle: Idle[] = []
  /** Each ends a dial. */
  readonly #dials = new Set<() => void>()
  #isPumping = false
  #isClosed = false

  constructor(dial: Dial, settings: H1Settings) {
    this.#dial = dial
    this.#settings = settings
  }

  get isOpen(): boolean {
    return this.#open.size > 0
  }

  dispatch(request: OriginRequest): void {
    this.#waiting.push(request)
    this.#pump()
  }

  /**
   * Requests go out together, when all that has come was read: a server that is woken for each of them, and this thread
   * with every call that wakes it, lose more time than they gain. Also, a connection that the server closes behind its
   * answer is found closed by then.
   */
  #pump(): void {
    this.#connectMore()
    if (this.#isPumping || this.#idle.length === 0 || this.#waiting.length === 0) return
    this.#isPumping = true
    setImmediate(() => {
      this.#isPumping = false
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
    const { maxConnections } = this.#settings
    const wanted = this.#waiting.length - this.#idle.length
    while (this.#dials.size < wanted && this.#open.size + this.#dials.size < maxConnections) this.#connect()
  }

  #nextWaiting(): OriginRequest | null {
    for (;;) {
      const next = this.#waiting.shift()
      if (next === undefined) return null
      if (next.listener.isWanted) return next
    }
  }

  #connect(): void {
    let connection: Connection | null = null
    const cancel = this.#dial(
      (buffer, length) => connection?.read(buffer, length),
      (error, socket) => {
        this.#dials.delete(cancel)
        if (socket === null) return this.#fail(error)
        connection = new Connection(socket, this.#settings.maxHeadBytes, this)
        this.#open.add(connection)
        this.freed(connection, UNUSED_MS)
      },
    )
    this.#dials.add(cancel)
  }

  /** A dial has failed, and with it the request that has waited longest. */
  #fail(error: Error): void {
    this.#nextWaiting()?.listener.failed(error)
    this.#pump()
  }

  headFor(path: string): string {
    return `GET ${path} HTTP/1.1\r\n${this.#settings.headerLines}\r\n`
  }

  freed(connection: Connection, keepAliveMs: number): void {
    this.#idle.push({ connection, until: this.#settings.clock.now() + keepAliveMs })
    this.#pump()
  }

  gone(connection: Connection): void {
    this.#open.delete(connection)
    this.#idle = this.#idle.filter((idle) => idle.connection !== connection)
    if (!this.#isClosed) this.#pump()
  }

  sweep(now: number): void {
    for (const { connection, until } of [...this.#idle]) if (now >= until) connection.destroy()
  }

  destroy(): void {
    this.#isClosed = true
    for (const cancel of this.#dials) cancel()
    const error = new CodedError('CLIENT_CLOSED')
    for (const { listener } of this.#waiting.splice(0)) listener.failed(error)
    for (const connection of this.#open) connection.fail(error)
  }
}
