// One connection in HTTP/1.1: a request at a time, and its answer.

import type { Socket } from 'node:net'
import type { Exchange, OriginRequest } from '../exchange.ts'
import { CodedError } from '../result.ts'
import type { H1Head } from './head.ts'
import { AnswerReader, type AnswerSink } from './reader.ts'

export interface ConnectionOwner {
  /** The head of a request for a path. */
  headFor(path: string): string
  /** It takes the next request if that comes in this time. */
  freed(connection: Connection, keepAliveMs: number): void
  /** `isDropped`: it had answered before, and was ended instead of answering again. */
  gone(connection: Connection, isDropped: boolean): void
}

export class Connection implements Exchange, AnswerSink {
  readonly #socket: Socket
  readonly #owner: ConnectionOwner
  readonly #reader: AnswerReader
  #request: OriginRequest | null = null
  #sentHead = ''
  answers = 0
  /** Something has come since the request. */
  #isHeard = false
  #isGone = false

  /** Whoever opened the socket passes on what comes, by `read`. */
  constructor(socket: Socket, maxHeadBytes: number, owner: ConnectionOwner) {
    this.#socket = socket
    this.#owner = owner
    this.#reader = new AnswerReader(maxHeadBytes, this)
    socket.on('end', () => {
      if (this.#request === null) this.destroy()
      else this.#reader.close()
    })
    socket.on('error', (error) => this.fail(error))
    socket.on('close', () => this.fail(new CodedError('CONNECTION_CLOSED')))
  }

  send(request: OriginRequest): void {
    this.#request = request
    this.#sentHead = this.#owner.headFor(request.path)
    this.#isHeard = false
    this.#reader.begin()
    request.listener.began(this)
    if (this.#request === request) this.#socket.write(this.#sentHead, 'latin1')
  }

  read(buffer: Buffer, length: number): void {
    this.#isHeard = true
    if (this.#request === null) this.destroy()
    else this.#reader.read(buffer, length)
  }

  onHead(head: H1Head): void {
    this.#request?.listener.answered(head)
  }

  onBody(buffer: Buffer, start: number, end: number): void {
    this.#request?.listener.received(buffer, start, end)
  }

  /** Free before the end is told: whoever hears it may have the next request ready. */
  onEnd(keepAliveMs: number): void {
    const listener = this.#request?.listener
    this.#request = null
    this.answers += 1
    if (keepAliveMs > 0) this.#owner.freed(this, keepAliveMs)
    else this.destroy()
    listener?.ended()
  }

  onBroken(code: string): void {
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
    this.#go(false)
  }

  #go(isDropped: boolean): void {
    if (this.#isGone) return
    this.#isGone = true
    this.#reader.stop()
    this.#socket.destroy()
    this.#owner.gone(this, isDropped)
  }

  /** Ends it, and what is under way on it. */
  fail(error: Error): void {
    const request = this.#request
    this.#request = null
    this.#go(request !== null && this.answers > 0 && !this.#isHeard)
    request?.listener.failed(error)
  }
}
