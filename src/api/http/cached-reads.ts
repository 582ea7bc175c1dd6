// Reads whose answer is there are answered past the app: the same guard, headers and bytes, a tenth of the work. Whatever
// is out of the ordinary is left to the app.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { RequestGuard } from '../auth/request-guard.ts'
import { DATA_SECURITY_HEADERS } from '../auth/security-headers.ts'
import { PATHS } from '../contract/paths.ts'
import type { RequestMetrics } from '../system/request-metrics.ts'
import { accessFor, validRequestId } from './request-context.ts'
import type { CachedResponse, ResponseCache } from './response-cache.ts'
import { type JsonBody, jsonHeaders, matchesEtag } from './responses.ts'

export interface CachedReadDependencies {
  responseCache: ResponseCache
  guard: RequestGuard
  requestMetrics: RequestMetrics
  clock: Clock
  log: Log
}

/** As the app has it. */
const MIN_COMPRESSED_BYTES = 1024
const compress = promisify(gzip)

export function serveCachedReads(parts: CachedReadDependencies, app: RequestListener): RequestListener {
  const packed = new WeakMap<JsonBody, Promise<Buffer>>()
  const packedOf = (answer: JsonBody): Promise<Buffer> => {
    const known = packed.get(answer) ?? compress(answer.body)
    packed.set(answer, known)
    return known
  }
  return (request, response) => {
    const known = isPlainRead(request) ? parts.responseCache.find(request.url ?? '') : null
    if (known === null) return app(request, response)
    const answered = answer(request, response, known).catch(() => false)
    // The guard counts a request once; the app says why it is refused, or why there is no answer.
    void answered.then((isDone) => isDone || app(request, response))
  }

  async function answer(request: IncomingMessage, response: ServerResponse, known: CachedResponse): Promise<boolean> {
    const { guard, requestMetrics, clock, log } = parts
    const startedAt = clock.now()
    const authResult = await guard.authorise(request, accessFor(known.name))
    const made = await known.json
    const { headers } = request
    const requestId = validRequestId(headers['x-request-id']) ?? randomUUID()
    const common = { ...jsonHeaders(made), ...DATA_SECURITY_HEADERS, 'x-request-id': requestId }
    const isSame = matchesEtag(headers['if-none-match'] ?? null, made.etag)
    const isLong = made.body.length >= MIN_COMPRESSED_BYTES
    const isPacked = isLong && !isSame && headers['accept-encoding'] !== undefined
    const body = isPacked ? await packedOf(made) : made.body
    if (isSame) {
      const { 'content-type': _type, ...rest } = common
      response.writeHead(304, rest).end()
    } else {
      const length = { 'content-length': body.length, ...(isLong ? { vary: 'Accept-Encoding' } : {}) }
      response.writeHead(200, { ...common, ...length, ...(isPacked ? { 'content-encoding': 'gzip' } : {}) }).end(body)
    }
    const [route, ms, status] = [PATHS[known.name], clock.now() - startedAt, isSame ? 304 : 200]
    requestMetrics.add({ route, status, ms })
    const sentBy = { token_id: authResult.tokenId, client: authResult.address }
    log.debug('request', { method: 'GET', path: route, status, ms, request_id: requestId, ...sentBy })
    return true
  }
}

function isPlainRead({ method, headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': coding, 'accept-encoding': accepted } = headers
  const isBare = method === 'GET' && coding === undefined && (length === undefined || length === '0')
  return isBare && (accepted === undefined || /(^|,)\s*gzip\s*(,|$)/.test(accepted))
}
