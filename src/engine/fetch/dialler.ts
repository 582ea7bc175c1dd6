// Opens connections to one origin: who may be dialled, how, and how long that may take.

import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net'
import type { Clock } from '../../lib/clock.ts'
import { normaliseHostname } from '../../lib/hostname.ts'
import type { NameResolver } from '../dns/name-resolver.ts'
import type { AddressGuard } from './address-guard.ts'
import { isBlockedPort } from './blocked-ports.ts'
import { CodedError } from './fetch-result.ts'

export interface DialSettings {
  /** For a whole request; no step of it may take longer. */
  timeoutMs: number
  /** Take any certificate. */
  insecure: boolean
  resolver: Pick<NameResolver, 'asLookupFunction' | 'lookup' | 'peek' | 'close'>
  guard: AddressGuard
}

export interface DiallerDependencies {
  settings: DialSettings
  clock: Clock
  /** What plain connections read into, one at a time. */
  readBuffer: Buffer
}

/** What the connections of an origin tell. */
export interface DialState {
  /** Address of the newest one. */
  ip: string | null
  /** Connections being made, and those of them that wait for an address. */
  dials: number
  lookups: number
}

export type DialCallback = (...result: [error: Error, socket: null] | [error: null, socket: Socket]) => void
/** What has come, in memory that will be used again. */
export type BytesCallback = (buffer: Buffer, length: number) => void
/** Calls back once, never before returning. The returned function ends the attempt without a further word. */
export type Dial = (bytesCallback: BytesCallback, done: DialCallback) => () => void

/** Less than the ten seconds in which a dead host shall be found out. */
const CONNECT_TIMEOUT_MS = 9000
/** Node gives each of several addresses 250 ms, too little for a host at the other end of the world. */
const ATTEMPT_TIMEOUT_MS = 2000
const TCP_KEEP_ALIVE_MS = 60_000
const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 }

/** What comes over a connection that was dialled without saying who reads it. */
export function forwardBytes(socket: Socket, bytesCallback: BytesCallback): void {
  socket.on('data', (chunk: Buffer) => bytesCallback(chunk, chunk.length))
}

/** Not before returning; the returned function forbids it. */
export function callSoon(call: () => void): () => void {
  let isCancelled = false
  queueMicrotask(() => {
    if (!isCancelled) call()
  })
  return () => (isCancelled = true)
}

export class Dialler {
  readonly state: DialState = { ip: null, dials: 0, lookups: 0 }
  readonly #url: URL
  readonly #host: string
  readonly #settings: DialSettings
  readonly #clock: Clock
  readonly #readBuffer: Buffer
  readonly #options
  /** Of the last TLS connection, to be taken up by the next. */
  #session: Buffer | undefined

  constructor(url: URL, { settings, clock, readBuffer }: DiallerDependencies) {
    this.#url = url
    const { hostname, port, protocol } = url
    this.#host = hostname.replace(/^\[(.*)\]$/, '$1')
    this.#settings = settings
    this.#clock = clock
    this.#readBuffer = readBuffer
    const { guard, resolver } = settings
    this.#options = {
      host: this.#host,
      port: Number(port || DEFAULT_PORTS[protocol]),
      lookup: this.#counted(resolver.asLookupFunction((address, name) => guard.isAllowed(address, name))),
      autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
    }
  }

  /** HTTP/1.1 alone. */
  readonly dialH1: Dial = (bytesCallback, done) => {
    if (this.#url.protocol === 'https:') {
      return this.dialSecure(['http/1.1'], (...result) => {
        if (result[1] !== null) forwardBytes(result[1], bytesCallback)
        done(...result)
      })
    }
    const buffer = this.#readBuffer
    const callback = (length: number) => {
      bytesCallback(buffer, length)
      return true
    }
    return this.#dial('connect', done, () => connectPlain({ ...this.#options, onread: { buffer, callback } }))
  }

  /** Over TLS, with a choice of protocols; nothing is read yet. */
  dialSecure(protocols: string[], done: DialCallback): () => void {
    return this.#dial('secureConnect', done, () => {
      // Loaded when it is first needed: that takes time.
      const { connect } = process.getBuiltinModule('node:tls')
      const socket = connect({
        ...this.#options,
        ALPNProtocols: protocols,
        rejectUnauthorized: !this.#settings.insecure,
        servername: isIP(this.#host) === 0 ? normaliseHostname(this.#host) : '',
        ...(this.#session === undefined ? {} : { session: this.#session }),
      })
      return socket.on('session', (session) => (this.#session = session))
    })
  }

  /** The one place that decides who is dialled, for every request and every hop. */
  #dial(ready: 'connect' | 'secureConnect', done: DialCallback, open: () => Socket): () => void {
    const refusal = this.#refusal()
    if (refusal !== null) return callSoon(() => done(new CodedError(refusal), null))
    const socket = open()
    const { state } = this
    state.dials += 1
    let isSettled = false
    const settle = (tell: () => void): void => {
      if (isSettled) return
      isSettled = true
      stopWaiting()
      state.dials -= 1
      tell()
    }
    const fail = (error: Error) => settle(() => done(error, null))
    const timeoutMs = Math.min(CONNECT_TIMEOUT_MS, this.#settings.timeoutMs)
    const stopWaiting = this.#clock.after(timeoutMs, () => {
      socket.destroy()
      fail(new CodedError('CONNECT_TIMEOUT'))
    })
    socket.on('error', fail)
    socket.once('close', () => fail(new CodedError('CONNECTION_CLOSED')))
    socket.once(ready, () =>
      settle(() => {
        state.ip = socket.remoteAddress ?? null
        done(null, socket)
      }),
    )
    return () => settle(() => socket.destroy())
  }

  #refusal(): string | null {
    if (isBlockedPort(this.#url.port)) return 'PORT_BLOCKED'
    return this.#settings.guard.isAllowedLiteral(this.#host) ? null : 'ADDRESS_BLOCKED'
  }

  #counted(lookup: LookupFunction): LookupFunction {
    return (hostname, options, callback) => {
      this.state.lookups += 1
      lookup(hostname, options, (...answer) => {
        this.state.lookups -= 1
        callback(...answer)
      })
    }
  }
}
