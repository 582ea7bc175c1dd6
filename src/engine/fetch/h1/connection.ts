// One HTTP/1.1 connection: one request at a time, and its response.

import type { Socket } from 'node:net'
import type { Exchange, OriginRequest } from '../exchange.ts'
import { CodedError } from '../fetch-result.ts'
import type { H1ResponseHead } from './response-head.ts'
import { ResponseReader, type ResponseSink } from './response-reader.ts'

export interface ConnectionOwner {
  requestHead(request: OriginRequest): string
  /** Called when the connection can take a request within this time. */
  onIdle(h1Connection: H1Connection, keepAliveMs: number): void
  /** `isDropped`: it had responded before, and was closed instead of responding again. */
  onClosed(h1Connection: H1Connection, isDropped: boolean): void
}

export class H1Connection implements Exchange, ResponseSink {
  readonly #socket: Socket
  readonly #owner: ConnectionOwner
  readonly #reader: ResponseReader
  #request: OriginRequest | null = null
  #sentHead = ''
  responses = 0
  /** Something was received since the request. */
  #hasReceived = false
  #isClosed = false

  /** The opener of the socket passes received bytes to `read`. */
  constructor(socket: Socket, maxHeadBytes: number, owner: ConnectionOwner) {
    this.#socket = socket
    this.#owner = owner
    this.#reader = new ResponseReader(maxHeadBytes, this)
    socket.on('end', () => {
      if (this.#request === null) this.destroy()
      else this.#reader.close()
    })
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.onError('CONNECTION_CLOSED'))
  }

  send(request: OriginRequest): void {
    this.#request = request
    this.#sentHead = this.#owner.requestHead(request)
    this.#hasReceived = false
    this.#reader.begin()
    request.listener.onStart(this)
    if (this.#request === request) this.#socket.write(this.#sentHead, 'latin1')
  }

  read(buffer: Buffer, length: number): void {
    this.#hasReceived = true
    if (this.#request === null) this.destroy()
    else this.#reader.read(buffer, length)
  }

  onHead(head: H1ResponseHead): void {
    this.#request?.listener.onHead(head)
  }

  onBody(buffer: Buffer, start: number, end: number): void {
    this.#request?.listener.onBody(buffer, start, end)
  }

  /** Idle before the listener is notified: it may send the next request right away. */
  onEnd(keepAliveMs: number): void {
    const listener = this.#request?.listener
    this.#request = null
    this.responses += 1
    if (keepAliveMs > 0) this.#owner.onIdle(this, keepAliveMs)
    else this.destroy()
    listener?.onEnd()
  }

  /** No error is made for an idle connection: its stack would cost more than everything else about the connection. */
  onError(code: string): void {
    if (this.#request === null) this.destroy()
    else this.#fail(new CodedError(code))
  }

  sentHead(): string {
    return this.#sentHead
  }

  abort(): void {
    this.#request = null
    this.destroy()
  }

  /** Does not notify the listener. */
  destroy(): void {
    this.#close(false)
  }

  #close(isDropped: boolean): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#reader.stop()
    this.#socket.destroy()
    this.#owner.onClosed(this, isDropped)
  }

  /** Closes the connection and fails its request. */
  #fail(error: Error): void {
    const request = this.#request
    this.#request = null
    this.#close(request !== null && this.responses > 0 && !this.#hasReceived)
    request?.listener.onError(error)
  }
}
