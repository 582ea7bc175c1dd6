// HTTP requests over connections that are reused. Unlike fetch, it sends a stream with a known length, which S3
// requires.

import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export interface HttpRequest {
  method: string
  url: URL
  /** Path and query as signed. */
  target: string
  headers: Record<string, string>
  body: Readable | null
  /** Timeout without a byte in either direction. */
  idleMs: number
}

export interface HttpResponse {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}

const MAX_SOCKETS = 16

// Loaded on demand: importing node:http takes 40 ms of CPU, which processes without object storage should not pay.
const loadHttp = () => process.getBuiltinModule('node:http')
const loadHttps = () => process.getBuiltinModule('node:https')

export class HttpConnections {
  readonly #http = new (loadHttp().Agent)({ keepAlive: true, maxSockets: MAX_SOCKETS })
  readonly #https = new (loadHttps().Agent)({ keepAlive: true, maxSockets: MAX_SOCKETS })

  /** Rejects if no complete response arrives. */
  async send({ method, url, target, headers, body, idleMs }: HttpRequest): Promise<HttpResponse> {
    const isTls = url.protocol === 'https:'
    const options = { method, host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port, path: target, headers }
    const outgoing = isTls
      ? loadHttps().request({ ...options, agent: this.#https })
      : loadHttp().request({ ...options, agent: this.#http })
    outgoing.setTimeout(idleMs, () => outgoing.destroy(new Error(`No data for ${idleMs / 1000} seconds.`)))
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve)
      // Stays: a request that failed may fail again when it is destroyed.
      outgoing.on('error', reject)
    })
    if (body === null) outgoing.end()
    // A response before the end of the body is an error that the server explains; the request error comes second.
    else
      pipeline(body, outgoing).catch((error: unknown) => outgoing.destroy(error instanceof Error ? error : undefined))
    const incoming = await response
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) }
  }

  close(): void {
    this.#http.destroy()
    this.#https.destroy()
  }
}
