// The connections to an origin over TLS. The first one tells what the host speaks: with HTTP/2 it carries all requests,
// with HTTP/1.1 it is the first of a pool.

import type { Socket } from 'node:net'
import type { buildConnector, Pool } from 'undici'
import { H2Session, type H2Settings, type Handler, type OriginRequest } from './h2.ts'
import { CodedError } from './result.ts'

type Connector = buildConnector.connector

export interface SecureParts {
  /** Offers both, and offers HTTP/1.1 alone. */
  connectBoth: Connector
  connectH1: Connector
  openPool(connect: Connector): Pool
  /** Requests under way at a time. */
  limit: number
  h2: H2Settings
}

interface Waiting {
  request: OriginRequest
  handler: Handler
  /** It was sent once, over a connection that was on its way out. */
  isAgain: boolean
}

export class SecurePool {
  readonly #parts: SecureParts
  readonly #waiting: Waiting[] = []
  #pool: Pool | null = null
  #session: H2Session | null = null
  /** With those that only end what is under way. */
  readonly #sessions = new Set<H2Session>()
  #isDialling = false
  #isClosed = false
  #underWay = 0

  constructor(parts: SecureParts) {
    this.#parts = parts
  }

  dispatch(request: OriginRequest, handler: Handler): void {
    if (this.#pool !== null) {
      this.#pool.dispatch(request, handler)
      return
    }
    this.#waiting.push({ request, handler, isAgain: false })
    this.#pump()
  }

  #pump(): void {
    if (this.#pool !== null) return this.#passOn(this.#pool)
    if (this.#session?.isOpen === true) return this.#send(this.#session)
    if (this.#waiting.length > 0 && !this.#isDialling && !this.#isClosed) this.#dial()
  }

  #send(session: H2Session): void {
    while (this.#underWay < this.#parts.limit) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.#underWay += 1
      session.request(next.request, next.handler, (end) => {
        this.#underWay -= 1
        if (end === 'unanswered') this.#again(next)
        this.#pump()
      })
    }
  }

  #again(lost: Waiting): void {
    if (this.#isClosed || lost.isAgain) lost.handler.onResponseError(NEVER_BEGUN, new CodedError('ECONNRESET'))
    else this.#waiting.unshift({ ...lost, isAgain: true })
  }

  #dial(): void {
    this.#isDialling = true
    const { protocol, hostname, port, host } = new URL(this.#parts.h2.origin)
    // An address of version 6 stands in brackets in a url.
    const target = { protocol, hostname: hostname.replace(/^\[(.*)\]$/, '$1'), port, host }
    this.#parts.connectBoth(target, (error, socket) => {
      this.#isDialling = false
      if (this.#isClosed) socket?.destroy()
      else if (error !== null || socket === null) this.#failAll(error ?? new CodedError('ECONNRESET'))
      else if ('alpnProtocol' in socket && socket.alpnProtocol === 'h2') this.#speakH2(socket)
      else this.#speakH1(socket)
    })
  }

  #speakH2(socket: Socket): void {
    const session: H2Session = new H2Session(socket, this.#parts.h2, {
      retired: () => this.#retired(session),
      closed: () => this.#sessions.delete(session),
    })
    this.#sessions.add(session)
    this.#session = session
    this.#pump()
  }

  /** Whoever has only failed at HTTP/2 is asked in HTTP/1.1. */
  #retired(session: H2Session): void {
    if (this.#session !== session) return
    this.#session = null
    if (!session.hasAnswered || session.isRefused) this.#speakH1(null)
    else this.#pump()
  }

  #speakH1(first: Socket | null): void {
    if (this.#pool !== null || this.#isClosed) return
    let spare = first
    this.#pool = this.#parts.openPool((options, callback) => {
      if (spare === null || spare.destroyed) return this.#parts.connectH1(options, callback)
      const socket = spare
      spare = null
      queueMicrotask(() => callback(null, socket))
    })
    this.#passOn(this.#pool)
  }

  #passOn(pool: Pool): void {
    for (const { request, handler } of this.#waiting.splice(0)) pool.dispatch(request, handler)
  }

  #failAll(error: Error): void {
    for (const { handler } of this.#waiting.splice(0)) handler.onResponseError(NEVER_BEGUN, error)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const session of this.#sessions) session.retire()
    await this.#pool?.close()
  }

  async destroy(): Promise<void> {
    this.#isClosed = true
    for (const session of this.#sessions) session.destroy()
    this.#failAll(new CodedError('ECONNRESET'))
    await this.#pool?.destroy()
  }
}

/** For requests that never had a connection. */
const NEVER_BEGUN = {
  aborted: true,
  paused: false,
  reason: null,
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
}
