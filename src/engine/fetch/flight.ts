// One request under way: collects the answer and reports it once. Whatever else the connection does after that is
// ignored.

import type { Dispatcher } from 'undici'
import type { Clock } from '../../lib/clock.ts'
import { contentEncodingOf, decodeBody } from './decode.ts'
import { decodeStart } from './decode-start.ts'
import { type AnswerHeaders, allOf, firstOf, linkOf, locationOf, validatorOf } from './headers.ts'
import type { FetchLimits } from './limits.ts'
import type { Origin } from './origin.ts'
import { CodedError, type FetchResult, problemOf, type Right } from './result.ts'
import type { SentWatch } from './sent.ts'

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
  sent: Pick<SentWatch, 'begin'>
  landed(flight: Flight, result: FetchResult): void
}

/** A body may be slow to begin with, but has to come at a rate that ends some day. */
const SLOW_START_MS = 10_000
const MIN_BYTES_PER_MS = 1
/** Early hints and the like before the answer. */
const MAX_INTERIM_ANSWERS = 16
/** Bodies in tiny chunks are put together on the way: a buffer takes more room than the byte it may hold. */
const MAX_LOOSE_CHUNKS = 1000

export class Flight implements Dispatcher.DispatchHandler {
  readonly plan: FlightPlan
  /** False while the request is being handed to the pool. */
  isDispatched = false
  /** The head of the request, once it has gone out, if it is wanted. */
  sent: string | null = null
  readonly #tower: Tower
  readonly #chunks: Buffer[] = []
  /** Leading chunks that were put together. */
  #joined = 0
  #controller: Dispatcher.DispatchController | null = null
  #interim = 0
  #status = 0
  #statusText = ''
  #headers: AnswerHeaders = {}
  #rawHeaders: readonly Buffer[] = []
  #headersAt = 0
  #bytes = 0
  /** Nothing more is wanted from the connection; the body may still have to be decoded. */
  #isRead = false
  #isOver = false

  constructor(plan: FlightPlan, tower: Tower) {
    this.plan = plan
    this.#tower = tower
  }

  /** It has a connection. */
  get isSent(): boolean {
    return this.#controller !== null
  }

  /** Ends the flight if it has taken too long, its body comes too slowly, or the right to ask is over. */
  endIfOverdue(now: number, timeoutMs: number): void {
    if (now >= this.plan.right.endBefore) return this.#abort(new CodedError('LEASE_LAPSED'))
    if (now - this.plan.startedAt >= timeoutMs) return this.#abort(new CodedError('TOTAL_TIMEOUT'))
    if (this.#headersAt === 0 || this.#isRead) return
    const bodyMs = now - this.#headersAt
    if (bodyMs >= SLOW_START_MS && this.#bytes < bodyMs * MIN_BYTES_PER_MS) this.#abort(new CodedError('TOO_SLOW'))
  }

  #abort(reason: Error): void {
    if (this.#controller === null) this.#fail(reason)
    else this.#controller.abort(reason)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) controller.abort(new CodedError('TOTAL_TIMEOUT'))
    else this.#tower.sent.begin(this)
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: AnswerHeaders,
    statusText = '',
  ): void {
    if (status < 200) return this.#passInterim(controller, status)
    this.#status = status
    this.#statusText = statusText
    this.#headers = headers
    this.#rawHeaders = Array.isArray(controller.rawHeaders) ? (controller.rawHeaders as Buffer[]) : []
    this.#headersAt = this.#tower.clock.now()
  }

  #passInterim(controller: Dispatcher.DispatchController, status: number): void {
    this.#interim += 1
    // Nobody asked to switch protocols; undici would fail an assertion of its own.
    if (status < 100 || status === 101) controller.abort(new CodedError('STATUS_INVALID'))
    else if (this.#interim > MAX_INTERIM_ANSWERS) controller.abort(new CodedError('INTERIM_FLOOD'))
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return
    const { maxBodyBytes } = this.plan.limits
    this.#bytes += chunk.length
    if (this.#bytes <= maxBodyBytes) return this.#keep(chunk)
    this.#keep(chunk.subarray(0, chunk.length - (this.#bytes - maxBodyBytes)))
    this.#end(true)
    controller.abort(new CodedError('BODY_TOO_LARGE'))
  }

  #keep(chunk: Buffer): void {
    this.#chunks.push(chunk)
    if (this.#chunks.length - this.#joined < MAX_LOOSE_CHUNKS) return
    this.#chunks.push(Buffer.concat(this.#chunks.splice(this.#joined)))
    this.#joined += 1
  }

  onResponseEnd(): void {
    // undici takes a reset for the end of a body without a length; it is a loss (RFC 9112, 8).
    if (this.plan.origin.link.isBreaking) this.#fail(new CodedError('ECONNRESET'))
    else this.#end(false)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (!this.#isRead) this.#fail(error)
  }

  #end(truncated: boolean): void {
    if (this.#isOver) return
    this.#isRead = true
    const wire = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks)
    this.#chunks.length = 0
    const encoding = contentEncodingOf(this.#headers['content-encoding'])
    if (encoding === null) return this.#respond(wire, wire, truncated)
    const { maxBodyBytes, isStartEnough } = this.plan.limits
    if (truncated) {
      if (isStartEnough) this.#decodeStart(wire, encoding)
      else this.#fail(new CodedError('BODY_TOO_LARGE'))
      return
    }
    decodeBody(wire, encoding, maxBodyBytes, (error, body) => {
      if (error === null) this.#respond(body, wire, false)
      else if (isStartEnough && error.code === 'BODY_TOO_LARGE') this.#decodeStart(wire, encoding)
      else this.#fail(error)
    })
  }

  #decodeStart(wire: Buffer, encoding: string): void {
    decodeStart(wire, encoding, this.plan.limits.maxBodyBytes, (error, body) => {
      if (error === null) this.#respond(body, wire, true)
      else this.#fail(error)
    })
  }

  #respond(body: Buffer, wire: Buffer, truncated: boolean): void {
    if (this.#isOver) return
    this.#isOver = true
    const headers = this.#headers
    this.#tower.landed(this, {
      kind: 'response',
      status: this.#status,
      contentType: firstOf(headers, 'content-type') ?? '',
      location: locationOf(headers),
      retryAfter: firstOf(headers, 'retry-after'),
      robotsTag: allOf(headers, 'x-robots-tag', '\n'),
      linkHeader: linkOf(headers),
      etag: validatorOf(headers, 'etag'),
      lastModified: validatorOf(headers, 'last-modified'),
      body,
      wire,
      statusText: this.#statusText,
      rawHeaders: this.#rawHeaders,
      sent: this.sent,
      wireBytes: this.#bytes,
      truncated,
      ttfbMs: this.#headersAt - this.plan.startedAt,
      fetchMs: 0,
      ip: null,
      cname: null,
    })
  }

  #fail(error: Error): void {
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
}
