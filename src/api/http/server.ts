// The HTTP server of the API. Its upgrade events belong to the live sockets.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AppError } from '../../lib/errors.ts'

export interface ApiServer {
  server: Server
  port: number
  /** Stops accepting requests and waits for requests in flight; aborts them after `graceMs`. */
  stop(graceMs: number): Promise<void>
}

const HEADERS_TIMEOUT_MS = 20_000
const REQUEST_TIMEOUT_MS = 120_000

export async function startHttpServer(
  listener: RequestListener,
  at: { host: string; port: number },
): Promise<ApiServer> {
  const timeouts = { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS }
  // Some clients offer an upgrade to HTTP/2 with every request; it is ignored.
  const shouldUpgradeCallback = ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket'
  const server = createServer({ ...timeouts, shouldUpgradeCallback }, listener)
  server.listen(at.port, at.host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    const reason = error instanceof Error ? error.message : String(error)
    const text = isTaken ? `${at.host}:${at.port} is in use, perhaps by another Orbweaver` : reason
    throw new AppError('PORT_TAKEN', `Cannot open the API port: ${text}. Choose another port with --port.`, {
      cause: error,
    })
  }
  return { server, port: (server.address() as AddressInfo).port, stop: (graceMs) => stopHttpServer(server, graceMs) }
}

async function stopHttpServer(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const abort = setTimeout(() => server.closeAllConnections(), graceMs)
  // Connections that were busy when the server closed become idle after their last response.
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  await closed
  clearTimeout(abort)
  clearInterval(sweep)
}
