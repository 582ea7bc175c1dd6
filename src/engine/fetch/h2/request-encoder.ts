// Header blocks of requests to one origin. What all requests have is encoded once.

import type { RequestHeaders } from '../headers.ts'
import { encodeField } from './hpack-encoder.ts'

export class RequestEncoder {
  readonly #host: string
  readonly #headers: RequestHeaders
  readonly #common: { pseudo: Buffer; others: Buffer }

  constructor(host: string, headers: RequestHeaders) {
    this.#host = host
    this.#headers = headers
    this.#common = encodeCommon(host, headers)
  }

  /** `headers` are those of the origin, or others for this request. */
  encode(path: string, headers: RequestHeaders): Buffer {
    const { pseudo, others } = headers === this.#headers ? this.#common : encodeCommon(this.#host, headers)
    return Buffer.concat([pseudo, encodeField(':path', path), others])
  }
}

function encodeCommon(host: string, headers: RequestHeaders): { pseudo: Buffer; others: Buffer } {
  const authority = headers.find(([name]) => name === 'host')?.[1] ?? host
  const pseudo = [
    [':method', 'GET'],
    [':scheme', 'https'],
    [':authority', authority],
  ] as const
  return {
    pseudo: Buffer.concat(pseudo.map(([name, value]) => encodeField(name, value))),
    others: Buffer.concat(headers.flatMap(([name, value]) => (name === 'host' ? [] : [encodeField(name, value)]))),
  }
}
