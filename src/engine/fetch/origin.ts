// The connections to one origin: who may be dialled, how, and what the connections tell.

import type { LookupFunction } from 'node:net'
import type { buildConnector as Connectors } from 'undici'
import type { NameResolver } from '../dns/resolver.ts'
import type { AddressGuard } from './guard.ts'
import type { Handler, OriginRequest } from './h2.ts'
import { HEADERS_TIMEOUT_MS } from './limits.ts'
import { isBlockedPort } from './ports.ts'
import { CodedError } from './result.ts'
import { SecurePool } from './secure-pool.ts'
import { buildConnector, Pool } from './undici.ts'

export interface ConnectionSettings {
  connectionsPerOrigin: number
  /** For a whole request; no step of it may take longer. */
  timeoutMs: number
  /** Take any certificate. */
  insecure: boolean
  resolver: Pick<NameResolver, 'asLookupFunction' | 'lookup' | 'peek' | 'close'>
  guard: AddressGuard
}

export interface Connections {
  dispatch(request: OriginRequest, handler: Handler): void
  close(): Promise<void>
  destroy(): Promise<void>
}

export interface Origin {
  name: string
  hostname: string
  pool: Connections
  inFlight: number
  link: Link
}

/** What the connections of an origin tell. */
interface Link {
  /** Address of the newest one. */
  ip: string | null
  /** True while the error of one is being handled. */
  isBreaking: boolean
  /** Connections being made, and those of them that wait for an address. */
  dials: number
  lookups: number
}

/** Less than the ten seconds in which a dead host shall be found out. */
const CONNECT_TIMEOUT_MS = 9000
const ATTEMPT_TIMEOUT_MS = 2000
const BODY_IDLE_TIMEOUT_MS = 15_000
const MAX_HEADER_BYTES = 32 * 1024

export function openOrigin(name: string, settings: ConnectionSettings): Origin {
  const link: Link = { ip: null, isBreaking: false, dials: 0, lookups: 0 }
  const bodyIdleTimeoutMs = Math.min(BODY_IDLE_TIMEOUT_MS, settings.timeoutMs)
  const connectH1 = guardedConnector(settings, link, { allowH2: false })
  const openPool = (connect: Connectors.connector) =>
    new Pool(name, {
      connections: settings.connectionsPerOrigin,
      pipelining: 1,
      allowH2: false,
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, settings.timeoutMs),
      bodyTimeout: bodyIdleTimeoutMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      connect,
    })
  const { protocol, hostname } = new URL(name)
  const pool =
    protocol === 'http:'
      ? openPool(connectH1)
      : new SecurePool({
          connectBoth: guardedConnector(settings, link, { allowH2: true }),
          connectH1,
          openPool,
          limit: settings.connectionsPerOrigin,
          h2: { origin: name, maxHeaderBytes: MAX_HEADER_BYTES, bodyIdleTimeoutMs },
        })
  return { name, hostname, pool, inFlight: 0, link }
}

/** The one place that decides who is dialled, for every request and every hop. */
function guardedConnector(
  settings: ConnectionSettings,
  link: Link,
  { allowH2 }: { allowH2: boolean },
): Connectors.connector {
  const { guard, resolver } = settings
  const connect = buildConnector({
    timeout: Math.min(CONNECT_TIMEOUT_MS, settings.timeoutMs),
    allowH2,
    rejectUnauthorized: !settings.insecure,
    // Node gives each of several addresses 250 ms, too little for a host at the other end of the world.
    autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS,
    lookup: counted(
      resolver.asLookupFunction((address, hostname) => guard.isAllowed(address, hostname)),
      link,
    ),
  })
  return (options, callback) => {
    const refusal = guard.isAllowedLiteral(options.hostname) ? null : 'ADDRESS_BLOCKED'
    const code = isBlockedPort(options.port) ? 'PORT_BLOCKED' : refusal
    if (code !== null) {
      queueMicrotask(() => callback(new CodedError(code), null))
      return
    }
    link.dials += 1
    connect(options, (...result) => {
      link.dials -= 1
      const [error, socket] = result
      if (error === null && socket !== null) {
        link.ip = socket.remoteAddress ?? null
        socket.once('error', () => {
          link.isBreaking = true
          queueMicrotask(() => (link.isBreaking = false))
        })
      }
      callback(...result)
    })
  }
}

function counted(lookup: LookupFunction, link: Link): LookupFunction {
  return (hostname, options, callback) => {
    link.lookups += 1
    lookup(hostname, options, (...answer) => {
      link.lookups -= 1
      callback(...answer)
    })
  }
}
