// The connections in HTTP/1.1 to one origin: opened as requests need them, kept for the next, never more than allowed.
// A connection is dialled, busy with a request, or idle; each change pumps, so that no request waits beside an idle one.

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

/** One that was dialled for a request that went another way is worth keeping as long as any. */
const UNUSED_MS = 4000
/** Some servers close behind every answer without saying so. After so many, their connections are not kept... */
const MAX_DROPS = 2
/** ...for so many answers: others only have a bad moment. */
const ANSWERS_APART = 500

export class H1Pool implements Connections, ConnectionOwner {
  readonly #dial: Dial
  readonly #settings: H1Settings
  readonly #waiting: OriginRequest[] = []
  readonly #open = new Set<Connection>()
  /** The one used last is the next. */
  #idle: Idle[] = []
  /** Kept connections that were ended instead of answering again, since one did answer again. */
  #drops = 0
  /** Answers since connections are not kept. */
  #answersApart = 0
  /** Each ends a dial. */
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

  /** Requests go out together, when all that has come was read: to wake a server for each takes both sides longer. */
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
    if (this.#isClosed) return
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
        if (socket === null) return this.#undialled(error)
        connection = new Connection(socket, this.#settings.maxHeadBytes, this)
        this.#open.add(connection)
        this.#use(connection)
      },
    )
    this.#dials.add(cancel)
  }

  /** Used at once, so that one which does not last takes a request with it, and is not dialled for that again. */
  #use(connection: Connection): void {
    const request = this.#nextWaiting()
    if (request !== null) connection.send(request)
    else this.#idle.push({ connection, until: this.#settings.clock.now() + UNUSED_MS })
  }

  /** A dial has failed, and with it the request that has waited longest. */
  #undialled(error: Error): void {
    this.#nextWaiting()?.listener.failed(error)
    this.#pump()
  }

  headFor(path: string): string {
    return `GET ${path} HTTP/1.1\r\n${this.#settings.headerLines}\r\n`
  }

  freed(connection: Connection, keepAliveMs: number): void {
    if (connection.answers > 1) this.#drops = 0
    if (!this.#isKeeping()) return connection.destroy()
    this.#idle.push({ connection, until: this.#settings.clock.now() + keepAliveMs })
    this.#pump()
  }

  #isKeeping(): boolean {
    if (this.#drops < MAX_DROPS) return true
    this.#answersApart += 1
    if (this.#answersApart < ANSWERS_APART) return false
    this.#drops = 0
    this.#answersApart = 0
    return true
  }

  gone(connection: Connection, isDropped: boolean): void {
    if (isDropped) this.#drops += 1
    this.#open.delete(connection)
    this.#idle = this.#idle.filter((idle) => idle.connection !== connection)
    this.#pump()
  }

  sweep(now: number): void {
    for (const { connection, until } of [...this.#idle]) if (now >= until) connection.destroy()
  }

  destroy(): void {
    this.#isClosed = true
    for (const cancel of this.#dials) cancel()
    this.#dials.clear()
    const error = new CodedError('CLIENT_CLOSED')
    for (const { listener } of this.#waiting.splice(0)) listener.failed(error)
    for (const connection of this.#open) connection.fail(error)
  }
}
