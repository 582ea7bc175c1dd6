// The HTTP server on the health port of a process:
//
//   /healthz   200 while the process runs
//   /readyz    200 while it accepts work; 503 with the reason while it drains or the store is down
//   /metrics   metrics for Prometheus; restricted (health-access.ts)
//   /records/  archived records in the worker's folder (record-route.ts); restricted in the same way

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AppError } from '../../lib/errors.ts'
import { type Metric, renderMetrics } from '../../lib/metrics.ts'
import { denyAccess, type HealthAccess } from './health-access.ts'
import { type HealthResponse, PLAIN_TEXT, RECORDS_PATH, type RecordSource, respondWithRecord } from './record-route.ts'

export interface HealthSource extends RecordSource {
  /** Why the process does not accept work; null if it does. */
  notReadyReason(): Promise<string | null>
  metrics(): Promise<Metric[]>
}

export interface HealthServer {
  port: number
  close(): Promise<void>
}

const PROMETHEUS = 'text/plain; version=0.0.4; charset=utf-8'

export interface HealthServerOptions extends HealthAccess {
  host: string
  port: number
  /** Take any free port if this one is taken, because it was not set explicitly. */
  mayUseOtherPort: boolean
}

export async function serveHealth(options: HealthServerOptions, source: HealthSource): Promise<HealthServer> {
  const server = createServer((request, response) => {
    respond(request, options, source).then(
      ({ status, type, body, isChallenge }) => {
        const challenge = isChallenge === true ? { 'www-authenticate': 'Bearer realm="orbweaver"' } : {}
        response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), ...challenge })
        response.end(body)
      },
      (error: unknown) => {
        response.writeHead(503, { 'content-type': PLAIN_TEXT })
        response.end(`${error instanceof Error ? error.message : String(error)}\n`)
      },
    )
  })
  try {
    await listen(server, options)
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    throw new AppError('PORT_TAKEN', `The health port cannot be opened: ${text}. Choose another with --health-port.`, {
      cause: error,
    })
  }
  return { port: (server.address() as AddressInfo).port, close: () => close(server) }
}

async function listen(server: Server, { host, port, mayUseOtherPort }: HealthServerOptions): Promise<void> {
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    if (!isTaken || !mayUseOtherPort) throw error
    server.listen(0, host)
    await once(server, 'listening')
  }
}

async function respond(request: IncomingMessage, access: HealthAccess, source: HealthSource): Promise<HealthResponse> {
  const { url = '/' } = request
  const path = url.replace(/\?.*/s, '')
  if (path === '/healthz') return { status: 200, type: PLAIN_TEXT, body: 'ok\n' }
  if (path === '/readyz') {
    const reason = await source.notReadyReason()
    return { status: reason === null ? 200 : 503, type: PLAIN_TEXT, body: `${reason ?? 'ready'}\n` }
  }
  if (path === '/metrics') {
    const refused = denyAccess(request, access)
    return refused ?? { status: 200, type: PROMETHEUS, body: renderMetrics(await source.metrics()) }
  }
  if (path.startsWith(RECORDS_PATH)) return denyAccess(request, access) ?? respondWithRecord(url, source)
  return { status: 404, type: PLAIN_TEXT, body: 'Not found. Available: /healthz, /readyz, /metrics and /records/.\n' }
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}
