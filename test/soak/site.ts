// The site of the soak test, as a separate process: pages are generated on request and not stored. Every address of
// 127/8 is another host with its own pages. Prints `{"port":N}` and exits when its stdin closes.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type BenchSite, hostOfAddress, makePage } from '../sites/bench-site.ts'

const benchSite = JSON.parse(process.argv[2] ?? '{}') as BenchSite
const server = createServer((request, response) => {
  const path = request.url ?? ''
  const page = path === '/' ? 0 : Number(/^\/articles\/([1-9]\d*)\.html$/.exec(path)?.[1] ?? -1)
  if (page < 0 || page >= benchSite.pagesPerHost) return void response.writeHead(404).end()
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  response.end(makePage(benchSite, hostOfAddress(request.socket.localAddress ?? ''), page))
})
server.listen(0, '0.0.0.0')
await once(server, 'listening')
process.stdin.resume()
process.stdin.once('close', () => process.exit(0))
process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`)
