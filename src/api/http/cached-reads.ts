// Serves reads from the response cache without passing through Hono: the same guard, headers and bytes at a tenth of the
// cost. Everything unusual is left to the app.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { RequestGuard } from '../auth/request-guard.ts'
import { DATA_SECURITY_HEADERS } from '../auth/security-headers.ts'
import { PATHS } from '../contract/paths.ts'
import type { RequestMetrics } from '../system/request-metrics.ts'
import { acceptsGzip, compressBody, MIN_COMPRESSED_BYTES } from './compression.ts'
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

export function serveCachedReads(dependencies: CachedReadDependencies, app: RequestListener): RequestListener {
  const compressedBodies = new WeakMap<JsonBody, Promise<Buffer>>()
  const compressOnce = (json: JsonBody): Promise<Buffer> => {
    const compressed = compressedBodies.get(json) ?? compressBody(json.body)
    compressedBodies.set(json, compressed)
    return compressed
  }
  return (request, response) => {
    const cached = isPlainRead(request) ? dependencies.responseCache.find(request.url ?? '') : null
    if (cached === null) return app(request, response)
    const sent = send(request, response, cached).catch(() => false)
    // On failure the app repeats the request and reports the error. The guard counts a request only once.
    void sent.then((isDone) => isDone || app(request, response))
  }

  async function send(request: IncomingMessage, response: ServerResponse, cached: CachedResponse): Promise<boolean> {
    const { guard, requestMetrics, clock, log } = dependencies
    const startedAt = clock.now()
    const authResult = await guard.authorise(request, accessFor(cached.name))
    const json = await cached.json
    const { headers } = request
    const requestId = validRequestId(headers['x-request-id']) ?? randomUUID()
    const common = { ...jsonHeaders(json), ...DATA_SECURITY_HEADERS, 'x-request-id': requestId }
    const isUnchanged = matchesEtag(headers['if-none-match'] ?? null, json.etag)
    const isLong = json.body.length >= MIN_COMPRESSED_BYTES
    const isCompressed = isLong && !isUnchanged && headers['accept-encoding'] !== undefined
    const body = isCompressed ? await compressOnce(json) : json.body
    if (isUnchanged) {
      const { 'content-type': _type, ...rest } = common
      response.writeHead(304, rest).end()
    } else {
      const length = { 'content-length': body.length, ...(isLong ? { vary: 'Accept-Encoding' } : {}) }
      response
        .writeHead(200, { ...common, ...length, ...(isCompressed ? { 'content-encoding': 'gzip' } : {}) })
        .end(body)
    }
    const [route, ms, status] = [PATHS[cached.name], clock.now() - startedAt, isUnchanged ? 304 : 200]
    requestMetrics.add({ route, status, ms })
    const client = { token_id: authResult.tokenId, client: authResult.address }
    log.debug('request', {
      method: 'GET',
      path: route.replace('GET ', ''),
      status,
      ms,
      request_id: requestId,
      ...client,
    })
    return true
  }
}

function isPlainRead({ method, headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': coding, 'accept-encoding': accepted } = headers
  const isBare = method === 'GET' && coding === undefined && (length === undefined || length === '0')
  return isBare && (accepted === undefined || acceptsGzip(accepted))
}
