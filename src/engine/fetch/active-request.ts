// One request in flight: collects the response and reports it once. Anything the connection does after that is ignored.

import type { Clock } from '../../lib/clock.ts'
import { BodyCollector } from './body-collector.ts'
import { decodeBody } from './decode-body.ts'
import { decodeBodyStart } from './decode-body-start.ts'
import type { Exchange, ExchangeListener, ResponseHead } from './exchange.ts'
import type { FetchLimits } from './fetch-limits.ts'
import { CodedError, classifyFetchError, type FetchResult, type RequestDeadline } from './fetch-result.ts'
import {
  firstHeader,
  joinHeaderValues,
  type ResponseHeaders,
  readLinkHeader,
  readLocation,
  readValidator,
} from './headers.ts'
import type { Origin } from './origin.ts'
import type { ProxyGroup, TrackedProxy } from './proxy/proxy-routes.ts'

export interface RequestPlan {
  url: string
  origin: Origin
  limits: FetchLimits
  startedAt: number
  done: (result: FetchResult) => void
  deadline: RequestDeadline
  /** Null if the request uses no proxy. */
  route: RequestRoute | null
  /** Number of times it was sent before and got a challenge. */
  challenges: number
  /** Answers a challenge of the server; true if the request is sent again. Null if there are no credentials for that. */
  answerChallenge: ((headers: ResponseHeaders) => boolean) | null
}

/** How a request goes through a proxy. */
export interface RequestRoute {
  proxy: TrackedProxy
  group: ProxyGroup
  /** Sends the request again, through another proxy if there is one. */
  resend: () => void
}

/** Shared by all requests of a client. */
export interface RequestContext {
  clock: Clock
  timeoutMs: number
  /** Selects what to archive of request heads; null if nothing. */
  filterHead: ((head: string) => string) | null
  onFinished(activeRequest: ActiveRequest, result: FetchResult): void
}

/** A body may start slowly, but must then keep a minimum rate. */
const SLOW_START_MS = 10_000
const MIN_BYTES_PER_MS = 1
const BODY_IDLE_MS = 15_000
/** Early hints and other interim responses before the final one. */
const MAX_INTERIM_RESPONSES = 16
const NO_HEAD: ResponseHead = { status: 0, statusText: '', headers: [] }

export class ActiveRequest implements ExchangeListener {
  readonly plan: RequestPlan
  /** False while the request is being handed to the pool. */
  isDispatched = false
  readonly #context: RequestContext
  readonly #body = new BodyCollector()
  #exchange: Exchange | null = null
  #sent: string | null = null
  #interim = 0
  #head = NO_HEAD
  #sentAt = 0
  #headersAt = 0
  #lastBytesAt = 0
  #bytes = 0
  /** The response has been received; the body may still have to be decoded. */
  #isRead = false
  #isOver = false

  constructor(plan: RequestPlan, requestContext: RequestContext) {
    this.plan = plan
    this.#context = requestContext
  }

  /** A thread that was suspended for long must not continue requests: another thread may have leased the host. */
  get isWanted(): boolean {
    return !this.#isOver && this.#context.clock.now() < this.plan.deadline.endDeadline
  }

  /** The request has a connection. */
  get isSent(): boolean {
    return this.#exchange !== null
  }

  /** Aborts the request if it, or a step of it, has taken too long, or its lease has expired. */
  endIfOverdue(now: number): void {
    const code = this.#isRead ? null : this.#overdue(now)
    if (code !== null) this.#abort(code)
  }

