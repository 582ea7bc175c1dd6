// A site with every known attack on a crawler, one path each, and thirty good pages that link to all of them. The
// expected outcome of every URL is known. Attacks that look like a dead host have their own host (another port of
// loopback), since a crawler may suspend such a host.

import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BROKEN_RESPONSES } from './broken-responses.ts'
import { COMPRESSION_BOMBS } from './compression-bombs.ts'
import { DIFFICULT_PAGES } from './difficult-pages.ts'
import type { HostilePaths } from './hostile-responses.ts'
import { isBeyondRedirectLimit, isChainStart, REDIRECTS } from './redirects.ts'
import { SLOW_RESPONSES } from './slow-responses.ts'
import { makeTlsHosts } from './tls-hosts.ts'

const GOOD_PAGES = 30
const MAIN_HOST_PATHS: HostilePaths = { ...COMPRESSION_BOMBS, ...REDIRECTS, ...DIFFICULT_PAGES }
const OWN_HOST_PATHS: HostilePaths = { ...SLOW_RESPONSES, ...BROKEN_RESPONSES }

export interface HostileSite {
  /** Links to everything but the other seeds. */
  home: string
  /** Hosts that attack before there is a page. */
  otherSeeds: string[]
  /** State and reason of each URL, as in "failed too_slow". No other URLs should be found. */
  expected: Map<string, string>
  goodUrls: string[]
  close(): Promise<void>
}

export async function serveHostileSite(): Promise<HostileSite> {
  const entrances: string[] = []
  const home = createServer(({ url = '' }, response) => respondOnMainHost(url, response, entrances))
  const apart = Object.entries(OWN_HOST_PATHS).map(([path, [outcome, respond]]) => {
    const server = createServer(({ url }, response) => (url === path ? respond(response) : notFound(response)))
    return { path, outcome, server }
  })
  const tls = makeTlsHosts()
  const servers: Server[] = [home, ...apart.map(({ server }) => server), ...tls.map(({ server }) => server)]
  await Promise.all(servers.map(open))

  const goodUrls = goodPaths().map((path) => urlAt(home, path))
  const homeTraps = Object.entries(MAIN_HOST_PATHS).filter(([path]) => !isBeyondRedirectLimit(path))
  const traps = [
    ...homeTraps.map(([path, [outcome]]) => [urlAt(home, path), outcome] as const),
    ...apart.map(({ path, outcome, server }) => [urlAt(server, path), outcome] as const),
  ]
  entrances.push(...traps.map(([url]) => url).filter(isChainStart))
  const others = [
    ...tls.map(({ hostname, outcome, server }) => [`https://${hostname}:${portOf(server)}/`, outcome] as const),
    [`https://127.0.0.1:${portOf(home)}/`, 'failed tls_invalid'] as const,
  ]
  return {
    home: urlAt(home, '/'),
    otherSeeds: others.map(([url]) => url),
    expected: new Map([...goodUrls.map((url) => [url, 'visited'] as const), ...traps, ...others]),
    goodUrls,
    async close() {
      for (const server of servers) server.closeAllConnections()
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}

async function open(server: Server): Promise<void> {
  // Connection errors caused by the client are expected.
  server.on('connection', (socket) => socket.on('error', () => socket.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}

function respondOnMainHost(path: string, response: ServerResponse, entrances: string[]): void {
  const trap = MAIN_HOST_PATHS[path]
  if (trap !== undefined) return trap[1](response)
  const number = goodPaths().indexOf(path)
  if (number === -1) return notFound(response)
  // Each good page links to the others, and to its share of the attacks.
  const share = entrances.filter((_, i) => i % GOOD_PAGES === number)
  const links = [...goodPaths(), ...share].map((href) => `<a href="${href}">${href}</a>`)
  response.writeHead(200, { 'Content-Type': 'text/html' })
  response.end(`<title>Good page ${number}</title>${links.join('\n')}`)
}

function notFound(response: ServerResponse): void {
  response.writeHead(404).end()
}

function goodPaths(): string[] {
  return Array.from({ length: GOOD_PAGES }, (_, i) => (i === 0 ? '/' : `/good/${i}`))
}

function urlAt(server: Server, path: string): string {
  return `http://127.0.0.1:${portOf(server)}${path}`
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
