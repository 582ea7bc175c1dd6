// The connections to one origin, direct or through one proxy, in either version of HTTP.

import type { Clock } from '../../lib/clock.ts'
import { Dialler, type DialSettings, type DialState } from './dialler.ts'
import type { ConnectionPool } from './exchange.ts'
import { H1Pool } from './h1/h1-pool.ts'
import { headerLines, type RequestHeaders, withExtraHeaders } from './headers.ts'
import { basicCredentials } from './proxy/handshake.ts'
import { ProxyDialler, usesAbsoluteForm } from './proxy/proxy-dialler.ts'
import type { TrackedProxy } from './proxy/proxy-routes.ts'
import { TlsPool } from './tls-pool.ts'

export interface ConnectionSettings extends DialSettings {
  connectionsPerOrigin: number
}

export interface Origin {
  /** The name of the origin, and the proxy if there is one. */
  key: string
  hostname: string
  pool: ConnectionPool
  inFlight: number
  dialState: DialState
}

const MAX_HEAD_BYTES = 32 * 1024

export interface OriginDependencies {
  headersFor: (origin: string) => RequestHeaders
  settings: ConnectionSettings
  clock: Clock
  readBuffer: Buffer
}

export function originKey(name: string, proxy: TrackedProxy | null): string {
  return proxy === null ? name : `${name} ${proxy.id}`
}

/** `proxy` is null for direct connections. */
export function openOrigin(
  name: string,
  proxy: TrackedProxy | null,
  { headersFor, settings, clock, readBuffer }: OriginDependencies,
): Origin {
  const headers = headersFor(name)
  const url = new URL(name)
  const { protocol, hostname, host } = url
  const server = proxy?.server ?? null
  const dependencies = { settings, clock, readBuffer }
  const dialler = server === null ? new Dialler(url, dependencies) : new ProxyDialler(url, server, dependencies)
  const isAbsolute = server !== null && usesAbsoluteForm(url, server)
  const all: RequestHeaders = [['connection', 'keep-alive'], ...headers]
  if (isAbsolute && server.credentials !== null) all.push(['proxy-authorization', basicCredentials(server.credentials)])
  const lines = headerLines(all, host)
  const h1 = {
    maxConnections: settings.connectionsPerOrigin,
    maxHeadBytes: MAX_HEAD_BYTES,
    targetPrefix: isAbsolute ? name : '',
    headerLines: (extraHeaders: RequestHeaders) =>
      extraHeaders.length === 0 ? lines : headerLines(withExtraHeaders(all, extraHeaders), host),
    clock,
  }
  const pool =
    protocol === 'http:'
      ? new H1Pool(dialler.dialH1, h1)
      : new TlsPool(dialler, h1, { host, headers, maxHeadBytes: MAX_HEAD_BYTES, clock })
  return { key: originKey(name, proxy), hostname, pool, inFlight: 0, dialState: dialler.state }
}
