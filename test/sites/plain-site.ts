// A small site on loopback whose responses the test defines. It records all requests.

import { once } from 'node:events'
import { createServer, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CleanupContext } from '../testing/program.ts'

export interface PlainResponse {
  status?: number
  /** Reason phrase with one character per byte. */
  phrase?: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer
  afterMs?: number
}

export interface PlainRequest {
  path: string
  startedAt: number
  endedAt: number
}

export interface PlainSite {
  origin: string
  port: number
  requests: PlainRequest[]
  paths(): string[]
  /** Peak number of concurrent requests. */
  peakConcurrency: number
}

/** `respond` gets the path and the number of earlier requests for it; null is a 404. */
export async function servePlainSite(
  t: CleanupContext,
  respond: (path: string, before: number) => PlainResponse | string | null,
): Promise<PlainSite> {
  const requests: PlainRequest[] = []
  const site: PlainSite = {
    origin: '',
    port: 0,
    requests,
    paths: () => requests.map(({ path }) => path),
    peakConcurrency: 0,
  }
  const requestCounts = new Map<string, number>()
  let underWay = 0
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    const before = requestCounts.get(path) ?? 0
    requestCounts.set(path, before + 1)
    const responded = respond(path, before)
    const record = { path, startedAt: performance.now(), endedAt: Number.POSITIVE_INFINITY }
    requests.push(record)
    underWay += 1
    site.peakConcurrency = Math.max(site.peakConcurrency, underWay)
    const {
      status = responded === null ? 404 : 200,
      phrase = STATUS_CODES[status] ?? '',
      headers = {},
      body = '',
      afterMs = 0,
    } = typeof responded === 'string' ? { body: responded } : (responded ?? {})
    setTimeout(() => {
      underWay -= 1
      record.endedAt = performance.now()
      response.writeHead(status, phrase, { 'content-type': 'text/html', ...headers })
      response.end(body)
    }, afterMs)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  site.port = (server.address() as AddressInfo).port
  site.origin = `http://127.0.0.1:${site.port}`
  return site
}
