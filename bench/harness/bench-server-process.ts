// The web server of the benchmarks. It is a separate process with raw sockets and prebuilt responses, so that the
// benchmark measures the crawler and not the server. bench-server.ts starts it. It prints `{"port":N}` and exits when
// its stdin closes.
//   GET /__count  number of page requests, and of distinct pages requested
//   GET /__reset  sets both to zero

import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { type BenchSite, countPages, hostAddress, makePage } from '../../test/sites/bench-site.ts'

/** If `fresh` is above 0, every page lists this many new links instead of the site's links. */
export type ServerOptions = BenchSite & { fresh: number }

const MAX_HEAD = 65_536
const NOT_FOUND = Buffer.from('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')
const NOT_ALLOWED = Buffer.from('HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')

interface Site {
  options: ServerOptions
  responses: Buffer[]
  isRequested: Uint8Array
  counts: { requests: number; distinct: number }
}

function makeResponse(body: string, type = 'text/html; charset=utf-8'): Buffer {
  const length = Buffer.byteLength(body)
  return Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n${body}`)
}

function buildSite(options: ServerOptions): Site {
  const responses: Buffer[] = []
  if (options.fresh === 0) {
    for (let host = 0; host < options.hosts; host++) {
      for (let page = 0; page < options.pagesPerHost; page++)
        responses.push(makeResponse(makePage(options, host, page)))
    }
  }
  return { options, responses, isRequested: new Uint8Array(countPages(options)), counts: { requests: 0, distinct: 0 } }
}

/** The page number of a path, or -1. Only the spelling that pathOf writes is a page. */
function pageAt(path: string, pages: number): number {
  if (path === '/') return 0
  if (!path.startsWith('/articles/') || !path.endsWith('.html')) return -1
  const digits = path.slice(10, -5)
  const page = Number(digits)
  return page > 0 && page < pages && String(page) === digits ? page : -1
}

function respondTo(site: Site, host: number, path: string): Buffer {
  const { options, counts } = site
  if (path.startsWith('/__')) {
    if (path === '/__reset') {
      site.isRequested.fill(0)
      counts.requests = counts.distinct = 0
    }
    return makeResponse(JSON.stringify(counts), 'application/json')
  }
  const page = pageAt(path, options.fresh > 0 ? Number.MAX_SAFE_INTEGER : options.pagesPerHost)
  if (page < 0) return NOT_FOUND
  counts.requests++
  if (options.fresh > 0) return makeResponse(makeFreshPage(page, options.fresh))
  const index = host * options.pagesPerHost + page
  if (site.isRequested[index] === 0) {
    site.isRequested[index] = 1
    counts.distinct++
  }
  return site.responses[index] ?? NOT_FOUND
}

function makeFreshPage(page: number, links: number): string {
  let body = `<!doctype html>\n<title>Page ${page}</title>\n`
  for (let to = page * links + 1; to <= page * links + links; to++) body += `<a href="/articles/${to}.html">${to}</a>\n`
  return body
}

function serveSocket(socket: Socket, site: Site, host: number): void {
  let pending = ''
  socket.setNoDelay(true)
  // A crawler that is killed resets its sockets, which is expected.
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    const text = pending + chunk.toString('latin1')
    let start = 0
    for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n', start)) {
      handleRequest(socket, site, { host, head: text.slice(start, end + 2) })
      start = end + 4
    }
    pending = text.slice(start)
    if (pending.length > MAX_HEAD) socket.destroy()
  })
}

function handleRequest(socket: Socket, site: Site, { host, head }: { host: number; head: string }): void {
  const isGet = head.startsWith('GET ')
  if (!isGet && !head.startsWith('HEAD ')) {
    socket.end(NOT_ALLOWED)
    return
  }
  const start = isGet ? 4 : 5
  const response = respondTo(site, host, head.slice(start, head.indexOf(' ', start)))
  socket.write(isGet ? response : response.subarray(0, response.indexOf('\r\n\r\n') + 4))
  if (head.includes('close') && /^connection: *close\r$/im.test(head)) socket.end()
}

async function listen(site: Site): Promise<number> {
  // Takes a free port of the first address; if it is taken on a later address, starts over with another.
  for (let attempt = 0; attempt < 20; attempt++) {
    const servers: Server[] = []
    let port = 0
    try {
      for (let host = 0; host < site.options.hosts; host++) {
        const server = createServer((socket) => serveSocket(socket, site, host))
        servers.push(server)
        server.listen({ host: hostAddress(host), port, backlog: 1024 })
        await once(server, 'listening')
        port = (server.address() as AddressInfo).port
      }
      return port
    } catch (error) {
      for (const server of servers) server.close()
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
  throw new Error('No port is free on all addresses.')
}

process.stdin.resume()
process.stdin.once('close', () => process.exit(0))
const port = await listen(buildSite(JSON.parse(process.argv[2] ?? '{}') as ServerOptions))
process.stdout.write(`${JSON.stringify({ port })}\n`)
