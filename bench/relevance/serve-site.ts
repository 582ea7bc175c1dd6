// A web site that a relevance benchmark crawls, and its server on loopback.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SiteResponse {
  type: string
  body: string | Buffer
}

export interface Site {
  /** Name of the site, and of its folder of crawled data. */
  name: string
  /** Changes with the pages, so that data of an older version is not reused. */
  fingerprint: string
  /** The number of URLs that the crawl must visit, sitemaps included; null if only the crawl can tell. */
  urls: number | null
  /** Paths to start from. */
  seeds: string[]
  crawlFlags: string[]
  /** `path` includes the query string; null: not found. */
  respond(path: string, origin: string): SiteResponse | null
}

export async function serveSite(site: Site): Promise<{ origin: string; close(): void }> {
  let origin = ''
  const server = createServer((request, response) => {
    const found = site.respond(request.url ?? '/', origin)
    response.writeHead(found === null ? 404 : 200, { 'content-type': found?.type ?? 'text/plain' })
    response.end(found?.body ?? 'Not found')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { origin, close }
}
