// The connections to one origin, in either version of HTTP.

import type { Clock } from '../../lib/clock.ts'
import { Dialler, type DialSettings, type DialState } from './dialler.ts'
import type { ConnectionPool } from './exchange.ts'
import { H1Pool } from './h1/h1-pool.ts'
import { headerLines, type RequestHeaders, withExtraHeaders } from './headers.ts'
import { TlsPool } from './tls-pool.ts'

export interface ConnectionSettings extends DialSettings {
  connectionsPerOrigin: number
}

export interface Origin {
  name: string
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

export function openOrigin(name: string, { headersFor, settings, clock, readBuffer }: OriginDependencies): Origin {
  const headers = headersFor(name)
  const url = new URL(name)
  const { protocol, hostname, host } = url
  const dialler = new Dialler(url, { settings, clock, readBuffer })
  const all: RequestHeaders = [['connection', 'keep-alive'], ...headers]
  const lines = headerLines(all, host)
  const h1 = {
    maxConnections: settings.connectionsPerOrigin,
    maxHeadBytes: MAX_HEAD_BYTES,
    headerLines: (extraHeaders: RequestHeaders) =>
      extraHeaders.length === 0 ? lines : headerLines(withExtraHeaders(all, extraHeaders), host),
    clock,
  }
  const pool =
    protocol === 'http:'
      ? new H1Pool(dialler.dialH1, h1)
      : new TlsPool(dialler, h1, { origin: name, host, headers, maxHeadBytes: MAX_HEAD_BYTES })
  return { name, hostname, pool, inFlight: 0, dialState: dialler.state }
}
