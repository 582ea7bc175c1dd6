// Serves site models from this process, each on its own loopback address, all on the same port.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeReference } from './link-spelling.ts'
import { renderContent } from './render-content.ts'
import { RequestLog } from './request-log.ts'
import { ERROR_STATUS, type ServedSite, type Site, type SiteNode } from './site-model.ts'

export interface ServedSites {
  sites: ServedSite[]
  log: RequestLog
  close(): Promise<void>
}

export interface ServeOptions {
  /** One address per site; by default 127.0.0.1, then 127.0.1.1, 127.0.1.2 and so on. */
  addresses?: string[]
  /** The name by which crawlers reach the only site, if it is not its address. */
  hostname?: string
  /** A free port is used if it is omitted or taken. */
  port?: number
}

export async function serveSites(sites: Site[], options: ServeOptions = {}): Promise<ServedSites> {
  const addresses = options.addresses ?? sites.map((_, i) => (i === 0 ? '127.0.0.1' : `127.0.1.${i}`))
  if (addresses.length !== sites.length) throw new RangeError('each site needs its own address')
  const log = new RequestLog()
  const servers = sites.map(() => createServer())
  await listenOnOnePort(servers, addresses, options.port ?? 0)
  const servedSites = sites.map((site, i) => {
    const origin = `http://${options.hostname ?? addresses[i]}:${portOf(servers[0])}`
    return { site, origin }
  })
  for (const [i, server] of servers.entries()) {
    const servedSite = servedSites[i]
    if (servedSite !== undefined) server.on('request', createListener(servedSite, log))
  }
  return {
    sites: servedSites,
    log,
    async close() {
      await Promise.all(servers.map((server) => closeServer(server)))
    },
  }
}

async function listenOnOnePort(servers: Server[], addresses: string[], preferredPort: number): Promise<void> {
  // The first address determines the port. If another program has that port on a later address, all start over.
  for (let attempt = 0; attempt < 20; attempt++) {
    let port = attempt === 0 ? preferredPort : 0
    try {
      for (const [i, server] of servers.entries()) {
        server.listen({ host: addresses[i], port, exclusive: true })
        await once(server, 'listening')
        port = portOf(server)
      }
      return
    } catch (error) {
      await Promise.all(servers.map((server) => closeServer(server)))
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
  throw new Error('no port was free on all addresses')
}

function portOf(server: Server | undefined): number {
  return (server?.address() as AddressInfo | null)?.port ?? 0
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

function createListener({ site, origin }: ServedSite, log: RequestLog): Listener {
  const host = origin.slice('http://'.length)
  return (request, response) => {
    const path = request.url ?? '/'
    const end = log.begin(host, path)
    response.once('close', end)
    const node = site.nodes.get(path)
    if (node === undefined) {
      send(response, 404, '<p>Nothing here. <a href="/never/0">Never</a></p>')
      return
    }
    sendNode(node, { request, response, origin, priorRequests: log.count(host, path) - 1 })
  }
}

interface NodeRequest {
  request: IncomingMessage
  response: ServerResponse
  origin: string
  /** Number of earlier requests for this URL. */
  priorRequests: number
}

function sendNode(node: SiteNode, { request, response, origin, priorRequests }: NodeRequest): void {
  switch (node.kind) {
    case 'page':
      send(response, 200, renderContent(node.content, origin))
      return
    case 'slow': {
      const timer = setTimeout(() => send(response, 200, renderContent(node.content, origin)), node.delayMs)
      response.once('close', () => clearTimeout(timer))
      return
    }
    case 'flaky':
      if (priorRequests >= node.failures) {
        send(response, 200, renderContent(node.content, origin))
        return
      }
      if (node.retryAfter !== null) response.setHeader('retry-after', node.retryAfter)
      send(response, node.status, '<p>Not now. <a href="/never/1">Never</a></p>')
      return
    case 'redirect':
      response.setHeader('location', writeReference(node.to, origin))
      send(response, node.status, '<p>Moved. <a href="/never/2">Never</a></p>')
      return
    case 'document':
      response.setHeader('content-type', 'application/pdf')
      response.end(documentBytes(node.bytes))
      return
    case 'reset':
      request.socket.destroy()
      return
    default:
      send(response, ERROR_STATUS[node.kind], renderContent(node.content, origin))
  }
}

function send(response: ServerResponse, status: number, body: string): void {
  response.statusCode = status
  if (!response.hasHeader('content-type')) response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(body)
}

/** A PDF with markup inside that must not be followed. */
export function documentBytes(bytes: number): Buffer {
  return Buffer.from('%PDF-1.7\n<a href="/never/in-a-document">x</a>\n'.padEnd(bytes, '.'), 'latin1')
}
