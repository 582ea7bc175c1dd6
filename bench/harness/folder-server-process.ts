// Serves the files of a folder from memory, once per copy, over HTTP or over HTTPS with gzip and HTTP/2; / links to the
// first page of every copy. folder-server.ts starts it and sends `take`: it responds with the numbers of requests and
// of distinct paths since the last time.

import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createSecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { extname, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { KEY, TRUSTED } from '../../src/engine/fetch/testing/certificates.ts'

export interface FolderServerOptions {
  folder: string
  copies: number
  https: boolean
}

interface ServedFile {
  body: Buffer
  headers: Record<string, string>
}

/** A request of HTTP/1.1 or HTTP/2. */
interface AnyRequest {
  url?: string | undefined
  method?: string | undefined
}

interface AnyResponse {
  writeHead(status: number, headers: Record<string, string>): unknown
  end(body: Buffer): unknown
}

const NOTHING = Buffer.alloc(0)

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.htm': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.jpg': 'image/jpeg',
}

function readFiles({ folder, https }: FolderServerOptions): Map<string, ServedFile> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return new Map(files.map((file) => [relative(folder, file), serve(readFileSync(file), extname(file), https)]))
}

function serve(content: Buffer, extension: string, isZipped: boolean): ServedFile {
  const type = TYPES[extension] ?? 'application/octet-stream'
  const isText = isZipped && !/octet|png|gif|jpeg/.test(type)
  const body = isText ? gzipSync(content, { level: 6 }) : content
  const encoding: Record<string, string> = isText ? { 'content-encoding': 'gzip' } : {}
  return { body, headers: { 'content-type': type, 'content-length': String(body.length), ...encoding } }
}

const options = JSON.parse(process.argv[2] ?? '{}') as FolderServerOptions
const files = readFiles(options)
const start = Array.from({ length: options.copies }, (_, copy) => `<a href="/${copy}/index.html">copy ${copy}</a>`)
const startPage = serve(Buffer.from(`<!doctype html><title>Copies</title>${start.join('\n')}`), '.html', options.https)
let requests = 0
const paths = new Set<string>()

function find(path: string): ServedFile | undefined {
  if (path === '/') return startPage
  const [, copy = '', file = ''] = /^\/(\d+)\/([^?]*)/.exec(path) ?? []
  return Number(copy) < options.copies ? files.get(decodeURI(file)) : undefined
}

function respond(request: AnyRequest, response: AnyResponse): void {
  const path = request.url ?? '/'
  requests += 1
  paths.add(path)
  const file = find(path)
  response.writeHead(file === undefined ? 404 : 200, file?.headers ?? { 'content-length': '0' })
  response.end(request.method === 'HEAD' || file === undefined ? NOTHING : file.body)
}

process.on('message', () => {
  process.send?.({ requests, distinct: paths.size })
  requests = 0
  paths.clear()
})
process.once('disconnect', () => process.exit(0))
const server = options.https
  ? createSecureServer({ key: KEY, cert: TRUSTED, allowHTTP1: true }, respond)
  : createServer(respond)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.send?.({ port: (server.address() as AddressInfo).port })
