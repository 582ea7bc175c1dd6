// Why a request to the object storage failed.

import type { HttpResponse } from '../http-connections.ts'
import { textOf } from './xml-text.ts'

/**
 * `missing`: the object does not exist. `refused`: wrong bucket, region or credentials, or not allowed. `away`: the
 * server cannot be reached, is overloaded or failed; later the same request may succeed.
 */
export type S3Failure = 'missing' | 'refused' | 'away'

export class S3Error extends Error {
  override readonly name = 'S3Error'
  readonly failure: S3Failure
  /** Error code of the server, such as NoSuchKey; empty if it did not respond. */
  readonly serverCode: string

  constructor(failure: S3Failure, message: string, serverCode = '', options?: { cause?: unknown }) {
    super(message, options)
    this.failure = failure
    this.serverCode = serverCode
  }
}

/** Error codes of refusals that may be gone at the next attempt. */
const TRANSIENT_CODES = ['RequestTimeout', 'SlowDown', 'OperationAborted', 'ExpiredToken', 'RequestTimeTooSkewed']

export function toS3Error({ status, body }: HttpResponse, what: string): S3Error {
  const text = body.toString('utf8', 0, 4096)
  const code = textOf(text, 'Code') ?? ''
  const message = textOf(text, 'Message')
  const said = [code, message].filter(Boolean).join(': ')
  const explained = `${what}: status ${status}${said === '' ? '' : `, ${said}`}`
  if (status === 404 && code !== 'NoSuchBucket') return new S3Error('missing', explained, code)
  const isTransient = status >= 500 || status === 408 || status === 429 || TRANSIENT_CODES.includes(code)
  return new S3Error(isTransient ? 'away' : 'refused', explained, code)
}
