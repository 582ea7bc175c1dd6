// One request and its response, as seen by a connection of either HTTP version and by the caller.

import type { RequestHeaders, ResponseHeaders } from './headers.ts'

export interface OriginRequest {
  path: string
  /** Headers in addition to those of every request to the origin. */
  extraHeaders: RequestHeaders
  listener: ExchangeListener
}

export interface ResponseHead {
  status: number
  statusText: string
  headers: ResponseHeaders
}

/** Is notified of the end once, by `onEnd` or `onError`, and of nothing after that or after an abort. */
export interface ExchangeListener {
  /** False if the caller gave up before the request was sent. */
  readonly isWanted: boolean
  /** Called when the request is about to be sent. */
  onStart(exchange: Exchange): void
  /** Interim responses, with a status below 200, come before the final one. */
  onHead(head: ResponseHead): void
  /** A chunk of the body, in a buffer that will be reused. */
  onBody(buffer: Buffer, start: number, end: number): void
  onEnd(): void
  onError(error: Error): void
}

export interface Exchange {
  /** Request line and headers as sent, or as HTTP/1.1 would write them, including the empty line. */
  sentHead(): string
  abort(): void
}

/** All connections to an origin. */
export interface ConnectionPool {
  dispatch(request: OriginRequest): void
  /** Whether there are open connections, which must be swept from time to time. */
  readonly isOpen: boolean
  /** Closes connections that have been idle for too long. */
  sweep(now: number): void
  /** Fails requests in flight and waiting ones. */
  destroy(): void
}