  #overdue(now: number): string | null {
    const { startedAt, deadline, limits } = this.plan
    const { timeoutMs } = this.#context
    if (now >= deadline.endDeadline) return 'LEASE_LAPSED'
    if (now - startedAt >= timeoutMs) return 'TOTAL_TIMEOUT'
    if (this.#exchange === null) return null
    if (this.#headersAt === 0) return now - this.#sentAt >= limits.headersTimeoutMs ? 'HEADERS_TIMEOUT' : null
    const bodyMs = now - this.#headersAt
    if (bodyMs >= SLOW_START_MS && this.#bytes < bodyMs * MIN_BYTES_PER_MS) return 'TOO_SLOW'
    return now - this.#lastBytesAt >= BODY_IDLE_MS ? 'BODY_TIMEOUT' : null
  }

  #abort(code: string): void {
    this.#exchange?.abort()
    this.onError(new CodedError(code))
  }

  onStart(exchange: Exchange): void {
    this.#exchange = exchange
    this.#sentAt = this.#context.clock.now()
    this.#sent = this.#context.filterHead?.(exchange.sentHead()) ?? null
  }

  onHead(head: ResponseHead): void {
    if (head.status < 200) return this.#passInterim(head.status)
    this.#head = head
    this.#headersAt = this.#context.clock.now()
    this.#lastBytesAt = this.#headersAt
    this.#body.expect(Math.min(Number(firstHeader(head.headers, 'content-length')), this.plan.limits.maxBodyBytes))
  }

  #passInterim(status: number): void {
    this.#interim += 1
    // We never ask to switch protocols.
    if (status === 101) this.#abort('STATUS_INVALID')
    else if (this.#interim > MAX_INTERIM_RESPONSES) this.#abort('INTERIM_FLOOD')
  }

  onBody(buffer: Buffer, start: number, end: number): void {
    const { maxBodyBytes } = this.plan.limits
    this.#bytes += end - start
    this.#lastBytesAt = this.#context.clock.now()
    const excess = this.#bytes - maxBodyBytes
    this.#body.add(buffer, start, excess > 0 ? end - excess : end)
    if (excess <= 0) return
    this.#exchange?.abort()
    this.#end(true)
  }

  onEnd(): void {
    this.#end(false)
  }

  onError(error: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    const { problem, detail } = classifyFetchError(error)
    this.#context.onFinished(this, {
      kind: 'failure',
      problem,
      detail,
      wireBytes: this.#bytes,
      fetchMs: 0,
      ip: null,
      cname: null,
    })
  }

  #end(truncated: boolean): void {
    if (this.#isOver) return
    this.#isRead = true
    const wire = this.#body.take()
    const encoding = joinHeaderValues(this.#head.headers, 'content-encoding', ', ')
    if (encoding === null) return this.#respond(wire, wire, truncated)
    const { maxBodyBytes, acceptsTruncated } = this.plan.limits
    if (truncated) {
      if (acceptsTruncated) this.#decodeStart(wire, encoding)
      else this.onError(new CodedError('BODY_TOO_LARGE'))
      return
    }
    decodeBody(wire, encoding, maxBodyBytes, (error, body) => {
      if (error === null) this.#respond(body, wire, false)
      else if (acceptsTruncated && error.code === 'BODY_TOO_LARGE') this.#decodeStart(wire, encoding)
      else this.onError(error)
    })
  }

  #decodeStart(wire: Buffer, encoding: string): void {
    decodeBodyStart(wire, encoding, this.plan.limits.maxBodyBytes, (error, body) => {
      if (error === null) this.#respond(body, wire, true)
      else this.onError(error)
    })
  }

  #respond(body: Buffer, wire: Buffer, truncated: boolean): void {
    if (this.#isOver) return
    this.#isOver = true
    const { status, statusText, headers } = this.#head
    this.#context.onFinished(this, {
      kind: 'response',
      status,
      contentType: firstHeader(headers, 'content-type') ?? '',
      location: readLocation(headers),
      retryAfter: firstHeader(headers, 'retry-after'),
      robotsTag: joinHeaderValues(headers, 'x-robots-tag', '\n'),
      linkHeader: readLinkHeader(headers),
      etag: readValidator(headers, 'etag'),
      lastModified: readValidator(headers, 'last-modified'),
      body,
      wire,
      statusText,
      rawHeaders: headers,
      sent: this.#sent,
      wireBytes: this.#bytes,
      truncated,
      ttfbMs: this.#headersAt - this.plan.startedAt,
      fetchMs: 0,
      ip: null,
      cname: null,
    })
  }
}
