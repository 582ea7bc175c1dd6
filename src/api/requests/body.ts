// Bodies of requests: JSON of a bounded size.

import { AppError } from '../../lib/errors.ts'
import { refuseFields } from './refusal.ts'

export const MAX_BODY_BYTES = 1024 * 1024

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

/** Undefined when there is none. */
export async function readJson(request: Request): Promise<unknown> {
  const bytes = await readBytes(request)
  if (bytes.length === 0) return undefined
  if (!JSON_TYPE.test(request.headers.get('content-type') ?? '')) {
    throw new AppError('UNSUPPORTED_TYPE', 'Send the body as JSON, with Content-Type: application/json.')
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw refuseFields('BAD_REQUEST', [{ field: 'body', message: 'It is not valid JSON in UTF-8.' }])
  }
}

async function readBytes(request: Request): Promise<Buffer> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) throw tooLarge()
  if (request.body === null) return Buffer.alloc(0)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function tooLarge(): AppError {
  return new AppError('BODY_TOO_LARGE', `The body is larger than ${MAX_BODY_BYTES} bytes; send less at a time.`)
}
