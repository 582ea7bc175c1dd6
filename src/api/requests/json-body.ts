// Reads request bodies: JSON of limited size.

import { AppError } from '../../lib/errors.ts'
import { invalidFieldsError } from './request-error.ts'

const MAX_BODY_BYTES = 1024 * 1024

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

/** Undefined if there is no body. */
export async function readJsonBody(request: Request): Promise<unknown> {
  const bytes = await readBodyBytes(request)
  if (bytes.length === 0) return undefined
  if (!JSON_TYPE.test(request.headers.get('content-type') ?? '')) {
    throw new AppError('UNSUPPORTED_TYPE', 'Send the body as JSON, with Content-Type: application/json.')
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw invalidFieldsError('BAD_REQUEST', [{ field: 'body', message: 'Is not valid UTF-8 JSON.' }])
  }
}

async function readBodyBytes(request: Request): Promise<Buffer> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) throw bodyTooLargeError()
  if (request.body === null) return Buffer.alloc(0)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw bodyTooLargeError()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function bodyTooLargeError(): AppError {
  return new AppError('BODY_TOO_LARGE', `The body is larger than ${MAX_BODY_BYTES} bytes. Split the request.`)
}
