// HTTP/2 servers on loopback for tests: a real server, and one that sends raw frames.

import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import type { TestContext } from 'node:test'
import { createServer, type TLSSocket } from 'node:tls'
import { FLAG, FRAME, frame, HEAD_BYTES } from '../h2/frames.ts'
import { KEY, TRUSTED } from './certificates.ts'
import { openSite, type Site } from './test-client.ts'

type Listener = (request: Http2ServerRequest, response: Http2ServerResponse) => void

/** The server also accepts HTTP/1.1. */
export async function serveH2(t: TestContext, listener: Listener): Promise<Site> {
  const server = createSecureServer({ key: KEY, cert: TRUSTED, allowHTTP1: true }, listener)
  return overTls(await openSite(t, server))
}

/**
 * Replies to the first request of each connection with `answer`; a connection that negotiates HTTP/1.1 gets `plain`.
 */
export async function serveFrames(
  t: TestContext,
  answer: (send: (...frames: Buffer[]) => void, stream: number, socket: TLSSocket) => void,
  plain = '',
): Promise<Site> {
  const server = createServer({ key: KEY, cert: TRUSTED, ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => {
    socket.on('error', () => undefined)
    if (socket.alpnProtocol !== 'h2') {
      socket.on('data', () => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${plain.length}\r\n\r\n${plain}`))
      return
    }
    let received = Buffer.alloc(0)
    socket.on('data', (data: Buffer) => {
      received = Buffer.concat([received, data])
      const [stream] = requestsIn(received, PREFACE_BYTES)
      if (stream === undefined) return
      socket.removeAllListeners('data').resume()
      answer((...frames) => socket.write(Buffer.concat([SETTINGS, ...frames])), stream, socket)
    })
  })
  return overTls(await openSite(t, server))
}

function overTls(site: Site): Site {
  return { ...site, origin: `https://localhost:${site.port}` }
}

const PREFACE_BYTES = 24

/** Stream ids of the requests in these whole frames. */
export function requestsIn(frames: Buffer, from = 0): number[] {
  const streams: number[] = []
  let at = from
  while (at + HEAD_BYTES <= frames.length) {
    const length = frames.readUIntBE(at, 3)
    if (frames[at + 3] === 1 && at + HEAD_BYTES + length <= frames.length) streams.push(frames.readUInt32BE(at + 5))
    at += HEAD_BYTES + length
  }
  return streams
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const SETTINGS = frame({ type: FRAME.settings, flags: 0, stream: 0 }, Buffer.alloc(0))
/** ":status: 200" in the static table of HPACK. */
export const STATUS_200 = 0x88

export const headers = (stream: number, block: number[] | Buffer, flags = FLAG.endHeaders as number) =>
  frame({ type: FRAME.headers, flags, stream }, Buffer.from(block))
export const continuation = (stream: number, block: number[] | Buffer, flags = 0) =>
  frame({ type: FRAME.continuation, flags, stream }, Buffer.from(block))
export const okHeaders = (stream: number) => headers(stream, [STATUS_200])
export const data = (stream: number, text: string, isLast = false) =>
  frame({ type: FRAME.data, flags: isLast ? FLAG.endStream : 0, stream }, Buffer.from(text))
export const reset = (stream: number, code: number) => frame({ type: FRAME.reset, flags: 0, stream }, number(code))
export const goAway = (lastStream: number) =>
  frame({ type: FRAME.goAway, flags: 0, stream: 0 }, Buffer.concat([number(lastStream), number(0)]))
/** A DATA frame on a stream that was never opened. */
export const breach = () => data(99, 'x')
