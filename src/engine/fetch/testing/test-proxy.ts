// Proxies on loopback for tests: HTTP (CONNECT and absolute form), also over TLS, and SOCKS5. Both log the requested
// targets. All names lead to loopback.

import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { openSite } from './test-client.ts'

export interface TestProxy {
  port: number
  /** Targets in the order in which they were requested, such as "CONNECT a.test:443" or "GET http://a.test/". */
  requests: string[]
  connections(): number
}

export interface HttpProxyOptions {
  /** Value of Proxy-Authorization; other requests get a 407. */
  authorization?: string
  tls?: { key: string; cert: string }
  /** Answers CONNECT with this status instead. */
  connectStatus?: number
}

export async function serveHttpProxy(t: TestContext, options: HttpProxyOptions = {}): Promise<TestProxy> {
  const requests: string[] = []
  const isAllowed = ({ headers }: IncomingMessage) =>
    options.authorization === undefined || headers['proxy-authorization'] === options.authorization
  const forward = (incoming: IncomingMessage, response: ServerResponse): void => {
    const { method, url = '', headers } = incoming
    requests.push(`${method} ${url}`)
    if (!isAllowed(incoming)) return void response.writeHead(407, { 'proxy-authenticate': 'Basic' }).end()
    const { port, pathname, search } = new URL(url)
    const { 'proxy-authorization': _, ...rest } = headers
    const outgoing = request({ host: '127.0.0.1', port, path: pathname + search, headers: rest }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(response)
    })
    outgoing.on('error', () => response.writeHead(502).end())
    outgoing.end()
  }
  const server: Server =
    options.tls === undefined ? createServer(forward) : (createSecureServer(options.tls, forward) as unknown as Server)
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    requests.push(`CONNECT ${incoming.url}`)
    const status = isAllowed(incoming) ? (options.connectStatus ?? 200) : 407
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\n\r\n`)
    join(socket, Number(incoming.url?.split(':').at(-1)), () => socket.write('HTTP/1.1 200 Connected\r\n\r\n'))
  })
  const { port, connections } = await openSite(t, server)
  return { port, requests, connections }
}

/** `password`: "user:password". */
export async function serveSocksProxy(
  t: TestContext,
  { password, reply = 0 }: { password?: string; reply?: number } = {},
): Promise<TestProxy> {
  const requests: string[] = []
  const server = createTcpServer((socket) => {
    let step: 'methods' | 'password' | 'request' = 'methods'
    const onData = (bytes: Buffer): void => {
      if (step === 'methods') {
        const method = password === undefined ? 0 : bytes.subarray(2).includes(2) ? 2 : 255
        step = password === undefined ? 'request' : 'password'
        socket.write(Buffer.from([5, method]))
      } else if (step === 'password') {
        const userLength = bytes[1] ?? 0
        const given = `${bytes.subarray(2, 2 + userLength)}:${bytes.subarray(3 + userLength)}`
        step = 'request'
        socket.write(Buffer.from([1, given === password ? 0 : 1]))
      } else {
        socket.off('data', onData)
        const host =
          bytes[3] === 1 ? bytes.subarray(4, 8).join('.') : bytes[3] === 4 ? 'v6' : bytes.subarray(5, -2).toString()
        const port = bytes.readUInt16BE(bytes.length - 2)
        requests.push(`${host}:${port}`)
        const answer = Buffer.from([5, reply, 0, 1, 127, 0, 0, 1, 0, 0])
        if (reply !== 0) return void socket.end(answer)
        join(socket, port, () => socket.write(answer))
      }
    }
    socket.on('data', onData)
  })
  const { port, connections } = await openSite(t, server)
  return { port, requests, connections }
}

function join(socket: Socket, port: number, onConnected: () => void): void {
  const target = connect(port, '127.0.0.1', () => {
    onConnected()
    socket.pipe(target).pipe(socket)
  })
  target.on('error', () => socket.destroy()).on('close', () => socket.destroy())
  socket.on('error', () => target.destroy()).on('close', () => target.destroy())
}
