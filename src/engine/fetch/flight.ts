// One request under way: collects the answer and reports it once. Whatever else the connection does after that is
// ignored.

import type { Clock } from '../../lib/clock.ts'
import { BodyCollector } from './body.ts'
import { decodeBody } from './decode.ts'
import { decodeStart } from './decode-start.ts'
import type { AnswerHead, Exchange, Listener } from './exchange.ts'
import { allOf, firstOf, linkOf, locationOf, validatorOf } from './headers.ts'
import type { FetchLimits } from './limits.ts'
import type { Origin } from './origin.ts'
import { CodedError, type FetchResult, problemOf, type Right } from './result.ts'

export interface FlightPlan {
  origin: Origin
  limits: FetchLimits
  startedAt: number
  done: (result: FetchResult) => void
  right: Right
}

/** Shared by the flights of a client. */
export interface Tower {
  clock: Clock
  timeoutMs: number
  /** What to keep of the heads of requests, if anything. */
  keepHead: ((head: string) => string) | null
  landed(flight: Flight, result: FetchResult): void
}

/** A body may be slow to begin with, but has to come at a rate that ends some day. */
const SLOW_START_MS = 10_000
const MIN_BYTES_PER_MS = 1
const BODY_IDLE_MS = 15_000
/** Early hints and the like before the answer. */
const MAX_INTERIM_ANSWERS = 16
const NO_HEAD: AnswerHead = { status: 0, statusText: '', headers: [] }

export class Flight implements Listener {
  readonly plan: FlightPlan
  /** False while the request is being handed to the connections. */
  isDispatched = false
  readonly #tower: Tower
  readonly #body = new BodyCollector()
  #exchange: Exchange | null = null
  #sent: string | null = null
  #interim = 0
  #head = NO_HEAD
  #beganAt = 0
  #headersAt = 0
  #heardAt = 0
  #bytes = 0
  /** Nothing more is wanted from the connection; the body may still have to be decoded. */
  #isRead = false
  #isOver = false

  constructor(plan: FlightPlan, tower: Tower) {
    this.plan = plan
    this.#tower = tower
  }

  get isWanted(): boolean {
    return !this.#isOver
  }

  /** It has a connection. */
  get isSent(): boolean {
    return this.#exchange !== null
  }

  /** Ends the flight if it has taken too long, or a step of it has, or the right to ask is over. */
  endIfOverdue(now: number): void {
    const code = this.#isRead ? null : this.#overdue(now)
    if (code !== null) this.#abort(code)
  }

  #overdue(now: number): string | null {
    const { startedAt, right, limits } = this.plan
    const { timeoutMs } = this.#tower
    if (now >= right.endBefore) return 'LEASE_LAPSED'
    if (now - startedAt >= timeoutMs) return 'TOTAL_TIMEOUT'
    if (this.#exchange === null) return null
    if (this.#headersAt === 0) return now - this.#beganAt >= limits.headersTimeoutMs ? 'HEADERS_TIMEOUT' : null
    const bodyMs = now - this.#headersAt
    if (bodyMs >= SLOW_START_MS && this.#bytes < bodyMs * MIN_BYTES_PER_MS) return 'TOO_SLOW'
    return now - this.#heardAt >= BODY_IDLE_MS ? 'BODY_TIMEOUT' : null
  }

  #abort(code: string): void {
    this.#exchange?.abort()
    this.failed(new CodedError(code))
  }

  began(exchange: Exchange): void {
    this.#exchange = exchange
    this.#beganAt = this.#tower.clock.now()
    this.#sent = this.#tower.keepHead?.(exchange.sentHead()) ?? null
  }

  answered(head: AnswerHead): void {
    if (head.status < 200) return this.#passInterim(head.status)
    this.#head = head
    this.#headersAt = this.#tower.clock.now()
    this.#heardAt = this.#headersAt
    this.#body.expect(Math.min(Number(firstOf(head.headers, 'content-length')), this.plan.limits.maxBodyBytes))
  }

  #passInterim(status: number): void {
    this.#interim += 1
    // Nobody asked to switch protocols.
    if (status === 101) this.#abort('STATUS_INVALID')
    else if (this.#interim > MAX_INTERIM_ANSWERS) this.#abort('INTERIM_FLOOD')
  }

  received(buffer: Buffer, start: number, end: number): void {
    const { maxBodyBytes } = this.plan.limits
    this.#bytes += end - start
    this.#heardAt = this.#tower.clock.now()
    const excess = this.#bytes - maxBodyBytes
    this.#body.add(buffer, start, excess > 0 ? end - excess : end)
    if (excess <= 0) return
    this.#exchange?.abort()
    this.#end(true)
  }

  ended(): void {
    this.#end(false)
  }

  failed(error: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    const { problem, detail } = problemOf(error)
    this.#tower.landed(this, {
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
    const encoding = allOf(this.#head.headers, 'content-encoding', ', ')
    if (encoding === null) return this.#respond(wire, wire, truncated)
    const { maxBodyBytes, isStartEnough } = this.plan.limits
    if (truncated) {
      if (isStartEnough) this.#decodeStart(wire, encoding)
      else this.failed(new CodedError('BODY_TOO_LARGE'))
      return
    }
    decodeBody(wire, encoding, maxBodyBytes, (error, body) => {
      if (error === null) this.#respond(body, wire, false)
      else if (isStartEnough && error.code === 'BODY_TOO_LARGE') this.#decodeStart(wire, encoding)
      else this.failed(error)
    })
  }

  #decodeStart(wire: Buffer, encoding: string): void {
    decodeStart(wire, encoding, this.plan.limits.maxBodyBytes, (error, body) => {
      if (error === null) this.#respond(body, wire, true)
      else this.failed(error)
    })
  }

  #respond(body: Buffer, wire: Buffer, truncated: boolean): void {
    if (this.#isOver) return
    this.#isOver = true
    const { status, statusText, headers } = this.#head
    this.#tower.landed(this, {
      kind: 'response',
      status,
      contentType: firstOf(headers, 'content-type') ?? '',
      location: locationOf(headers),
      retryAfter: firstOf(headers, 'retry-after'),
      robotsTag: allOf(headers, 'x-robots-tag', '\n'),
      linkHeader: linkOf(headers),
      etag: validatorOf(headers, 'etag'),
      lastModified: validatorOf(headers, 'last-modified'),
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
