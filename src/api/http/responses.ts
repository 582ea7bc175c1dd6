// Converts the results of handlers to HTTP responses.

import { hash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { AppError } from '../../lib/errors.ts'
import { isSchema, type Route, type StreamedResponse } from '../contract/route.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

export interface ConditionalRequest {
  method: string
  ifNoneMatch: string | null
}

/** The encoded body of a read. */
export interface JsonBody {
  body: Buffer
  etag: string
}

export function encodeJson(value: unknown): JsonBody {
  const body = Buffer.from(JSON.stringify(value))
  return { body, etag: `W/"${hash('sha256', body, 'base64url').slice(0, 27)}"` }
}

export function jsonHeaders({ etag }: Pick<JsonBody, 'etag'>) {
  return { 'content-type': JSON_TYPE, 'cache-control': 'no-store', etag }
}

export function jsonResponse(value: unknown, status: number, conditionalRequest: ConditionalRequest): Response {
  if (status === 200 && (conditionalRequest.method === 'GET' || conditionalRequest.method === 'HEAD'))
    return cacheableResponse(encodeJson(value), conditionalRequest)
  const body = JSON.stringify(value)
  const length = String(Buffer.byteLength(body))
  const headers = { 'content-type': JSON_TYPE, 'content-length': length, 'cache-control': 'no-store' }
  return new Response(body, { status, headers })
}

export function cacheableResponse(
  { body, etag }: JsonBody,
  { ifNoneMatch }: Pick<ConditionalRequest, 'ifNoneMatch'>,
): Response {
  if (matchesEtag(ifNoneMatch, etag)) {
    return new Response(null, { status: 304, headers: { etag, 'cache-control': 'no-store' } })
  }
  return new Response(new Uint8Array(body), {
    headers: { ...jsonHeaders({ etag }), 'content-length': String(body.length) },
  })
}

/** Used in tests and development: a handler that breaks the contract fails here and not in its clients. */
export function checkResponse(route: Route, name: string, value: unknown): void {
  if (!isSchema(route.response)) return
  const result = route.response.safeParse(value)
  if (result.success) return
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
  throw new AppError('INTERNAL', `The response of ${name} does not match its schema: ${problems}`)
}

export function streamResponse({ type, filename, headers = {}, status = 200, body }: StreamedResponse): Response {
  const allHeaders: Record<string, string> = { 'content-type': type, 'cache-control': 'no-store', ...headers }
  if (filename !== null)
    allHeaders['content-disposition'] = `attachment; filename="${filename.replace(/[^\w.-]/g, '_')}"`
  if (typeof body === 'string' || body instanceof Uint8Array) {
    allHeaders['content-length'] = String(Buffer.byteLength(body))
    return new Response(Buffer.from(body), { status, headers: allHeaders })
  }
  return new Response(toReadableStream(body), { status, headers: allHeaders })
}

/**
 * Limits all streams of the process together to one chunk per turn of the event loop. Otherwise a fast reader would get
 * its whole stream at once while all other requests wait.
 */
class EventLoopTurns {
  #last: Promise<void> = Promise.resolve()

  next(): Promise<void> {
    this.#last = this.#last.then(() => turn())
    return this.#last
  }
}

const eventLoopTurns = new EventLoopTurns()

/** Pulls chunks at the speed of the reader and stops when the reader disconnects. */
function toReadableStream(chunks: AsyncIterable<string | Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await eventLoopTurns.next()
        const { done, value } = await iterator.next()
        if (done === true) controller.close()
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : new Uint8Array(value))
      },
      async cancel() {
        await iterator.return?.()
      },
    },
    // Starts nothing before the first read: the body of a HEAD response is neither read nor cancelled.
    { highWaterMark: 0 },
  )
}

export function matchesEtag(header: string | null, etag: string): boolean {
  if (header === null) return false
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag.slice(2))
}
