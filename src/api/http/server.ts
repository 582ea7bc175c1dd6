// The API on a port: a listener of node:http, whose upgrade events are for live sockets.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AppError } from '../../lib/errors.ts'

export interface ApiServer {
  server: Server
  port: number
  /** Takes no more requests, and waits for those under way; cuts them off after this time. */
  stop(graceMs: number): Promise<void>
}

const HEADERS_TIMEOUT_MS = 20_000
const REQUEST_TIMEOUT_MS = 120_000

export async function startHttpServer(
  listener: RequestListener,
  at: { host: string; port: number },
): Promise<ApiServer> {
  const timeouts = { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS }
  // Some clients offer HTTP/2 with every request: that is theirs to do without, and is answered as any other.
  const shouldUpgradeCallback = ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket'
  const server = createServer({ ...timeouts, shouldUpgradeCallback }, listener)
  server.listen(at.port, at.host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    throw new AppError('PORT_TAKEN', `The API port cannot be opened: ${text}. Choose another with --port.`, {
      cause: error,
    })
  }
  return { server, port: (server.address() as AddressInfo).port, stop: (graceMs) => stopHttpServer(server, graceMs) }
}

async function stopHttpServer(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const cut = setTimeout(() => server.closeAllConnections(), graceMs)
  // A connection that was busy when the server closed is idle after its last answer.
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  await closed
  clearTimeout(cut)
  clearInterval(sweep)
}
