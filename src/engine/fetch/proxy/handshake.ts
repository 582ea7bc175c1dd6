// Asks a proxy for a tunnel to a target: CONNECT (RFC 9110, section 9.3.6) or SOCKS5 (RFC 1928 and 1929).
//
// Codes that start with PROXY_ are failures of the proxy, except PROXY_REFUSED: it works but does not serve this
// target. The other codes are those of a failed connection to the target.

import type { Socket } from 'node:net'
import type { ProxyServer } from '../../../config/values/proxy-entry.ts'
import { ipVersion } from '../../../lib/ip-version.ts'
import { CodedError } from '../fetch-result.ts'

export interface TunnelTarget {
  /** A name, or an address without brackets. */
  host: string
  port: number
}

const MAX_HEAD_BYTES = 16 * 1024

/** When the promise resolves, the socket is paused and carries nothing but the tunnel. */
export async function openTunnel(socket: Socket, server: ProxyServer, target: TunnelTarget): Promise<void> {
  const replies = new ReplyReader(socket)
  try {
    if (server.scheme === 'http' || server.scheme === 'https') await requestConnect(socket, replies, server, target)
    else await requestSocks(socket, replies, server, target)
    replies.end()
  } finally {
    replies.stop()
  }
}

export function basicCredentials({ user, password }: { user: string; password: string }): string {
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`
}

async function requestConnect(
  socket: Socket,
  replies: ReplyReader,
  { credentials }: ProxyServer,
  { host, port }: TunnelTarget,
): Promise<void> {
  const authority = `${ipVersion(host) === 6 ? `[${host}]` : host}:${port}`
  const authorization = credentials === null ? '' : `proxy-authorization: ${basicCredentials(credentials)}\r\n`
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${authorization}\r\n`, 'latin1')
  const head = await replies.take((bytes) => {
    const end = bytes.indexOf('\r\n\r\n')
    if (end === -1 && bytes.length > MAX_HEAD_BYTES) throw new CodedError('PROXY_HTTP_INVALID')
    return end === -1 ? null : end + 4
  })
  const status = Number(/^HTTP\/1\.[01] (\d{3})(?!\d)/.exec(head.toString('latin1'))?.[1] ?? 0)
  if (status >= 200 && status < 300) return
  throw new CodedError(connectCode(status))
}

/** Proxies answer 502 or 503 if the target refuses or has no address, and 504 if it does not answer. */
function connectCode(status: number): string {
  if (status === 0) return 'PROXY_HTTP_INVALID'
  // tinyproxy answers 401 to a wrong password.
  if (status === 407 || status === 401) return 'PROXY_AUTH_FAILED'
  if (status === 504) return 'ETIMEDOUT'
  return status >= 500 ? 'ECONNREFUSED' : 'PROXY_REFUSED'
}

const SOCKS_CODES: Record<number, string> = {
  1: 'ECONNREFUSED',
  2: 'PROXY_REFUSED',
  3: 'ENETUNREACH',
  4: 'EHOSTUNREACH',
  5: 'ECONNREFUSED',
  6: 'ETIMEDOUT',
  7: 'PROXY_SOCKS_UNSUPPORTED',
  // The address type is not supported: for example IPv6, with a proxy that has only IPv4.
  8: 'PROXY_REFUSED',
}
const NO_AUTHENTICATION = 0
const BY_PASSWORD = 2

async function requestSocks(
  socket: Socket,
  replies: ReplyReader,
  { credentials }: ProxyServer,
  target: TunnelTarget,
): Promise<void> {
  const methods = credentials === null ? [NO_AUTHENTICATION] : [NO_AUTHENTICATION, BY_PASSWORD]
  socket.write(Buffer.from([5, methods.length, ...methods]))
  const [version, method] = await replies.take(() => 2)
  if (version !== 5) throw new CodedError('PROXY_SOCKS_INVALID')
  if (method === BY_PASSWORD && credentials !== null) {
    const { user, password } = credentials
    socket.write(Buffer.concat([Buffer.from([1]), withLength(user), withLength(password)]))
    const [, status] = await replies.take(() => 2)
    if (status !== 0) throw new CodedError('PROXY_AUTH_FAILED')
  } else if (method !== NO_AUTHENTICATION) throw new CodedError('PROXY_AUTH_FAILED')
  const port = Buffer.from([target.port >> 8, target.port & 255])
  socket.write(Buffer.concat([Buffer.from([5, 1, 0]), socksAddress(target.host), port]))
  const reply = await replies.take((bytes) => socksReplyLength(bytes))
  const code = reply[1] ?? 0
  if (code !== 0) throw new CodedError(SOCKS_CODES[code] ?? 'EHOSTUNREACH')
}

function withLength(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8')
  return Buffer.concat([Buffer.from([bytes.length]), bytes])
}

function socksAddress(host: string): Buffer {
  switch (ipVersion(host)) {
    case 4:
      return Buffer.from([1, ...host.split('.').map(Number)])
    case 6:
      return Buffer.from([4, ...ipv6Bytes(host)])
    default:
      return Buffer.concat([Buffer.from([3]), withLength(host)])
  }
}

function ipv6Bytes(address: string): number[] {
  // The URL parser writes every spelling as groups of hexadecimal digits.
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  const [first, last] = [groups(head), groups(tail ?? '')]
  const all = [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
  return all.flatMap((group) => [group >> 8, group & 255])
}

/** Null while the length is unknown. */
function socksReplyLength(bytes: Buffer): number | null {
  if (bytes.length < 2) return null
  if (bytes[0] !== 5) throw new CodedError('PROXY_SOCKS_INVALID')
  // A refusal needs no address, and some proxies send none.
  if (bytes[1] !== 0) return bytes.length
  const [, , , type, nameLength] = bytes
  if (type === undefined || nameLength === undefined) return null
  if (type === 1) return 10
  if (type === 4) return 22
  return 7 + nameLength
}

/** Reads replies of known length from a socket, and nothing beyond them. */
class ReplyReader {
  readonly #socket: Socket
  #bytes = Buffer.alloc(0)
  #failure: Error | null = null
  #wake: () => void = () => undefined
  readonly #onData = (chunk: Buffer): void => {
    this.#bytes = Buffer.concat([this.#bytes, chunk])
    this.#wake()
  }
  readonly #onClose = (): void => {
    this.#failure = new CodedError('PROXY_CONNECTION_CLOSED')
    this.#wake()
  }

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', this.#onData).on('end', this.#onClose).on('close', this.#onClose)
  }

  /** `lengthOf` returns the length of the reply, or null while more bytes are needed to tell. */
  async take(lengthOf: (bytes: Buffer) => number | null): Promise<Buffer> {
    for (;;) {
      const length = this.#bytes.length === 0 ? null : lengthOf(this.#bytes)
      if (length !== null && this.#bytes.length >= length) {
        const reply = this.#bytes.subarray(0, length)
        this.#bytes = this.#bytes.subarray(length)
        return reply
      }
      if (this.#failure !== null) throw this.#failure
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  /** Web servers never speak first, so what follows is not from the target. */
  end(): void {
    this.#socket.pause()
    if (this.#bytes.length > 0) throw new CodedError('PROXY_HTTP_INVALID')
  }

  stop(): void {
    this.#socket.off('data', this.#onData).off('end', this.#onClose).off('close', this.#onClose)
  }
}
