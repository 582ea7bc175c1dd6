// One request and its answer, as seen by a connection of either version of HTTP and by whoever asked.

import type { ResponseHeaders } from './headers.ts'

export interface OriginRequest {
  path: string
  listener: ExchangeListener
}

export interface ResponseHead {
  status: number
  statusText: string
  headers: ResponseHeaders
}

/** Hears of its end once, by `ended` or `failed`, and of nothing after that, nor after it has aborted. */
export interface ExchangeListener {
  /** False when it has given up before it was sent. */
  readonly isWanted: boolean
  /** It is about to go out. */
  onStart(exchange: Exchange): void
  /** Interim answers, of a status below 200, come before the one that counts. */
  onHead(head: ResponseHead): void
  /** A part of the body, in memory that will be used again. */
  onBody(buffer: Buffer, start: number, end: number): void
  onEnd(): void
  onError(error: Error): void
}

export interface Exchange {
  /** Request line and headers as they go out, or as HTTP/1.1 would write them; with the empty line behind them. */
  sentHead(): string
  abort(): void
}

/** All connections to an origin. */
export interface ConnectionPool {
  dispatch(request: OriginRequest): void
  /** There are open ones, to be swept from time to time. */
  readonly isOpen: boolean
  /** Ends those that have been idle for too long. */
  sweep(now: number): void
  /** Fails what is under way and what waits. */
  destroy(): void
}
