// The TLS connections to an origin. The first one negotiates the protocol: with HTTP/2 it carries all requests, with
// HTTP/1.1 it is the first of a pool.

import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { callSoon, type Dial, forwardBytes, type OriginDialler } from './dialler.ts'
import type { ConnectionPool, OriginRequest } from './exchange.ts'
import { CodedError } from './fetch-result.ts'
import { H1Pool, type H1Settings } from './h1/h1-pool.ts'
import { H2Connection, type H2Settings } from './h2/h2-connection.ts'

interface WaitingRequest extends OriginRequest {
  /** It was sent once already, over a connection that was closing. */
  isRetry: boolean
}

/** A server that has spoken HTTP/2 may end a connection early; one that does it again and again refuses HTTP/2. */
const MAX_SILENT_CONNECTIONS = 3

export class TlsPool implements ConnectionPool {
  readonly #dialler: OriginDialler
  readonly #h1: H1Settings
  readonly #h2: H2Settings
  readonly #waiting: WaitingRequest[] = []
  #pool: H1Pool | null = null
  #h2Connection: H2Connection | null = null
  /** HTTP/2 connections in a row that may still end without a response. */
  #silentLeft = 1
  /** All open connections, also retired ones that are finishing their requests. */
  readonly #h2Connections = new Set<H2Connection>()
  #cancelDial: (() => void) | null = null
  #isClosed = false
  #inFlight = 0

  constructor(dialler: OriginDialler, h1: H1Settings, h2: H2Settings) {
    this.#dialler = dialler
    this.#h1 = h1
    this.#h2 = h2
  }

  get isOpen(): boolean {
    return this.#cancelDial !== null || this.#h2Connections.size > 0 || this.#pool?.isOpen === true
  }

  dispatch(request: OriginRequest): void {
    if (this.#pool !== null) return this.#pool.dispatch(request)
    this.#waiting.push({ ...request, isRetry: false })
    this.#pump()
  }

  #pump(): void {
    if (this.#pool !== null) return this.#passOn(this.#pool)
    if (this.#h2Connection?.isOpen === true) return this.#send(this.#h2Connection)
    if (this.#waiting.length > 0 && this.#cancelDial === null && !this.#isClosed) this.#dial()
  }

  #send(h2Connection: H2Connection): void {
    while (h2Connection.hasRoom && this.#inFlight < this.#h1.maxConnections) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      if (!next.listener.isWanted) continue
      this.#inFlight += 1
      h2Connection.request(next, (end) => {
        this.#inFlight -= 1
        if (end === 'unanswered') this.#retry(next)
        this.#pump()
      })
    }
  }

  #retry(lost: WaitingRequest): void {
    if (this.#isClosed || lost.isRetry) lost.listener.onError(new CodedError('CONNECTION_CLOSED'))
    else this.#waiting.unshift({ ...lost, isRetry: true })
  }

  #dial(): void {
    this.#cancelDial = this.#dialler.dialSecure(['h2', 'http/1.1'], (error, socket) => {
      this.#cancelDial = null
      if (socket === null) this.#failAll(error)
      else if ((socket as TLSSocket).alpnProtocol === 'h2') this.#switchToH2(socket)
      else this.#switchToH1(socket)
    })
  }

  #switchToH2(socket: Socket): void {
    const h2Connection: H2Connection = new H2Connection(socket, this.#h2, {
      retired: () => this.#retired(h2Connection),
      closed: () => this.#h2Connections.delete(h2Connection),
      hasRoom: () => this.#pump(),
    })
    this.#h2Connections.add(h2Connection)
    this.#h2Connection = h2Connection
    this.#pump()
  }

  /** Falls back to HTTP/1.1 if HTTP/2 has only failed so far, or does so several times in a row. */
  #retired(h2Connection: H2Connection): void {
    if (this.#h2Connection !== h2Connection) return
    this.#h2Connection = null
    this.#silentLeft = h2Connection.hasResponded ? MAX_SILENT_CONNECTIONS : this.#silentLeft - 1
    if (this.#silentLeft > 0 && !h2Connection.isHttp11Required) return this.#pump()
    this.#switchToH1(null)
    // Including requests in flight, also of earlier connections, which would otherwise exceed the limit of the pool.
    for (const open of this.#h2Connections) open.destroy()
  }

  #switchToH1(first: Socket | null): void {
    if (this.#pool !== null || this.#isClosed) return
    let spare = first
    const dial: Dial = (bytesCallback, done) => {
      if (spare === null || spare.destroyed) return this.#dialler.dialH1(bytesCallback, done)
      const socket = spare
      spare = null
      const cancel = callSoon(() => {
        forwardBytes(socket, bytesCallback)
        done(null, socket)
      })
      return () => {
        cancel()
        socket.destroy()
      }
    }
    this.#pool = new H1Pool(dial, this.#h1)
    this.#passOn(this.#pool)
  }

  #passOn(pool: H1Pool): void {
    for (const request of this.#waiting.splice(0)) pool.dispatch(request)
  }

  #failAll(error: Error): void {
    for (const { listener } of this.#waiting.splice(0)) listener.onError(error)
  }

  sweep(now: number): void {
    for (const h2Connection of this.#h2Connections) h2Connection.sweep(now)
    this.#pool?.sweep(now)
  }

  destroy(): void {
    this.#isClosed = true
    this.#cancelDial?.()
    for (const h2Connection of this.#h2Connections) h2Connection.destroy()
    this.#failAll(new CodedError('CLIENT_CLOSED'))
    this.#pool?.destroy()
  }
}
