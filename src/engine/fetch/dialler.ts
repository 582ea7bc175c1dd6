// Opens connections to one origin: which addresses may be dialled, how, and for how long.

import { connect as connectPlain, type LookupFunction, type Socket } from 'node:net'
import type { Clock } from '../../lib/clock.ts'
import { normaliseHostname } from '../../lib/hostname.ts'
import { ipVersion } from '../../lib/ip-version.ts'
import type { NameResolver } from '../dns/name-resolver.ts'
import type { AddressGuard } from './address-guard.ts'
import { isBlockedPort } from './blocked-ports.ts'
import { CodedError } from './fetch-result.ts'

export interface DialSettings {
  /** Timeout of the whole request; no step may take longer. */
  timeoutMs: number
  /** Accept any certificate. */
  insecure: boolean
  resolver: Pick<NameResolver, 'asLookupFunction' | 'lookup' | 'peek' | 'close'>
  guard: AddressGuard
}

export interface DiallerDependencies {
  settings: DialSettings
  clock: Clock
  /** Shared read buffer of plain connections, which read one at a time. */
  readBuffer: Buffer
}

/** Observed state of the connections of an origin. */
export interface DialState {
  /** Address of the newest connection. */
  ip: string | null
  /** Connections being opened, and how many of them wait for DNS. */
  dials: number
  lookups: number
}

/** Opens the connections of a pool to its origin. */
export interface OriginDialler {
  readonly state: DialState
  /** HTTP/1.1 only. */
  readonly dialH1: Dial
  /** Opens a connection over TLS with ALPN; nothing is read yet. */
  dialSecure(protocols: string[], done: DialCallback): () => void
}

export type DialCallback = (...result: [error: Error, socket: null] | [error: null, socket: Socket]) => void
/** Received bytes, in a buffer that will be reused. */
export type BytesCallback = (buffer: Buffer, length: number) => void
/** Calls back once, never synchronously. The returned function cancels the attempt silently. */
export type Dial = (bytesCallback: BytesCallback, done: DialCallback) => () => void

/** Below the ten seconds after which a dead host must be detected. */
export const CONNECT_TIMEOUT_MS = 9000
/** Node gives each of several addresses 250 ms, too little for a distant host. */
const ATTEMPT_TIMEOUT_MS = 2000
const TCP_KEEP_ALIVE_MS = 60_000
export const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 }
export const SOCKET_OPTIONS = {
  autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS,
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
} as const

/** Forwards data of a connection that was dialled without a reader. */
export function forwardBytes(socket: Socket, bytesCallback: BytesCallback): void {
  socket.on('data', (chunk: Buffer) => bytesCallback(chunk, chunk.length))
}

/** Calls asynchronously; the returned function cancels it. */
export function callSoon(call: () => void): () => void {
  let isCancelled = false
  queueMicrotask(() => {
    if (!isCancelled) call()
  })
  return () => (isCancelled = true)
}

export class Dialler implements OriginDialler {
  readonly state: DialState = { ip: null, dials: 0, lookups: 0 }
  readonly #url: URL
  readonly #host: string
  readonly #settings: DialSettings
  readonly #clock: Clock
  readonly #readBuffer: Buffer
  readonly #options
  /** TLS session of the last connection, resumed by the next. */
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
      ...SOCKET_OPTIONS,
    }
  }

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

  dialSecure(protocols: string[], done: DialCallback): () => void {
    return this.#dial('secureConnect', done, () => {
      // Loaded on first use, because it takes time.
      const { connect } = process.getBuiltinModule('node:tls')
      const socket = connect({
        ...this.#options,
        ALPNProtocols: protocols,
        rejectUnauthorized: !this.#settings.insecure,
        servername: ipVersion(this.#host) === 0 ? normaliseHostname(this.#host) : '',
        ...(this.#session === undefined ? {} : { session: this.#session }),
      })
      return socket.on('session', (session) => (this.#session = session))
    })
  }

  /** The only place that decides which addresses are connected to, for every request and every redirect. */
  #dial(ready: 'connect' | 'secureConnect', done: DialCallback, open: () => Socket): () => void {
    const blockedCode = this.#blockedCode()
    if (blockedCode !== null) return callSoon(() => done(new CodedError(blockedCode), null))
    const socket = open()
    const { state } = this
    state.dials += 1
    let isSettled = false
    const settle = (report: () => void): void => {
      if (isSettled) return
      isSettled = true
      stopWaiting()
      state.dials -= 1
      report()
    }
    const fail = (error: Error) => settle(() => done(error, null))
    const timeoutMs = Math.min(CONNECT_TIMEOUT_MS, this.#settings.timeoutMs)
    const stopWaiting = this.#clock.after(timeoutMs, () => {
      socket.destroy()
      fail(new CodedError('CONNECT_TIMEOUT'))
    })
    socket.on('error', fail)
    socket.once('close', () => {
      if (!isSettled) fail(new CodedError('CONNECTION_CLOSED'))
    })
    socket.once(ready, () =>
      settle(() => {
        state.ip = socket.remoteAddress ?? null
        done(null, socket)
      }),
    )
    return () => settle(() => socket.destroy())
  }

  #blockedCode(): string | null {
    if (isBlockedPort(this.#url.port)) return 'PORT_BLOCKED'
    return this.#settings.guard.isNameOrAllowedAddress(this.#host) ? null : 'ADDRESS_BLOCKED'
  }

  #counted(lookup: LookupFunction): LookupFunction {
    return (hostname, options, callback) => {
      this.state.lookups += 1
      lookup(hostname, options, (...result) => {
        this.state.lookups -= 1
        callback(...result)
      })
    }
  }
}
