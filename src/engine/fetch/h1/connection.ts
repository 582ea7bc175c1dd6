// One connection in HTTP/1.1: a request at a time, and its answer.

import type { Socket } from 'node:net'
import type { Exchange, OriginRequest } from '../exchange.ts'
import { CodedError } from '../fetch-result.ts'
import type { H1ResponseHead } from './response-head.ts'
import { ResponseReader, type ResponseSink } from './response-reader.ts'

export interface ConnectionOwner {
  /** The head of a request for a path. */
  requestHead(path: string): string
  /** It takes the next request if that comes in this time. */
  onIdle(h1Connection: H1Connection, keepAliveMs: number): void
  /** `isDropped`: it had answered before, and was ended instead of answering again. */
  onClosed(h1Connection: H1Connection, isDropped: boolean): void
}

export class H1Connection implements Exchange, ResponseSink {
  readonly #socket: Socket
  readonly #owner: ConnectionOwner
  readonly #reader: ResponseReader
  #request: OriginRequest | null = null
  #sentHead = ''
  responses = 0
  /** Something has come since the request. */
  #hasReceived = false
  #isClosed = false

  /** Whoever opened the socket passes on what comes, by `read`. */
  constructor(socket: Socket, maxHeadBytes: number, owner: ConnectionOwner) {
    this.#socket = socket
    this.#owner = owner
    this.#reader = new ResponseReader(maxHeadBytes, this)
    socket.on('end', () => {
      if (this.#request === null) this.destroy()
      else this.#reader.close()
    })
    socket.on('error', (error) => this.fail(error))
    socket.on('close', () => this.fail(new CodedError('CONNECTION_CLOSED')))
  }

  send(request: OriginRequest): void {
    this.#request = request
    this.#sentHead = this.#owner.requestHead(request.path)
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

  /** Free before the end is told: whoever hears it may have the next request ready. */
  onEnd(keepAliveMs: number): void {
    const listener = this.#request?.listener
    this.#request = null
    this.responses += 1
    if (keepAliveMs > 0) this.#owner.onIdle(this, keepAliveMs)
    else this.destroy()
    listener?.onEnd()
  }

  onError(code: string): void {
    this.fail(new CodedError(code))
  }

  sentHead(): string {
    return this.#sentHead
  }

  abort(): void {
    this.#request = null
    this.destroy()
  }

  /** Says nothing to whoever waits for an answer. */
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

  /** Ends it, and what is under way on it. */
  fail(error: Error): void {
    const request = this.#request
    this.#request = null
    this.#close(request !== null && this.responses > 0 && !this.#hasReceived)
    request?.listener.onError(error)
  }
}
