// Answers of handlers as responses.

import { hash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { AppError } from '../../lib/errors.ts'
import { isSchema, type Route, type StreamedResponse } from '../contract/route.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

export interface ConditionalRequest {
  method: string
  ifNoneMatch: string | null
}

/** An answer to a read as it is sent. */
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

/** For tests and development: a handler that breaks the contract fails here and not at its callers. */
export function checkResponse(route: Route, name: string, value: unknown): void {
  if (!isSchema(route.response)) return
  const result = route.response.safeParse(value)
  if (result.success) return
  const told = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
  throw new AppError('INTERNAL', `The answer of ${name} does not fit its schema: ${told}`)
}

export function streamResponse({ type, filename, headers = {}, status = 200, body }: StreamedResponse): Response {
  const all: Record<string, string> = { 'content-type': type, 'cache-control': 'no-store', ...headers }
  if (filename !== null) all['content-disposition'] = `attachment; filename="${filename.replace(/[^\w.-]/g, '_')}"`
  if (typeof body === 'string' || body instanceof Uint8Array) {
    all['content-length'] = String(Buffer.byteLength(body))
    return new Response(Buffer.from(body), { status, headers: all })
  }
  return new Response(toReadableStream(body), { status, headers: all })
}

/**
 * One chunk in each turn of the event loop, of all streams of the process together: quick readers would else have theirs
 * made in one go, while every other request waits.
 */
class EventLoopTurns {
  #last: Promise<void> = Promise.resolve()

  next(): Promise<void> {
    this.#last = this.#last.then(() => turn())
    return this.#last
  }
}

const eventLoopTurns = new EventLoopTurns()

/** Pulled as fast as the reader takes it, and ended when the reader goes. */
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
    // Nothing is begun before it is read: nobody reads the body of an answer to HEAD, or ends it.
    { highWaterMark: 0 },
  )
}

export function matchesEtag(header: string | null, etag: string): boolean {
  if (header === null) return false
  return header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag.slice(2))
}
