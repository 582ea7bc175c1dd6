// Reads whose answer is there are answered past the app: the same guard, headers and bytes, a tenth of the work. Whatever
// is out of the ordinary is left to the app.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { type JsonBytes, matchesEtag, readHeaders } from './answers/answer.ts'
import type { SharedAnswer, SharedAnswers } from './answers/shared.ts'
import { PATHS } from './contract/paths.ts'
import { needOf, saneRequestId } from './env.ts'
import type { RequestFigures } from './figures.ts'
import type { Guard } from './guard/guard.ts'
import { SAFE_DATA_HEADERS } from './guard/headers.ts'

export interface QuickParts {
  shared: SharedAnswers
  guard: Guard
  figures: RequestFigures
  clock: Clock
  log: Log
}

/** As the app has it. */
const PACKED_FROM_BYTES = 1024
const pack = promisify(gzip)

export function quickReads(parts: QuickParts, app: RequestListener): RequestListener {
  const packed = new WeakMap<JsonBytes, Promise<Buffer>>()
  const packedOf = (answer: JsonBytes): Promise<Buffer> => {
    const known = packed.get(answer) ?? pack(answer.body)
    packed.set(answer, known)
    return known
  }
  return (request, response) => {
    const known = isPlainRead(request) ? parts.shared.find(request.url ?? '') : null
    if (known === null) return app(request, response)
    const answered = answer(request, response, known).catch(() => false)
    // The guard counts a request once; the app says why it is refused, or why there is no answer.
    void answered.then((isDone) => isDone || app(request, response))
  }

  async function answer(request: IncomingMessage, response: ServerResponse, known: SharedAnswer): Promise<boolean> {
    const { guard, figures, clock, log } = parts
    const startedAt = clock.now()
    const pass = await guard.authorise(request, needOf(known.name))
    const made = await known.made
    const { headers } = request
    const requestId = saneRequestId(headers['x-request-id']) ?? randomUUID()
    const common = { ...readHeaders(made), ...SAFE_DATA_HEADERS, 'x-request-id': requestId }
    const isSame = matchesEtag(headers['if-none-match'] ?? null, made.etag)
    const isLong = made.body.length >= PACKED_FROM_BYTES
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
    figures.add({ route, status, ms })
    const sentBy = { token_id: pass.tokenId, client: pass.address }
    log.debug('request', { method: 'GET', path: route, status, ms, request_id: requestId, ...sentBy })
    return true
  }
}

function isPlainRead({ method, headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': coding, 'accept-encoding': accepted } = headers
  const isBare = method === 'GET' && coding === undefined && (length === undefined || length === '0')
  return isBare && (accepted === undefined || /(^|,)\s*gzip\s*(,|$)/.test(accepted))
}
