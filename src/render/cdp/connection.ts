// A connection to a browser over its two pipes. One connection has many sessions: the browser itself (no id) and one
// per attached target.

import type { Readable, Writable } from 'node:stream'
import { MessageSplitter, type OversizedMessage } from './pipe-messages.ts'
import type { Commands, EventName, Events, Method } from './protocol.ts'

/** The browser refused a command, or the connection or session ended. */
export class CdpError extends Error {
  override readonly name = 'CdpError'
  readonly kind: 'refused' | 'closed' | 'too_large'

  constructor(kind: CdpError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

type Listener = (params: never) => void

interface Pending {
  session: CdpSession
  resolve: (result: never) => void
  reject: (error: CdpError) => void
}

type Incoming =
  | { id: number; result?: unknown; error?: { message: string } }
  | { id?: undefined; method: EventName; params: object; sessionId?: string }

/** A session gets commands and events of one target. */
export class CdpSession {
  readonly id: string | null
  readonly #connection: CdpConnection
  readonly #listeners = new Map<EventName, Listener>()

  constructor(connection: CdpConnection, id: string | null) {
    this.#connection = connection
    this.id = id
  }

  send<M extends Method>(method: M, ...[params]: ParamsOf<M>): Promise<Commands[M][1]> {
    return this.#connection.send(this, method, params ?? {})
  }

  /** Sends a command whose failure does not matter, such as a command to a target that is going away. */
  post<M extends Method>(method: M, ...params: ParamsOf<M>): void {
    this.send(method, ...params).catch(() => undefined)
  }

  /** Sets the only listener of an event. */
  on<E extends EventName>(event: E, listener: (params: Events[E]) => void): void {
    this.#listeners.set(event, listener)
  }

  emit(event: EventName, params: object): void {
    this.#listeners.get(event)?.(params as never)
  }
}

type ParamsOf<M extends Method> = Commands[M][0] extends Record<string, never> ? [] : [params: Commands[M][0]]

export class CdpConnection {
  readonly browser = new CdpSession(this, null)
  readonly #output: Writable
  readonly #sessions = new Map<string, CdpSession>()
  readonly #pending = new Map<number, Pending>()
  #lastId = 0
  #isClosed = false

  /** Messages over `maxBytes` are dropped, and the command they reply to is rejected as too large. */
  constructor(input: Readable, output: Writable, maxBytes: number) {
    this.#output = output
    const splitter = new MessageSplitter(
      maxBytes,
      (text) => this.#receive(JSON.parse(text) as Incoming),
      (oversized) => this.#rejectOversized(oversized),
    )
    input.on('data', (chunk: Buffer) => splitter.push(chunk))
    input.on('close', () => this.close())
    // A broken pipe means that the browser is gone; its exit closes the connection.
    input.on('error', () => this.close())
    output.on('error', () => this.close())
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  session(id: string): CdpSession {
    const known = this.#sessions.get(id)
    if (known !== undefined) return known
    const session = new CdpSession(this, id)
    this.#sessions.set(id, session)
    return session
  }

  send<M extends Method>(session: CdpSession, method: M, params: object): Promise<Commands[M][1]> {
    if (this.#isClosed) return Promise.reject(closedError())
    this.#lastId += 1
    const id = this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<Commands[M][1]>()
    this.#pending.set(id, { session, resolve, reject })
    const sessionId = session.id ?? undefined
    this.#output.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    return promise
  }

  /** Rejects the commands of a session that no reply will come for. */
  endSession(sessionId: string): void {
    const session = this.#sessions.get(sessionId)
    this.#sessions.delete(sessionId)
    for (const [id, pending] of this.#pending) {
      if (pending.session !== session) continue
      this.#pending.delete(id)
      pending.reject(closedError())
    }
  }

  close(): void {
    this.#isClosed = true
    const pending = [...this.#pending.values()]
    this.#pending.clear()
    for (const { reject } of pending) reject(closedError())
  }

  #receive(message: Incoming): void {
    if (message.id === undefined) {
      const session = message.sessionId === undefined ? this.browser : this.#sessions.get(message.sessionId)
      session?.emit(message.method, message.params)
      return
    }
    const pending = this.#pending.get(message.id)
    this.#pending.delete(message.id)
    if (message.error === undefined) pending?.resolve(message.result as never)
    else pending?.reject(new CdpError('refused', message.error.message))
  }

  #rejectOversized({ head }: OversizedMessage): void {
    const id = Number(/^\{"id":(\d+)/.exec(head)?.[1])
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    pending?.reject(new CdpError('too_large', 'The browser sent a message that is too large.'))
  }
}

function closedError(): CdpError {
  return new CdpError('closed', 'The browser has closed the connection.')
}
